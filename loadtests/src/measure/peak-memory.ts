import { extent } from './quotient.ts';
import { heldMemory } from './resident-memory.ts';

/** How often memory is looked at, ms. */
const WATCH_MS = 100;

/** Memory of a process and its children over some time, MB. */
export interface Peak {
  readonly name: string;
  /** When watching began; undefined where memory is not told. */
  readonly idleMb: number | undefined;
  readonly peakMb: number | undefined;
  /** The most where pages that several of the processes share count once; the two above count them for each. */
  readonly distinctPeakMb: number | undefined;
}

/** Watches processes (by name and id) while work runs, and gives their peaks beside what the work gives. */
export async function peaksDuring<Result>(
  processes: readonly (readonly [name: string, processId: number])[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly peaks: readonly Peak[] }> {
  const peaks = processes.map(([name, id]) => {
    const held = heldMemory(id);
    return { name, id, idleMb: held?.residentMb, peakMb: held?.residentMb, distinctPeakMb: held?.distinctMb };
  });
  const watch = setInterval(() => {
    for (const peak of peaks) {
      const held = heldMemory(peak.id);
      peak.peakMb = extent([peak.peakMb, held?.residentMb])?.most;
      peak.distinctPeakMb = extent([peak.distinctPeakMb, held?.distinctMb])?.most;
    }
  }, WATCH_MS);
  try {
    const result = await work();
    return { result, peaks: peaks.map(({ name, idleMb, peakMb, distinctPeakMb }) => ({ name, idleMb, peakMb, distinctPeakMb })) };
  } finally {
    clearInterval(watch);
  }
}
