import type { TimedPair } from '../compare-pairs.ts';

/** A simulated machine that others use, too. */
export interface Noise {
  /** Standard deviation of the logarithm of a time. */
  readonly sigma: number;
  /** Chance that a burst begins at a sample, in which all takes twice as long. */
  readonly burst: number;
  /** Mean length of a burst, samples. */
  readonly burstLength: number;
  /** Chance that a sample loses its time slice, for each ms that it takes. */
  readonly slicePerMs: number;
  /** Length of a time slice, ms. */
  readonly sliceMs: number;
}

/** A machine with two cores and two busy loops beside the work. */
export const BUSY: Noise = { sigma: 0.3, burst: 0.005, burstLength: 60, slicePerMs: 0.04, sliceMs: 4 };
/** A machine that does little else. */
export const QUIET: Noise = { sigma: 0.05, burst: 0.001, burstLength: 20, slicePerMs: 0.005, sliceMs: 4 };

/** Returns a clock of such a machine: the time that work takes there, ms, given the time that it takes alone. */
export function noisyMachine(random: () => number, noise: Noise): (ms: number) => number {
  let inBurst = false;
  return (ms) => {
    inBurst = inBurst ? random() >= 1 / noise.burstLength : random() < noise.burst;
    const taken = ms * Math.exp(noise.sigma * normal(random)) * (inBurst ? 2 : 1);
    return taken + (random() < noise.slicePerMs * taken ? noise.sliceMs : 0);
  };
}

/** Measures pairs in the order a b b a a b …, of work that takes `a` and `b` ms alone. */
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

/** Draws from the normal distribution (the method of Box and Muller). */
const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
