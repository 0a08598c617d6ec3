import { readFileSync } from 'node:fs';

/** What a process and its children hold in memory, MB. */
export interface HeldMemory {
  /** Resident memory, summed: what several of them map of one file, as the binary that they run, counts for each. */
  readonly residentMb: number;
  /** The same with such pages counted once: of files only those of the process that has most of them. */
  readonly distinctMb: number;
}

/** What a process and its children hold; undefined where that is not told: the process is gone, or the system is not Linux. */
export function heldMemory(processId: number): HeldMemory | undefined {
  try {
    const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((text) => text !== '');
    const statuses = [String(processId), ...children].map((id) => readFileSync(`/proc/${id}/status`, 'utf8'));
    const each = (name: string): number[] => statuses.map((status) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0));
    const sum = (name: string): number => each(name).reduce((total, kilobytes) => total + kilobytes, 0);
    return {
      residentMb: Math.round(sum('VmRSS') / 1024),
      distinctMb: Math.round((sum('RssAnon') + sum('RssShmem') + Math.max(...each('RssFile'))) / 1024),
    };
  } catch {
    return undefined;
  }
}

/** Resident memory of a process and its children, MB; undefined where that is not told. */
export const residentMb = (processId: number): number | undefined => heldMemory(processId)?.residentMb;
