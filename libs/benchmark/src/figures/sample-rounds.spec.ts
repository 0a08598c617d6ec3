import { describe, expect, it } from 'vitest';
import { clockStep, sampleRounds } from './sample-rounds.ts';
import { median } from './quantiles.ts';

/** Simulated clock that advances with work and by a little with each reading. Its readings are rounded down to whole steps. */
class SteppedClock {
  readonly #step: number;
  #time = 0;

  /** @param step Step of the clock in ms. */
  constructor(step: number) {
    this.#step = step;
  }

  readonly now = (): number => {
    this.#time += 1e-4;
    return this.#step * Math.floor(this.#time / this.#step);
  };

  readonly spend = (ms: number): void => {
    this.#time += ms;
  };
}

describe('sampling of short work', () => {
  it.each([0.1, 1])('gives medians within 7 % of the true times, with a clock step of %f ms', (step) => {
    const clock = new SteppedClock(step);
    const works = [0.003, 0.03, 0.7].map((ms) => () => clock.spend(ms));
    const sampled = sampleRounds(works, { now: clock.now, ms: 20_000 * step });
    for (const [i, ms] of [0.003, 0.03, 0.7].entries()) {
      const found = median(sampled[i] ?? []) ?? 0;
      expect(found / ms, `${found} for ${ms}`).toBeGreaterThan(0.93);
      expect(found / ms, `${found} for ${ms}`).toBeLessThan(1.07);
    }
  });

  it('measures the step of the clock', () => {
    expect(clockStep(new SteppedClock(0.1).now)).toBeCloseTo(0.1);
    expect(clockStep(() => 5)).toBe(0);
    expect(clockStep(() => performance.now())).toBeLessThan(0.05);
  });
});
