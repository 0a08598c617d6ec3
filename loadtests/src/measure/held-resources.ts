import { readdirSync, readFileSync } from 'node:fs';

/** Returns a figure of a process by its name in Linux's `/proc/<pid>/status`, memory in KiB; undefined for a process that is gone. */
export function statusOf(processId: number): ((field: string) => number) | undefined {
  try {
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    return (field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  } catch {
    return undefined;
  }
}

/** The resources of its machine that a process holds. */
export interface HeldResources {
  readonly mb: number;
  readonly files: number;
  readonly threads: number;
}

/** Returns the resources of a process; undefined if it is gone. */
export function heldResources(processId: number): HeldResources | undefined {
  const figure = statusOf(processId);
  return figure && { mb: Math.round(figure('VmRSS') / 1024), threads: figure('Threads'), files: namesIn(`/proc/${processId}/fd`).length };
}

/** Names what a process holds beyond what it held before and may hold more. */
export const heldBeyond = (then: HeldResources, now: HeldResources, room: HeldResources): (keyof HeldResources)[] =>
  (['mb', 'files', 'threads'] as const).filter((what) => now[what] > then[what] + room[what]);

/** Returns the names in a folder; none if it is gone. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
