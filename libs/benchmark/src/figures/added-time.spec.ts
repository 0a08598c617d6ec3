import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { addedTime, biasShare } from './added-time.ts';
import { countVerdicts, BUSY, measurePairs, noisyMachine, QUIET } from './testing/noisy-machine.ts';

const once =
  (added: number, { pairs = 60, ms = 40, noise = BUSY } = {}) =>
  (random: () => number): string =>
    addedTime(measurePairs(noisyMachine(random, noise), pairs, { a: ms, b: ms + added })).verdict;

describe('the time that a rule adds to a request', () => {
  it.each([
    [12, 40],
    [60, 40],
    [600, 8],
    [60, 500],
  ])('is not reported for two equal definitions: %d pairs of %d ms', (pairs, ms) => {
    expect(countVerdicts(400, once(0, { pairs, ms }))['adds'] ?? 0).toBe(0);
    expect(countVerdicts(400, once(0, { pairs, ms, noise: QUIET }))['adds'] ?? 0).toBe(0);
  });

  it('is found on a busy machine with 60 pairs of requests, if the rule adds half of the request time', () => {
    expect(countVerdicts(100, once(20))['adds']).toBeGreaterThanOrEqual(95);
  });

  it('is found on a quiet machine with 120 pairs of requests, if the rule adds a tenth of the request time', () => {
    expect(countVerdicts(100, once(4, { pairs: 120, noise: QUIET }))['adds']).toBeGreaterThanOrEqual(98);
  });

  it('is reported as undecided if the rule saves time', () => {
    const { adds = 0, undecided = 0 } = countVerdicts(100, once(-20));
    expect([adds, undecided]).toEqual([0, 100]);
  });

  it('is reported as "no difference" for equal definitions on a quiet machine with 2,000 pairs', () => {
    expect(countVerdicts(100, once(0, { pairs: 2000, noise: QUIET }))['noDifference']).toBeGreaterThanOrEqual(95);
  });

  it('is undecided if requests take less than 5 ms, or if there are few pairs', () => {
    expect(addedTime(measurePairs((ms) => ms, 50, { a: 1, b: 4.9 }))).toMatchObject({ verdict: 'undecided', why: 'short' });
    expect(addedTime(measurePairs((ms) => ms, 50, { a: 1, b: 5.1 }))).toMatchObject({ verdict: 'adds' });
    expect(addedTime(measurePairs((ms) => ms, 5, { a: 10, b: 20 }))).toEqual({ verdict: 'undecided', why: 'tooFew' });
    expect(addedTime(measurePairs((ms) => ms, 10, { a: 10, b: 20 }))).toMatchObject({
      verdict: 'undecided',
      why: 'tooFew',
      p50: { ms: 10 },
    });
  });

  it('has a confidence interval that contains the true difference, at p50 and at p99', () => {
    let [median, tail] = [0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(seed);
      // Uniform noise of 10 ms makes the 99th percentiles 49.9 ms and 59.9 ms.
      const { p50, p99 } = addedTime(measurePairs((ms) => ms + 10 * random(), 500, { a: 40, b: 50 }));
      if (p50 && p50.lo <= 10 && p50.hi >= 10) median += 1;
      if (p99 && p99.lo <= 10 && p99.hi >= 10) tail += 1;
    }
    expect(median).toBeGreaterThanOrEqual(184);
    expect(tail).toBeGreaterThanOrEqual(184);
  });

  it('has no p99 value for fewer than 437 pairs', () => {
    const pairs = measurePairs((ms) => ms, 437, { a: 10, b: 20 });
    expect(addedTime(pairs).p99).toEqual({ ms: 10, lo: 10, hi: 10 });
    expect(addedTime(pairs.slice(1)).p99).toBeUndefined();
  });

  it('is reported only if it exceeds the measured difference between two equal definitions', () => {
    const same = (count: number, a: number, b: number) => Array.from({ length: count }, () => ({ a, b }));
    expect(biasShare(same(20, 100, 130))).toBeCloseTo(0.3);
    expect(biasShare(same(20, 100, 70))).toBeCloseTo(0.3);
    expect(biasShare([...same(10, 100, 130), ...same(10, 100, 70)])).toBe(0);
    expect(biasShare(same(5, 100, 100))).toBe(1);
    expect(addedTime(same(20, 100, 120)).verdict).toBe('adds');
    expect(addedTime(same(20, 100, 120), 0.3)).toMatchObject({ verdict: 'undecided', why: 'noise' });
    expect(addedTime(same(20, 100, 140), 0.3).verdict).toBe('adds');
  });

  it('is not reported as "no difference" if the interval permits a difference, however large the bias is', () => {
    const pairs = Array.from({ length: 12 }, (_, i) => ({ a: 1000, b: 1075 + 300 * i }));
    expect(addedTime(pairs, 2.7)).toMatchObject({ verdict: 'undecided', why: 'noise' });
  });
});
