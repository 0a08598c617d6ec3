import { readdirSync, readFileSync } from 'node:fs';

/** Returns a function that reads a field of Linux's `/proc/<pid>/status`, with memory in KiB; undefined if the process has ended. */
export function statusOf(processId: number): ((field: string) => number) | undefined {
  try {
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    return (field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  } catch {
    return undefined;
  }
}

/** Machine resources that a process uses: resident memory in MiB (`mb`), and numbers of open files and of threads. */
export interface HeldResources {
  readonly mb: number;
  readonly files: number;
  readonly threads: number;
}

/** Returns the resources that a process uses; undefined if the process has ended. */
export function heldResources(processId: number): HeldResources | undefined {
  const figure = statusOf(processId);
  return figure && { mb: Math.round(figure('VmRSS') / 1024), threads: figure('Threads'), files: namesIn(`/proc/${processId}/fd`).length };
}

/** Returns the names of the resources whose use increased from `then` to `now` by more than the allowed increase `room`. */
export const heldBeyond = (then: HeldResources, now: HeldResources, room: HeldResources): (keyof HeldResources)[] =>
  (['mb', 'files', 'threads'] as const).filter((what) => now[what] > then[what] + room[what]);

/** Returns the names in a folder; an empty list if the folder does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
