import { statusOf } from './held-resources.ts';
import { childrenOf } from './process-cpu.ts';

/** What a process and its children hold in memory, MB. */
export interface HeldMemory {
  /** Resident memory, summed: what several of them map of one file, as the binary that they run, counts for each. */
  readonly residentMb: number;
  /** The same with such pages counted once: of files only those of the process that has most of them. */
  readonly distinctMb: number;
}

/** What a process and its children hold; undefined where that is not told: the process is gone, or the system is not Linux. */
export function heldMemory(processId: number): HeldMemory | undefined {
  const statuses = [processId, ...childrenOf(processId)].map(statusOf).filter((status) => status !== undefined);
  if (statusOf(processId) === undefined) return undefined;
  const each = (name: string): number[] => statuses.map((status) => status(name) / 1024);
  const sum = (name: string): number => each(name).reduce((total, mb) => total + mb, 0);
  return {
    residentMb: Math.round(sum('VmRSS')),
    distinctMb: Math.round(sum('RssAnon') + sum('RssShmem') + Math.max(...each('RssFile'))),
  };
}
