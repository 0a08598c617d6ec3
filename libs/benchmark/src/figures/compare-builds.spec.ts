import { describe, expect, it } from 'vitest';
import { CancellationFlag } from '#go';
import { compareBuilds } from './compare-builds.ts';
import { countVerdicts } from './testing/count-verdicts.ts';

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

  it('omits the runs before a function is optimized', () => {
    const { comparison } = compared(1.25, { factorOf: () => 1, after: 100 });
    expect(comparison).toMatchObject({ verdict: 'slower' });
    expect(comparison.ratio).toBeCloseTo(1.25);
  });

  it('measures a build again until it is optimized, and omits a build that never is', () => {
    const counts = countVerdicts(100, (random) => verdictOf(1.25, { factorOf: () => (random() < 0.02 ? 8 : 1), after: 150 * random() }));
    expect(counts['slower']).toBeGreaterThanOrEqual(90);
    expect((counts['equal'] ?? 0) + (counts['faster'] ?? 0)).toBe(0);
  });

  it('respects its time limit, and reports if it was too short', () => {
    expect(compared(1, { factorOf: () => 1 }).time).toBeLessThan(1.1 * MS);
    expect(compared(1, { factorOf: () => 2000 }).comparison.kind).toBe('tooFew');
    const flag = new CancellationFlag();
    flag.cancel();
    expect(compared(1, { factorOf: () => 1 }, flag).comparison).toMatchObject({ kind: 'tooFew', pairs: 0 });
  });
});
