import { sampleRounds } from '#benchmark';

/**
 * Measures several kinds of work for `ms`, in rounds that run each kind once. Returns a function that returns the fastest run of a kind in
 * µs, or undefined if the kind was not measured.
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
