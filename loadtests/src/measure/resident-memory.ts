import { readFileSync } from 'node:fs';

/** Resident memory of a process and its children, MB; undefined where that is not told: the process is gone, or the system is not Linux. */
export function residentMb(processId: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((text) => text !== '');
    return [String(processId), ...children].reduce(
      (sum, id) => sum + Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024),
      0,
    );
  } catch {
    return undefined;
  }
}
