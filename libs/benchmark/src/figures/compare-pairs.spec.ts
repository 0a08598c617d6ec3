import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { compareCosts, comparePairs } from './compare-pairs.ts';
import { countVerdicts } from './testing/count-verdicts.ts';
import { BUSY, measurePairs, noisyMachine, QUIET } from './testing/noisy-machine.ts';

const once =
  (ratio: number, { pairs = 2000, ms = 5, noise = BUSY } = {}) =>
  (random: () => number): string => {
    const reported = comparePairs(measurePairs(noisyMachine(random, noise), pairs, { a: ms, b: ms * ratio }));
    return reported.kind === 'compared' ? reported.verdict : reported.kind;
  };

describe('two revisions in interleaved pairs', () => {
  it('are found equal in 19 of 20 runs on a busy machine if they do not differ', () => {
    expect(countVerdicts(100, once(1))['equal']).toBeGreaterThanOrEqual(95);
  });

  it.each([1, 20])('are found equal if they do not differ, with samples of %d ms', (ms) => {
    expect(countVerdicts(40, once(1, { ms }))['equal']).toBeGreaterThanOrEqual(38);
  });

  it('are found different in 9 of 10 runs on a busy machine if one takes 20 % more', () => {
    expect(countVerdicts(60, once(1.2))['slower']).toBeGreaterThanOrEqual(54);
    expect(countVerdicts(60, once(1 / 1.2))['faster']).toBeGreaterThanOrEqual(54);
  });

  it('are found different with fewer pairs on a quiet machine', () => {
    expect(countVerdicts(100, once(1.2, { pairs: 40, noise: QUIET }))['slower']).toBeGreaterThanOrEqual(95);
    expect(countVerdicts(100, once(1, { pairs: 40, noise: QUIET }))['equal']).toBeGreaterThanOrEqual(95);
  });

  it('are undecided with few pairs', () => {
    const counts = countVerdicts(200, once(1, { pairs: 20 }));
    expect(counts['undecided']).toBeGreaterThanOrEqual(190);
    expect(comparePairs(Array.from({ length: 5 }, () => ({ a: 1, b: 9 })))).toEqual({ kind: 'tooFew', ratio: 9, pairs: 5 });
  });

  it('are judged wrongly in at most about 5 % of the runs if the difference is exactly at the threshold', () => {
    const { slower = 0, equal = 0 } = countVerdicts(400, once(1.1, { pairs: 400 }));
    expect(slower + equal).toBeLessThanOrEqual(22);
  });

  it('have an interval that contains the true ratio', () => {
    let held = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const reported = comparePairs(measurePairs(noisyMachine(seededRandom(seed), BUSY), 300, { a: 5, b: 5.5 }));
      // The loss of time slices is proportional to the time, so it keeps the ratio.
      if (reported.kind === 'compared' && reported.lo <= 1.1 && reported.hi >= 1.1) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(188);
  });

  it('do not count if a clock returned 0', () => {
    const pairs = [{ a: 0, b: 1 }, { a: 1, b: 0 }, ...Array.from({ length: 10 }, () => ({ a: 2, b: 3 }))];
    expect(comparePairs(pairs)).toEqual({ kind: 'compared', ratio: 1.5, lo: 1.5, hi: 1.5, verdict: 'slower', pairs: 10 });
  });
});

describe('two exact costs', () => {
  it('differ if they are not equal', () => {
    expect(compareCosts(100, 120)).toEqual({ ratio: 1.2, verdict: 'dearer' });
    expect(compareCosts(1_000_000, 999_999)).toEqual({ ratio: 0.999999, verdict: 'cheaper' });
    expect(compareCosts(7, 7)).toEqual({ ratio: 1, verdict: 'equal' });
  });

  it('may be compared with a threshold', () => {
    expect([109, 110, 120].map((b) => compareCosts(100, b, 0.1).verdict)).toEqual(['equal', 'dearer', 'dearer']);
    expect([95, 90, 80].map((b) => compareCosts(100, b, 0.1).verdict)).toEqual(['equal', 'cheaper', 'cheaper']);
  });

  it('have no ratio to zero', () => {
    expect(compareCosts(0, 5)).toEqual({ ratio: undefined, verdict: 'dearer' });
    expect(compareCosts(0, 0)).toEqual({ ratio: 1, verdict: 'equal' });
  });
});
