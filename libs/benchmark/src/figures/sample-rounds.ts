import type { CancellationToken } from '#go';
import { clockStep } from './clock-step.ts';
import type { TimedPair } from './compare-pairs.ts';

/** Clock and end of a series of samples. */
export interface SamplingRules {
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /** Time for all of it, ms. */
  readonly ms: number;
  readonly token?: CancellationToken | undefined;
}

/** A sample takes at least so long, ms: short work is run several times for one. */
const LEAST_SAMPLE_MS = 0.05;
/** A sample takes at least so many steps of the clock: browsers make their clocks coarse. */
const LEAST_STEPS = 50;
const MOST_ROUNDS = 400;
/** Runs of work in one sample after which a coarse clock is given up. */
const MOST_REPEATS = 2 ** 16;
/** Part of the time for which work is run first, so that what is generated or optimized is there. */
const WARM_UP = 0.25;

/**
 * Samples the time of several pieces of work, in rounds. Each round takes one sample of each, so that a slow stretch of the machine slows all. Returns milliseconds of single runs, by piece of work: one at least, unless the token is raised.
 */
export function sampleRounds(works: readonly (() => void)[], { now, ms, token }: SamplingRules): readonly (readonly number[])[] {
  const begun = now();
  const least = leastSample(now);
  const repeats = works.map((work) => repeatsOf(work, now, { ms: (WARM_UP * ms) / Math.max(1, works.length), least }));
  const samples = works.map((): number[] => []);
  for (let round = 0; round < MOST_ROUNDS && (round === 0 || now() - begun < ms); round++)
    for (const [i, work] of works.entries()) {
      if (token?.cancelled === true) return samples;
      const count = repeats[i] ?? 1;
      const from = now();
      for (let run = 0; run < count; run++) work();
      samples[i]?.push((now() - from) / count);
    }
  return samples;
}

/**
 * Samples pairs of two pieces of work, each right after the other, as a b b a. Gives the pairs of each such round until the time is over, of one
 * round at least, unless the token is raised.
 */
export function* samplePairs(a: () => void, b: () => void, { now, ms, token }: SamplingRules): Generator<readonly TimedPair[], void, void> {
  const begun = now();
  const least = leastSample(now);
  const repeats = Math.max(...[a, b].map((work) => repeatsOf(work, now, { ms: (WARM_UP * ms) / 2, least })));
  const timed = (work: () => void): number => {
    const from = now();
    for (let run = 0; run < repeats; run++) work();
    return (now() - from) / repeats;
  };
  for (let round = 0; round === 0 || now() - begun < ms; round++) {
    if (token?.cancelled === true) return;
    const first = { a: timed(a), b: timed(b) };
    const second = { b: timed(b), a: timed(a) };
    yield [first, second];
  }
}

/** Returns the least time of a sample, ms. */
const leastSample = (now: () => number): number => Math.max(LEAST_SAMPLE_MS, LEAST_STEPS * clockStep(now));

/** Runs a piece of work for some time, and returns how often one sample of at least `least` ms needs it. */
function repeatsOf(work: () => void, now: () => number, { ms, least }: { readonly ms: number; readonly least: number }): number {
  const begun = now();
  let runs = 0;
  let last = 0;
  do {
    const from = now();
    work();
    last = now() - from;
    runs += 1;
  } while (now() - begun < ms && runs < 10_000);
  if (least === LEAST_SAMPLE_MS) return Math.max(1, Math.ceil(least / Math.max(last, 1e-4)));
  // A coarse clock sees a single run as 0 or as a whole step.
  for (let repeats = 1; ; repeats *= 2) {
    const from = now();
    for (let run = 0; run < repeats; run++) work();
    const spent = now() - from;
    if (spent >= least / 4 || repeats >= MOST_REPEATS) return Math.max(1, Math.ceil((repeats * least) / Math.max(spent, least / 4)));
  }
}
