import { sampleRounds } from '#benchmark';

/** Measures pieces of work in rounds of one each for some time. Returns the µs of the fastest run of each; undefined for what is not measured. */
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
