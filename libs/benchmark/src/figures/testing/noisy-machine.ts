import { seededRandom } from '../../../../../testing/seeded-random.ts';
import type { TimedPair } from '../compare-pairs.ts';

/** Random noise of a simulated machine, which is caused by other programs. */
export interface Noise {
  /** Standard deviation of the logarithm of a time. */
  readonly sigma: number;
  /** Probability that a burst of noise begins at a sample. All work takes twice as long during a burst. */
  readonly burst: number;
  /** Mean length of a burst of noise, in samples. */
  readonly burstLength: number;
  /** Probability that a sample loses its time slice, per ms of its duration. */
  readonly slicePerMs: number;
  /** Length of a time slice, in ms. */
  readonly sliceMs: number;
}

/** Noise of a machine with two cores, on which two busy loops run beside the measured work. */
export const BUSY: Noise = { sigma: 0.3, burst: 0.005, burstLength: 60, slicePerMs: 0.04, sliceMs: 4 };
/** Noise of a machine that runs little besides the measured work. */
export const QUIET: Noise = { sigma: 0.05, burst: 0.001, burstLength: 20, slicePerMs: 0.005, sliceMs: 4 };

/**
 * Returns a function that simulates the time of work on a noisy machine. It converts the ms that the work takes alone to the ms that it
 * takes on this machine.
 */
export function noisyMachine(random: () => number, noise: Noise): (ms: number) => number {
  let inBurst = false;
  return (ms) => {
    inBurst = inBurst ? random() >= 1 / noise.burstLength : random() < noise.burst;
    const taken = ms * Math.exp(noise.sigma * normal(random)) * (inBurst ? 2 : 1);
    return taken + (random() < noise.slicePerMs * taken ? noise.sliceMs : 0);
  };
}

/** Simulates `count` pairs for work that takes `a` and `b` ms without noise. The order of measurement is a b b a a b …. */
export function measurePairs(machine: (ms: number) => number, count: number, { a, b }: TimedPair): TimedPair[] {
  return Array.from({ length: count }, (_, i) => {
    if (i % 2 === 0) {
      const first = machine(a);
      return { a: first, b: machine(b) };
    }
    const first = machine(b);
    return { a: machine(a), b: first };
  });
}

/** Returns a random number of the normal distribution (the method of Box and Muller). */
const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/**
 * Counts the verdicts of `runs` comparisons. `judge` makes one comparison and returns its verdict. Each comparison uses random numbers with
 * a different seed.
 */
export function countVerdicts(runs: number, judge: (random: () => number) => string): Record<string, number> {
  const counts: Record<string, number> = { equal: 0, slower: 0, faster: 0, undecided: 0, tooFew: 0 };
  for (let seed = 1; seed <= runs; seed++) {
    const verdict = judge(seededRandom(seed * 7919));
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}
