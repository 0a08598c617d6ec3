import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { compareCosts, comparePairs } from './compare-pairs.ts';
import { SequentialComparison } from './sequential-comparison.ts';
import { BUSY, measurePairs, noisyMachine, QUIET } from './testing/noisy-machine.ts';

/** Verdicts of many comparisons, each on a machine of its own, counted. */
function verdicts(runs: number, judge: (random: () => number) => string): Record<string, number> {
  const counts: Record<string, number> = { equal: 0, slower: 0, faster: 0, undecided: 0, tooFew: 0 };
  for (let seed = 1; seed <= runs; seed++) {
    const verdict = judge(seededRandom(seed * 7919));
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}

const once =
  (ratio: number, { pairs = 2000, ms = 5, noise = BUSY } = {}) =>
  (random: () => number): string => {
    const told = comparePairs(measurePairs(noisyMachine(random, noise), pairs, { a: ms, b: ms * ratio }));
    return told.kind === 'compared' ? told.verdict : told.kind;
  };

const inBatches =
  (ratio: number, batch: number, looked: number[] = []) =>
  (random: () => number): string => {
    const machine = noisyMachine(random, BUSY);
    const comparison = new SequentialComparison();
    let state = comparison.state;
    while (state.kind === 'open') state = comparison.add(measurePairs(machine, batch, { a: 5, b: 5 * ratio }));
    looked.push(state.comparison.pairs);
    return state.comparison.kind === 'compared' ? state.comparison.verdict : state.comparison.kind;
  };

describe('two revisions in interleaved pairs', () => {
  it('are equal if they are, in 19 of 20 runs on a busy machine', () => {
    expect(verdicts(100, once(1))['equal']).toBeGreaterThanOrEqual(95);
  });

  it.each([1, 20])('are equal if they are, for samples of %d ms', (ms) => {
    expect(verdicts(40, once(1, { ms }))['equal']).toBeGreaterThanOrEqual(38);
  });

  it('are told apart if one takes 20 % more, in 9 of 10 runs on a busy machine', () => {
    expect(verdicts(60, once(1.2))['slower']).toBeGreaterThanOrEqual(54);
    expect(verdicts(60, once(1 / 1.2))['faster']).toBeGreaterThanOrEqual(54);
  });

  it('are told apart by fewer pairs on a quiet machine', () => {
    expect(verdicts(100, once(1.2, { pairs: 40, noise: QUIET }))['slower']).toBeGreaterThanOrEqual(95);
    expect(verdicts(100, once(1, { pairs: 40, noise: QUIET }))['equal']).toBeGreaterThanOrEqual(95);
  });

  it('are never told apart by few pairs, nor called equal', () => {
    const counts = verdicts(200, once(1, { pairs: 20 }));
    expect(counts['undecided']).toBeGreaterThanOrEqual(190);
    expect(comparePairs(Array.from({ length: 5 }, () => ({ a: 1, b: 9 })))).toEqual({ kind: 'tooFew', pairs: 5 });
  });

  it('are wrong about a difference of just what matters in about 5 % of the runs', () => {
    const { slower = 0, equal = 0 } = verdicts(400, once(1.1, { pairs: 400 }));
    expect(slower + equal).toBeLessThanOrEqual(22);
  });

  it('have an interval that holds the true ratio', () => {
    let held = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const told = comparePairs(measurePairs(noisyMachine(seededRandom(seed), BUSY), 300, { a: 5, b: 5.5 }));
      // Time slices are lost in proportion to the time, so they keep the ratio.
      if (told.kind === 'compared' && told.lo <= 1.1 && told.hi >= 1.1) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(188);
  });

  it('do not count where a clock gave 0', () => {
    const pairs = [{ a: 0, b: 1 }, { a: 1, b: 0 }, ...Array.from({ length: 10 }, () => ({ a: 2, b: 3 }))];
    expect(comparePairs(pairs)).toEqual({ kind: 'compared', ratio: 1.5, lo: 1.5, hi: 1.5, verdict: 'slower', pairs: 10 });
  });
});

describe('a comparison that is asked after each batch', () => {
  it('is wrong no more often than one that is asked once', () => {
    const looked: number[] = [];
    const counts = verdicts(100, inBatches(1, 10, looked));
    expect((counts['slower'] ?? 0) + (counts['faster'] ?? 0)).toBeLessThanOrEqual(2);
    expect(counts['equal']).toBeGreaterThanOrEqual(95);
    // Most end before the last look.
    expect(looked.filter((pairs) => pairs < 2000).length).toBeGreaterThanOrEqual(70);
  });

  it('is wrong in no more than 5 % of the runs at the worst: a difference of just what matters', () => {
    const { slower = 0, equal = 0 } = verdicts(100, inBatches(1.1, 50));
    expect(slower + equal).toBeLessThanOrEqual(5);
  });

  it('finds 20 % in 9 of 10 runs, and 50 % early', () => {
    expect(verdicts(50, inBatches(1.2, 50))['slower']).toBeGreaterThanOrEqual(45);
    const looked: number[] = [];
    expect(verdicts(50, inBatches(1.5, 50, looked))['slower']).toBe(50);
    expect(looked.filter((pairs) => pairs <= 256).length).toBeGreaterThanOrEqual(45);
  });

  it('says the same whatever the batches', () => {
    const pairs = measurePairs(noisyMachine(seededRandom(5), BUSY), 2000, { a: 5, b: 6 });
    const whole = new SequentialComparison();
    const single = new SequentialComparison();
    for (const pair of pairs) single.add([pair]);
    expect(whole.add(pairs)).toEqual(single.state);
    expect(single.state).toMatchObject({ kind: 'over', comparison: { verdict: 'slower' } });
  });

  it('says how many pairs are missing, and ends undecided', () => {
    const comparison = new SequentialComparison({ firstLook: 8, mostPairs: 12 });
    expect(comparison.state).toEqual({ kind: 'open', pairsToNextLook: 8 });
    const wide = Array.from({ length: 8 }, (_, i) => ({ a: 1, b: i % 2 === 0 ? 2 : 0.5 }));
    expect(comparison.add(wide)).toEqual({ kind: 'open', pairsToNextLook: 4 });
    expect(comparison.add(wide)).toMatchObject({ kind: 'over', comparison: { verdict: 'undecided', pairs: 12 } });
  });
});

describe('two exact costs', () => {
  it('differ if they do', () => {
    expect(compareCosts(100, 120)).toEqual({ ratio: 1.2, verdict: 'dearer' });
    expect(compareCosts(1_000_000, 999_999)).toEqual({ ratio: 0.999999, verdict: 'cheaper' });
    expect(compareCosts(7, 7)).toEqual({ ratio: 1, verdict: 'equal' });
  });

  it('may be held against an effect that matters', () => {
    expect([109, 110, 120].map((b) => compareCosts(100, b, 0.1).verdict)).toEqual(['equal', 'dearer', 'dearer']);
    expect([95, 90, 80].map((b) => compareCosts(100, b, 0.1).verdict)).toEqual(['equal', 'cheaper', 'cheaper']);
  });

  it('have no ratio to nothing', () => {
    expect(compareCosts(0, 5)).toEqual({ ratio: undefined, verdict: 'dearer' });
    expect(compareCosts(0, 0)).toEqual({ ratio: 1, verdict: 'equal' });
  });
});
