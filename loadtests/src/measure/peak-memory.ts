import { extent } from './quotient.ts';
import { residentMb } from './resident-memory.ts';

/** How often memory is looked at, ms. */
const WATCH_MS = 100;

/** Resident memory of a process and its children over some time, MB. */
export interface Peak {
  readonly name: string;
  /** When watching began; undefined where memory is not told. */
  readonly idleMb: number | undefined;
  readonly peakMb: number | undefined;
}

/** Watches processes (by name and id) while work runs, and gives their peaks beside what the work gives. */
export async function peaksDuring<Result>(
  processes: readonly (readonly [name: string, processId: number])[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly peaks: readonly Peak[] }> {
  const peaks = processes.map(([name, id]) => {
    const idleMb = residentMb(id);
    return { name, id, idleMb, peakMb: idleMb };
  });
  const watch = setInterval(() => {
    for (const peak of peaks) peak.peakMb = extent([peak.peakMb, residentMb(peak.id)])?.most;
  }, WATCH_MS);
  try {
    const result = await work();
    return { result, peaks: peaks.map(({ name, idleMb, peakMb }) => ({ name, idleMb, peakMb })) };
  } finally {
    clearInterval(watch);
  }
}
