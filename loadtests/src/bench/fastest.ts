import { sampleRounds } from '#benchmark';

/**
 * Measures several kinds of work in rounds with one run of each, for `ms`. Returns the fastest run of each kind in µs, or undefined if it
 * was not measured.
 */
export function fastestMicros(works: Readonly<Record<string, () => unknown>>, ms: number): (name: string) => number | undefined {
  const names = Object.keys(works);
  const samples = sampleRounds(
    Object.values(works).map((run) => () => void run()),
    { now: () => performance.now(), ms },
  );
  return (name) => {
    const own = samples[names.indexOf(name)] ?? [];
    return own.length === 0 ? undefined : 1000 * Math.min(...own);
  };
}
