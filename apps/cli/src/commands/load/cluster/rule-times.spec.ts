import { describe, expect, it } from 'vitest';
import { medianTime } from './median-time.ts';
import { familiesOff, ruleTimes } from './rule-times.ts';
import type { TimedWrite } from './rule-times.ts';

const FAMILY = 'comprehensions over lists';
const write = (predictedMs: number, medianMs: number, bytes = 200): TimedWrite => ({
  bytes,
  predicted: { kind: 'predicted', ms: predictedMs, family: FAMILY },
  latencies: { median: { ms: medianMs } },
});
const offOf = (...writes: readonly TimedWrite[]) => familiesOff(ruleTimes(writes));

describe('the times of rules', () => {
  it('are measured from the shortest write, because every write takes time beside its rules', () => {
    const times = ruleTimes([write(1, 4), write(10, 16)]);
    expect(times.map(({ measuredMs, predictedMs, counts }) => [measuredMs, predictedMs, counts])).toEqual([
      [0, 1, false],
      [12, 10, true],
    ]);
  });

  it('are left out without a prediction, and without a median', () => {
    const notPredicted: TimedWrite = { ...write(1, 30), predicted: { kind: 'notPredicted', reason: 'none' } };
    expect(ruleTimes([write(1, 4), notPredicted, { ...write(9, 9), latencies: {} }])).toHaveLength(1);
  });

  it('name the families that are off by more than a factor of 2', () => {
    expect(offOf(write(1, 1), write(10, 31))).toEqual([{ family: FAMILY, ratio: 3, writes: 1 }]);
    expect(offOf(write(1, 1), write(10, 4))).toEqual([{ family: FAMILY, ratio: 0.3, writes: 1 }]);
    expect(offOf(write(1, 1), write(10, 20.9))).toEqual([]);
    expect(offOf(write(1, 1), write(10, 6.1))).toEqual([]);
  });

  it('do not count if they are short, or if the object is so large that reading it takes long', () => {
    expect(offOf(write(0.1, 1), write(0.1, 5.9))).toEqual([]);
    expect(offOf(write(0.1, 1), write(0.1, 6.1))).toHaveLength(1);
    expect(offOf(write(0.1, 1), write(0.1, 60, 70_000))).toEqual([]);
  });
});

describe('a median of times', () => {
  it('needs five times, and six for its interval', () => {
    expect(medianTime([1, 2, 3, 4])).toBeUndefined();
    expect(medianTime([5, 1, 2, 3, 4])).toEqual({ ms: 3 });
    expect(medianTime([6, 5, 1, 2, 3, 4])).toEqual({ ms: 3, lo: 1, hi: 6 });
  });
});
