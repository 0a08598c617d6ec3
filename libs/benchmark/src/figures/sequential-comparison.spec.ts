import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { SequentialComparison } from './sequential-comparison.ts';
import { countVerdicts, BUSY, measurePairs, noisyMachine } from './testing/noisy-machine.ts';

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

describe('a comparison that is repeated after each batch of pairs', () => {
  it('finds a difference between equal revisions in at most 2 % of the runs', () => {
    const looked: number[] = [];
    const counts = countVerdicts(100, inBatches(1, 10, looked));
    expect((counts['slower'] ?? 0) + (counts['faster'] ?? 0)).toBeLessThanOrEqual(2);
    expect(counts['equal']).toBeGreaterThanOrEqual(95);
    // Most comparisons end before the last look.
    expect(looked.filter((pairs) => pairs < 2000).length).toBeGreaterThanOrEqual(70);
  });

  it('is wrong in at most 5 % of the runs if the difference is exactly at the threshold', () => {
    const { slower = 0, equal = 0 } = countVerdicts(100, inBatches(1.1, 50));
    expect(slower + equal).toBeLessThanOrEqual(5);
  });

  it('finds a difference of 20 % in 9 of 10 runs, and one of 50 % within 256 pairs', () => {
    expect(countVerdicts(50, inBatches(1.2, 50))['slower']).toBeGreaterThanOrEqual(45);
    const looked: number[] = [];
    expect(countVerdicts(50, inBatches(1.5, 50, looked))['slower']).toBe(50);
    expect(looked.filter((pairs) => pairs <= 256).length).toBeGreaterThanOrEqual(45);
  });

  it('gives the same result for all sizes of batches', () => {
    const pairs = measurePairs(noisyMachine(seededRandom(5), BUSY), 2000, { a: 5, b: 6 });
    const whole = new SequentialComparison();
    const single = new SequentialComparison();
    for (const pair of pairs) single.add([pair]);
    expect(whole.add(pairs)).toEqual(single.state);
    expect(single.state).toMatchObject({ kind: 'over', comparison: { verdict: 'slower' } });
  });

  it('reports how many pairs the next look needs, and ends undecided at the largest number of pairs', () => {
    const comparison = new SequentialComparison({ firstLook: 8, maxPairs: 12 });
    expect(comparison.state).toEqual({ kind: 'open', pairsToNextLook: 8 });
    const wide = Array.from({ length: 8 }, (_, i) => ({ a: 1, b: i % 2 === 0 ? 2 : 0.5 }));
    expect(comparison.add(wide)).toEqual({ kind: 'open', pairsToNextLook: 4 });
    expect(comparison.add(wide)).toMatchObject({ kind: 'over', comparison: { verdict: 'undecided', pairs: 12 } });
  });
});
