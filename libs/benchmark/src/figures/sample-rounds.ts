import type { CancellationToken } from '#go';
import type { TimedPair } from './compare-pairs.ts';

/** Clock, time limit and cancellation token of a series of samples. */
export interface SamplingRules {
  /** Returns the time of a monotonic clock, in ms. */
  readonly now: () => number;
  /** Time limit in ms for the whole series. */
  readonly ms: number;
  readonly token?: CancellationToken | undefined;
}

/** Minimum duration of a sample in ms. Shorter work is run several times in one sample. */
const MIN_SAMPLE_MS = 0.05;
/** Minimum duration of a sample in steps of the clock, because browsers have coarse clocks. */
const MIN_STEPS = 50;
const MAX_ROUNDS = 400;
/** Maximum number of runs in one sample while the duration of a run is determined with a coarse clock. */
const MAX_REPEATS = 2 ** 16;
/** Share of the time for which work is run as a warm-up, so that all code is generated and optimized before the first sample. */
const WARM_UP = 0.25;

/**
 * Samples the time of several functions in rounds. Each round takes one sample of each function, so that a slow phase of the machine slows
 * all functions equally. Returns, for each function, the times of single runs in ms. Each function has at least one sample, unless the
 * token is cancelled.
 */
export function sampleRounds(works: readonly (() => void)[], { now, ms, token }: SamplingRules): readonly (readonly number[])[] {
  const begun = now();
  const least = minSampleMs(now);
  const repeats = works.map((work) => repeatsOf(work, now, { ms: (WARM_UP * ms) / Math.max(1, works.length), least }));
  const samples = works.map((): number[] => []);
  for (let round = 0; round < MAX_ROUNDS && (round === 0 || now() - begun < ms); round++)
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
 * Measures the times of two functions in pairs, in the order a b b a. Yields the two pairs of each round until the time is over. Yields at
 * least one round, unless the token is cancelled.
 */
export function* samplePairs(a: () => void, b: () => void, { now, ms, token }: SamplingRules): Generator<readonly TimedPair[], void, void> {
  const begun = now();
  const least = minSampleMs(now);
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

/** Returns the minimum duration of a sample in ms. */
const minSampleMs = (now: () => number): number => Math.max(MIN_SAMPLE_MS, MIN_STEPS * clockStep(now));

/**
 * Runs `work` repeatedly for about `ms` ms, or at most 10,000 times. Returns the number of runs that a sample of at least `least` ms needs.
 */
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
  if (least === MIN_SAMPLE_MS) return Math.max(1, Math.ceil(least / Math.max(last, 1e-4)));
  // A coarse clock measures a single run as 0 or as a whole step of the clock. So the loop below measures several runs together.
  for (let repeats = 1; ; repeats *= 2) {
    const from = now();
    for (let run = 0; run < repeats; run++) work();
    const spent = now() - from;
    if (spent >= least / 4 || repeats >= MAX_REPEATS) return Math.max(1, Math.ceil((repeats * least) / Math.max(spent, least / 4)));
  }
}

/** Number of changes of the clock that are observed to determine the clock's step. */
const CHANGES = 4;
/** Maximum number of readings. A clock that does not change within this number of readings is treated as having no steps. */
const MAX_READINGS = 200_000;

/**
 * Returns the step of a clock in the clock's unit: the smallest change between two readings. Returns 0 if the clock does not change within
 * 200,000 readings.
 */
export function clockStep(now: () => number): number {
  let step = Infinity;
  let last = now();
  for (let reading = 0, changes = 0; changes < CHANGES; reading++) {
    if (reading === MAX_READINGS) return 0;
    const next = now();
    if (next === last) continue;
    step = Math.min(step, next - last);
    last = next;
    changes += 1;
  }
  return step;
}

/** Returns a generator of numbers from 0 up to 1, excluding 1. The same seed produces the same numbers. The algorithm is xorshift32. */
export function seededRandom(seed: number): () => number {
  // From the state 0, xorshift would return only zeros. The multiplication turns neighbouring seeds into very different states.
  let state = (Math.imul(seed, 0x9e37_79b1) ^ 0x5bd1_e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
}
