import { readFileSync } from 'node:fs';

/** Unit of CPU times in Linux's `/proc` files: 10 ms, independent of the kernel's internal tick (USER_HZ). */
const TICK_MS = 10;

/** Returns the ids of a process's children; an empty list if the process has ended. */
export function childrenOf(processId: number): number[] {
  try {
    return readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Returns the ids of a process and of all its descendants. */
export function processTree(processId: number): number[] {
  return [processId, ...childrenOf(processId).flatMap(processTree)];
}

/**
 * Returns the CPU time in ms that processes used since their start (user and system, all threads). A process counts as 0 if it has ended or
 * if the system does not report its time.
 */
export function cpuMs(processIds: readonly number[]): number {
  return processIds.reduce((sum, id) => sum + ticksOf(id) * TICK_MS, 0);
}

function ticksOf(processId: number): number {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The name in brackets may contain anything. The third field follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
