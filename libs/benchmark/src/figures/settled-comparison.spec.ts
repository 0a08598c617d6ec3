import { describe, expect, it } from 'vitest';
import type { TimedPair } from './compare-pairs.ts';
import { settledComparison } from './settled-comparison.ts';

const MS = 1000;

/**
 * Simulates rounds of pairs on a machine and returns their settled comparison. `ratioOf` returns the ratio b ÷ a at a time in ms. Each
 * round has two pairs and takes 1 ms.
 */
function machine(ratioOf: (ms: number) => number) {
  let at = 0;
  function* rounds(): Generator<readonly TimedPair[]> {
    for (; at < MS; at++) {
      const pair = { a: 1, b: ratioOf(at) };
      yield [pair, pair];
    }
  }
  return settledComparison(rounds(), MS, () => at);
}

describe('a comparison that has settled', () => {
  it('is not that of the first rounds, in which one of both was not optimized yet', () => {
    expect(machine((ms) => (ms < 300 ? 6 : 1))).toMatchObject({ ratio: 1, verdict: 'equal' });
    expect(machine((ms) => (ms < 300 ? 6 : 1.25))).toMatchObject({ ratio: 1.25, verdict: 'slower' });
    expect(machine((ms) => (ms < 450 ? 6 : 0.5))).toMatchObject({ ratio: 0.5, verdict: 'faster' });
  });

  it('ends when two in a row agree, in a part of the time', () => {
    let lastMs = 0;
    const reported = machine((ms) => ((lastMs = ms), 1.25));
    expect(reported).toMatchObject({ verdict: 'slower', pairs: 32 });
    expect(lastMs).toBeLessThan(0.6 * MS);
  });

  it('is what is known if the time is over before', () => {
    expect(machine((ms) => (ms > 10 ? Number.NaN : 1))).toMatchObject({ verdict: 'equal', pairs: 22 });
    expect(settledComparison([], MS, () => 0)).toEqual({ kind: 'tooFew', pairs: 0 });
  });
});
