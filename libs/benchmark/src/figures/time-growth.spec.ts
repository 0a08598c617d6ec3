import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { BUSY, noisyMachine, QUIET } from './testing/noisy-machine.ts';
import { timeGrowth, fitPower } from './time-growth.ts';
import type { TimeGrowth, TimePoint } from './time-growth.ts';
import { fitTerms } from './least-squares.ts';

interface Study {
  /** Returns the time of the work without noise, in ms. */
  readonly ms: (size: number) => number;
  readonly cost?: (size: number) => number;
  readonly noise?: typeof QUIET;
  readonly rounds?: number;
  readonly largest?: number;
}

/** Simulates rounds of time measurements on a noisy machine, for sizes from 32 upwards. `seed` determines the noise. */
function studied(seed: number, { ms, cost, noise = QUIET, rounds = 30, largest = 4096 }: Study): TimePoint[] {
  const machine = noisyMachine(seededRandom(seed * 977), noise);
  const sizes: number[] = [];
  for (let size = 32; size <= largest; size *= 2) sizes.push(size);
  const taken = Array.from({ length: rounds }, () => sizes.map((size) => machine(ms(size))));
  return sizes.map((size, i) => ({ size, samples: taken.map((round) => round[i] ?? 0), ...(cost && { cost: cost(size) }) }));
}

const growths = (runs: number, study: Study): Extract<TimeGrowth, { kind: 'grows' }>[] =>
  Array.from({ length: runs }, (_, i) => timeGrowth(studied(i + 1, study), seededRandom(i))).filter((growth) => growth.kind === 'grows');

describe('the exponent with which a time grows', () => {
  it.each<[name: string, ms: Study['ms'], exponent: number]>([
    ['n', (n) => 0.001 * n, 1],
    ['n beside half a millisecond', (n) => 0.5 + 0.001 * n, 1],
    ['n²', (n) => 1e-6 * n * n, 2],
    ['n² beside half a millisecond', (n) => 0.5 + 1e-6 * n * n, 2],
  ])('is found within 0.15 on a quiet machine: %s', (_, ms, exponent) => {
    const found = growths(20, { ms });
    expect(found).toHaveLength(20);
    for (const growth of found) expect(Math.abs(growth.exponent - exponent)).toBeLessThanOrEqual(0.15);
    expect(found.filter(({ lo, hi }) => lo <= exponent && hi >= exponent).length).toBeGreaterThanOrEqual(17);
  });

  it('has an interval that contains the true exponent in 9 of 10 runs on a machine with bursts of other work', () => {
    const noise = { ...BUSY, slicePerMs: 0 };
    const held = growths(40, { ms: (n) => 0.001 * n, noise, rounds: 50 }).filter(({ lo, hi }) => lo <= 1 && hi >= 1);
    expect(held.length).toBeGreaterThanOrEqual(36);
  });

  it('differs from the exponent of the cost by at most 0.15 on a busy machine, with 200 rounds', () => {
    const found = growths(10, { ms: (n) => 0.001 * n, cost: (n) => 5 * n + 300, noise: BUSY, rounds: 200 });
    expect(found.filter(({ besideCost }) => besideCost?.within).length).toBeGreaterThanOrEqual(9);
    for (const { besideCost } of found) {
      expect(besideCost?.exponent).toBeCloseTo(1, 2);
      expect(['same', 'undecided']).toContain(besideCost?.verdict);
    }
  });

  it('is reported as steeper or flatter than the cost, as the same, or as undecided', () => {
    const verdict = (study: Study): string | undefined => growths(1, study)[0]?.besideCost?.verdict;
    expect(verdict({ ms: (n) => 1e-6 * n * n, cost: (n) => 5 * n })).toBe('steeper');
    expect(verdict({ ms: (n) => 1e-3 * n, cost: (n) => n * n })).toBe('flatter');
    expect(verdict({ ms: (n) => 1e-3 * n, cost: () => 7 })).toBe('steeper');
    // Both series bend like n·log n.
    expect(verdict({ ms: (n) => 1e-3 * n * Math.log2(n), cost: (n) => n * Math.log2(n) })).toBe('same');
    expect(verdict({ ms: (n) => 0.5 + 1e-3 * n, cost: (n) => n, noise: BUSY, rounds: 12 })).toBe('undecided');
    expect(growths(1, { ms: (n) => 1e-3 * n })[0]?.besideCost).toBeUndefined();
  });

  it('is not reported if times are very short or hardly grow, or if there are too few samples', () => {
    const reported = (study: Study): TimeGrowth => timeGrowth(studied(1, study), seededRandom(1));
    expect(reported({ ms: (n) => 1e-5 * n }).kind).toBe('tooFast');
    expect(reported({ ms: (n) => 1e-8 * n }).kind).toBe('tooFast');
    expect(reported({ ms: (n) => 2 + 1e-5 * n }).kind).toBe('flat');
    expect(reported({ ms: (n) => n, largest: 64 })).toEqual({ kind: 'tooFew' });
    expect(timeGrowth([], seededRandom(1))).toEqual({ kind: 'tooFew' });
    expect(timeGrowth([{ size: 1, samples: [] }], seededRandom(1))).toEqual({ kind: 'tooFew' });
  });

  it('does not depend on the order of the sizes, and is reproducible with a seed', () => {
    const points = studied(3, { ms: (n) => 0.002 * n }).map(({ size, samples }, i) => ({ size, samples: samples.slice(i) }));
    const reported = timeGrowth(points, seededRandom(5));
    expect(timeGrowth(points.toReversed(), seededRandom(5))).toEqual(reported);
    expect(reported.kind === 'grows' && reported.lo < 1 && reported.hi > 1).toBe(true);
  });
});

const SIZES = [1, 2, 4, 8, 16, 32, 64];
const valuesOf = (value: (size: number) => number) => SIZES.map((size) => ({ size, value: value(size) }));

describe('a fit of a fixed part and a power', () => {
  it.each([
    [3, 0.5, 1],
    [0, 2, 2],
    [100, 1, 1.5],
    [7, 0.01, 3],
  ])('recovers %d + %d·n^%d', (fixed, factor, exponent) => {
    const fit = fitPower(valuesOf((size) => fixed + factor * size ** exponent));
    expect(fit.exponent).toBeCloseTo(exponent, 2);
    expect(fit.fixed).toBeCloseTo(fixed, 1);
    expect(fit.growing / (factor * 64 ** exponent)).toBeCloseTo(1, 2);
  });

  it('has no growing part if the values fall with the size', () => {
    expect(fitPower(valuesOf((size) => 10 - size / 10)).growing).toBe(0);
  });
});

describe('a fit of several terms', () => {
  it('finds the coefficient of each term, multiplied by the term at the largest size', () => {
    const fit = fitTerms(
      valuesOf((size) => 5 + 3 * size + 2 * size * size),
      [() => 1, (size) => size, (size) => size * size],
    );
    expect(fit?.coefficients.map((coefficient) => Number(coefficient.toFixed(6)))).toEqual([5, 192, 8192]);
    expect(fit?.residual).toBeLessThan(1e-6);
  });

  it('has no result for proportional terms or too few points', () => {
    expect(
      fitTerms(
        valuesOf((size) => size),
        [(size) => size, (size) => 2 * size],
      ),
    ).toBeUndefined();
    expect(fitTerms([{ size: 1, value: 1 }], [() => 1, (size) => size])).toBeUndefined();
    expect(fitTerms([], [])).toBeUndefined();
  });
});
