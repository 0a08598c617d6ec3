import { describe, expect, it } from 'vitest';
import { CancellationFlag } from '#go';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { compareBuilds, compareCosts, comparePairs } from './compare-pairs.ts';
import { countVerdicts, BUSY, measurePairs, noisyMachine, QUIET } from './testing/noisy-machine.ts';

const once =
  (ratio: number, { pairs = 2000, ms = 5, noise = BUSY } = {}) =>
  (random: () => number): string => {
    const reported = comparePairs(measurePairs(noisyMachine(random, noise), pairs, { a: ms, b: ms * ratio }));
    return reported.kind === 'compared' ? reported.verdict : reported.kind;
  };

describe('two revisions measured in interleaved pairs', () => {
  it('are found equal in 19 of 20 runs on a busy machine if they do not differ', () => {
    expect(countVerdicts(100, once(1))['equal']).toBeGreaterThanOrEqual(95);
  });

  it.each([1, 20])('are found equal if they do not differ, with samples of %d ms', (ms) => {
    expect(countVerdicts(40, once(1, { ms }))['equal']).toBeGreaterThanOrEqual(38);
  });

  it('are found different in 9 of 10 runs on a busy machine if one revision takes 20 % longer', () => {
    expect(countVerdicts(60, once(1.2))['slower']).toBeGreaterThanOrEqual(54);
    expect(countVerdicts(60, once(1 / 1.2))['faster']).toBeGreaterThanOrEqual(54);
  });

  it('are compared correctly with only 40 pairs on a quiet machine', () => {
    expect(countVerdicts(100, once(1.2, { pairs: 40, noise: QUIET }))['slower']).toBeGreaterThanOrEqual(95);
    expect(countVerdicts(100, once(1, { pairs: 40, noise: QUIET }))['equal']).toBeGreaterThanOrEqual(95);
  });

  it('are undecided with 20 pairs, and not compared with 5 pairs', () => {
    const counts = countVerdicts(200, once(1, { pairs: 20 }));
    expect(counts['undecided']).toBeGreaterThanOrEqual(190);
    expect(comparePairs(Array.from({ length: 5 }, () => ({ a: 1, b: 9 })))).toEqual({ kind: 'tooFew', ratio: 9, pairs: 5 });
  });

  it('are judged wrongly in at most about 5 % of the runs if the difference is exactly at the threshold', () => {
    const { slower = 0, equal = 0 } = countVerdicts(400, once(1.1, { pairs: 400 }));
    expect(slower + equal).toBeLessThanOrEqual(22);
  });

  it('have a confidence interval that contains the true ratio of their times', () => {
    let held = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const reported = comparePairs(measurePairs(noisyMachine(seededRandom(seed), BUSY), 300, { a: 5, b: 5.5 }));
      // A busy machine takes time slices in proportion to the time of the work, so the ratio stays the same.
      if (reported.kind === 'compared' && reported.lo <= 1.1 && reported.hi >= 1.1) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(188);
  });

  it('are compared without the pairs in which the clock returned 0', () => {
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

  it('count as equal if they differ by less than a given threshold', () => {
    expect([109, 110, 120].map((b) => compareCosts(100, b, 0.1).verdict)).toEqual(['equal', 'dearer', 'dearer']);
    expect([95, 90, 80].map((b) => compareCosts(100, b, 0.1).verdict)).toEqual(['equal', 'cheaper', 'cheaper']);
  });

  it('have no ratio if only the first cost is 0', () => {
    expect(compareCosts(0, 5)).toEqual({ ratio: undefined, verdict: 'dearer' });
    expect(compareCosts(0, 0)).toEqual({ ratio: 1, verdict: 'equal' });
  });
});

/** Time limit of a comparison in ms, and time in ms of one run of revision `a` in a typical build. */
const [MS, RUN_MS] = [1500, 0.1];

/** A simulated JavaScript engine. It optimizes some builds of a function worse than others. */
interface Optimizer {
  /**
   * Returns the factor by which a build's function is slower. `place`: 0 for the function that the build runs first, 1 for the other
   * function.
   */
  readonly factorOf: (place: number) => number;
  /** Number of runs after which a function is optimized. Earlier runs take six times as long. Default: 0. */
  readonly after?: number;
}

/** Compares revisions whose run times have the given ratio b ÷ a, by a simulated clock. Returns the comparison and its time in ms. */
function compared(ratio: number, { factorOf, after = 0 }: Optimizer, token?: CancellationFlag) {
  let time = 0;
  const build = () => {
    let begun = 0;
    const work = (ms: number) => {
      let factor: number | undefined;
      let runs = 0;
      return () => {
        factor ??= factorOf(begun++);
        time += ms * factor * (runs++ < after ? 6 : 1);
      };
    };
    return { a: work(RUN_MS), b: work(RUN_MS * ratio) };
  };
  // Each reading advances the clock a little, so that the clock has a step.
  const comparison = compareBuilds(build, { now: () => (time += 1e-6), ms: MS, token });
  return { comparison, time };
}

const verdictOf = (ratio: number, optimizer: Optimizer): string => {
  const { comparison } = compared(ratio, optimizer);
  return comparison.kind === 'compared' ? comparison.verdict : comparison.kind;
};

describe('a comparison of builds', () => {
  it('finds no difference if some builds are optimized worse at random', () => {
    const counts = countVerdicts(200, (random) => verdictOf(1, { factorOf: () => (random() < 0.4 ? 1.3 : 1) }));
    expect((counts['slower'] ?? 0) + (counts['faster'] ?? 0)).toBeLessThanOrEqual(10);
  });

  it('finds no difference if the function that runs first is always optimized better', () => {
    expect(verdictOf(1, { factorOf: (place) => (place === 0 ? 1 : 1.3) })).toBe('undecided');
  });

  it('finds a revision that is slower or faster', () => {
    const counts = countVerdicts(100, (random) => verdictOf(1.5, { factorOf: () => (random() < 0.2 ? 1.3 : 1) }));
    expect(counts['slower']).toBeGreaterThanOrEqual(90);
    expect(compared(1.25, { factorOf: () => 1 }).comparison).toMatchObject({ verdict: 'slower', pairs: 15 });
    expect(compared(0.5, { factorOf: () => 1 }).comparison).toMatchObject({ verdict: 'faster', pairs: 15 });
    expect(compared(1, { factorOf: () => 1 }).comparison).toMatchObject({ ratio: 1, verdict: 'equal' });
  });

  it('omits the runs before the engine optimizes a function', () => {
    const { comparison } = compared(1.25, { factorOf: () => 1, after: 100 });
    expect(comparison).toMatchObject({ verdict: 'slower' });
    expect(comparison.ratio).toBeCloseTo(1.25);
  });

  it('measures a build again until the engine optimizes it, and omits a build that the engine never optimizes', () => {
    const counts = countVerdicts(100, (random) => verdictOf(1.25, { factorOf: () => (random() < 0.02 ? 8 : 1), after: 150 * random() }));
    expect(counts['slower']).toBeGreaterThanOrEqual(90);
    expect((counts['equal'] ?? 0) + (counts['faster'] ?? 0)).toBe(0);
  });

  it('ends at its time limit, and reports if the limit was too short', () => {
    expect(compared(1, { factorOf: () => 1 }).time).toBeLessThan(1.1 * MS);
    expect(compared(1, { factorOf: () => 2000 }).comparison.kind).toBe('tooFew');
    const flag = new CancellationFlag();
    flag.cancel();
    expect(compared(1, { factorOf: () => 1 }, flag).comparison).toMatchObject({ kind: 'tooFew', pairs: 0 });
  });
});
