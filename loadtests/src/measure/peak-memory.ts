import { statusOf } from './held-resources.ts';
import { childrenOf } from './process-cpu.ts';
import { extent } from './quotient.ts';

/** Interval in ms at which memory is measured. */
const WATCH_MS = 100;

/**
 * Memory in MB of a process and its children, at the beginning of a measurement and at its highest. Undefined if it could not be measured.
 * A memory page that several of these processes share counts once.
 */
export interface Peak {
  readonly name: string;
  /** Memory in MB when the measurement began; undefined if it could not be measured. */
  readonly idleMb: number | undefined;
  readonly peakMb: number | undefined;
}

/** Measures processes (given by name and id) while `work` runs. Returns their peaks together with the result of the work. */
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
      idleMb: seen[0],
      peakMb: extent(seen)?.most,
    }));
    return { result, peaks };
  } finally {
    clearInterval(watch);
  }
}

/** Returns the memory that a process and its children use, in MB; undefined if the process has ended or the system is not Linux. */
function heldMemory(processId: number): number | undefined {
  const own = statusOf(processId);
  if (own === undefined) return undefined;
  const statuses = [own, ...childrenOf(processId).flatMap((id) => statusOf(id) ?? [])];
  const each = (field: string): number[] => statuses.map((status) => status(field) / 1024);
  const sum = (field: string): number => each(field).reduce((total, mb) => total + mb, 0);
  // Pages of a shared file, such as the binary of all processes, count once. The process with the most such pages determines their number.
  return Math.round(sum('RssAnon') + sum('RssShmem') + Math.max(...each('RssFile')));
}
