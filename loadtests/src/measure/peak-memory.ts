import { statusOf } from './held-resources.ts';
import { childrenOf } from './process-cpu.ts';
import { extent } from './quotient.ts';

/** How often memory is looked at, ms. */
const WATCH_MS = 100;

/** Memory of a process and its children over some time, MB; undefined if it was not told. */
export interface Peak {
  readonly name: string;
  /** When watching began. Pages that several of the processes share count once. */
  readonly idleMb: number | undefined;
  /** The most, counted in the same way. */
  readonly distinctPeakMb: number | undefined;
  /** The most where such pages count for each process. */
  readonly peakMb: number | undefined;
}

/** Watches processes (by name and id) while work runs. Returns their peaks beside what the work gives. */
export async function peaksDuring<Result>(
  processes: readonly (readonly [name: string, processId: number])[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly peaks: readonly Peak[] }> {
  const watched = processes.map(([name, id]) => ({ name, id, seen: [heldMemory(id)] }));
  const watch = setInterval(() => watched.forEach(({ id, seen }) => seen.push(heldMemory(id))), WATCH_MS);
  try {
    const result = await work();
    const peaks = watched.map(({ name, seen }) => ({
      name,
      idleMb: seen[0]?.distinctMb,
      distinctPeakMb: extent(seen.map((held) => held?.distinctMb))?.most,
      peakMb: extent(seen.map((held) => held?.residentMb))?.most,
    }));
    return { result, peaks };
  } finally {
    clearInterval(watch);
  }
}

/**
 * Returns the memory that a process and its children hold, summed. Pages that several of them map of one file, as the binary that they run, count
 * for each, and once in `distinctMb`: as much as the process has that has most. Undefined if the process is gone, or the system is not Linux.
 */
function heldMemory(processId: number): { readonly residentMb: number; readonly distinctMb: number } | undefined {
  const own = statusOf(processId);
  if (own === undefined) return undefined;
  const statuses = [own, ...childrenOf(processId).flatMap((id) => statusOf(id) ?? [])];
  const each = (field: string): number[] => statuses.map((status) => status(field) / 1024);
  const sum = (field: string): number => each(field).reduce((total, mb) => total + mb, 0);
  return { residentMb: Math.round(sum('VmRSS')), distinctMb: Math.round(sum('RssAnon') + sum('RssShmem') + Math.max(...each('RssFile'))) };
}
