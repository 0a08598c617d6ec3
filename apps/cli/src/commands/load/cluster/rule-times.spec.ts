import { describe, expect, it } from 'vitest';
import { seededRandom } from '#benchmark';
import { growthOf, medianTime, familiesOff, ruleTimes } from './rule-times.ts';
import type { LadderGrowth, MeasuredWrite, TimedWrite } from './rule-times.ts';

const RULE = {
  definition: 'widgets.example.com',
  version: 'v1',
  path: 'properties[a].x-kubernetes-validations[0]',
  rule: 'self.all(s, s >= 0)',
};
const SIZES = [10, 20, 40, 80, 160];

interface LadderForm {
  readonly sizes?: readonly number[];
  readonly rounds?: number;
  readonly isAccepted?: boolean;
  /** Returns the time in ms of a write of a size. `random` is a number from 0 up to 1. */
  readonly msOf: (size: number, random: number) => number;
}

/** Returns the writes of a ladder, whose cost and predicted time grow with the size and with its square. */
function ladder({ sizes = SIZES, rounds = 20, isAccepted = true, msOf }: LadderForm): MeasuredWrite[] {
  const random = seededRandom(7);
  return sizes.map((size) => ({
    write: {
      priced: { isAccepted, cost: 5 * size, serverTime: { kind: 'predicted', ms: size ** 2 / 1000, family: 'comprehensions over lists' } },
      rung: { rule: RULE, size },
    },
    samples: Array.from({ length: rounds }, () => msOf(size, random())),
  }));
}
const onlyGrowth = (measured: readonly MeasuredWrite[]): LadderGrowth | undefined => {
  const found = growthOf(measured);
  expect(found).toHaveLength(1);
  return found[0];
};

describe("the growth of a rule's time over the sizes of an object", () => {
  it('is undecided if the server is fast, even if the times grow', () => {
    expect(onlyGrowth(ladder({ msOf: (size) => 1 + size / 50 }))).toEqual({
      ...RULE,
      verdict: 'undecided',
      reason: 'the server takes under 5 ms',
    });
  });

  it('has the exponents of the time, of the cost and of the prediction', () => {
    const growth = onlyGrowth(ladder({ msOf: (size, random) => 3 + size * (1 + random / 50) }));
    expect(growth).toMatchObject({ ...RULE, verdict: 'grows' });
    if (growth?.verdict !== 'grows') return;
    const { exponent, costExponent, predictedExponent } = growth;
    expect(exponent.value).toBeCloseTo(1, 1);
    expect(exponent.lo).toBeLessThanOrEqual(1);
    expect(exponent.hi).toBeGreaterThanOrEqual(1);
    expect(costExponent).toBeCloseTo(1, 3);
    expect(predictedExponent).toBeCloseTo(2, 3);
  });

  it('is decided with the complete rounds, even if the last round lacks its largest sizes', () => {
    const whole = ladder({ msOf: (size) => 3 + size });
    const cut = whole.map(({ write, samples }, i) => ({ write, samples: i < 2 ? [...samples, 1] : samples }));
    expect(onlyGrowth(cut)).toEqual(onlyGrowth(whole));
  });

  it.each<[why: string, LadderForm]>([
    ['the time does not grow clearly with the size', { msOf: (_, random) => 20 + random }],
    ['the object has fewer than 3 sizes', { sizes: [10, 20], msOf: (size) => size }],
    ['the object has fewer than 3 sizes', { isAccepted: false, msOf: (size) => size }],
    ['fewer than 3 sizes were answered 5 times', { rounds: 4, msOf: (size) => size }],
  ])('is undecided because %s', (reason, form) => {
    expect(onlyGrowth(ladder(form))).toEqual({ ...RULE, verdict: 'undecided', reason });
  });

  it('is undecided because the noise is too large', () => {
    const growth = onlyGrowth(ladder({ rounds: 8, msOf: (size, random) => (3 + size) * (1 + 2 * random) }));
    expect(growth).toMatchObject({ verdict: 'undecided', reason: expect.stringMatching(/^the noise is too large: the interval is/) });
  });

  it('is reported for each rule in the order of the writes, and not for objects that the user gives', () => {
    const other = { ...RULE, path: 'other' };
    const second = ladder({ msOf: (size) => size }).map(({ write, samples }) => ({
      write: { ...write, rung: { rule: other, size: write.rung?.size ?? 0 } },
      samples,
    }));
    const given = {
      write: { priced: { isAccepted: true, cost: 1, serverTime: { kind: 'notPredicted', reason: 'none' } } },
      samples: [9],
    } as const;
    const found = growthOf([given, ...ladder({ msOf: (size) => 1 + size / 50 }), ...second]);
    expect(found.map(({ path, verdict }) => [path, verdict])).toEqual([
      [RULE.path, 'undecided'],
      ['other', 'grows'],
    ]);
  });
});

const FAMILY = 'comprehensions over lists';
const write = (predictedMs: number, medianMs: number, bytes = 200): TimedWrite => ({
  bytes,
  predicted: { kind: 'predicted', ms: predictedMs, family: FAMILY },
  latencies: { median: { ms: medianMs } },
});
const offOf = (...writes: readonly TimedWrite[]) => familiesOff(ruleTimes(writes));

describe('the time of a rule', () => {
  it("is its write's time minus the time of the shortest write, because every write takes time besides its rules", () => {
    const times = ruleTimes([write(1, 4), write(10, 16)]);
    expect(times.map(({ measuredMs, predictedMs, counts }) => [measuredMs, predictedMs, counts])).toEqual([
      [0, 1, false],
      [12, 10, true],
    ]);
  });

  it('is missing for a write that has no predicted time or no median time', () => {
    const notPredicted: TimedWrite = { ...write(1, 30), predicted: { kind: 'notPredicted', reason: 'none' } };
    expect(ruleTimes([write(1, 4), notPredicted, { ...write(9, 9), latencies: {} }])).toHaveLength(1);
  });

  it('is reported by rule family if it differs from the prediction by more than a factor of 2', () => {
    expect(offOf(write(1, 1), write(10, 31))).toEqual([{ family: FAMILY, ratio: 3, writes: 1 }]);
    expect(offOf(write(1, 1), write(10, 4))).toEqual([{ family: FAMILY, ratio: 0.3, writes: 1 }]);
    expect(offOf(write(1, 1), write(10, 20.9))).toEqual([]);
    expect(offOf(write(1, 1), write(10, 6.1))).toEqual([]);
  });

  it('is not compared with the prediction if it is short, or if the object is larger than 64 KiB', () => {
    expect(offOf(write(0.1, 1), write(0.1, 5.9))).toEqual([]);
    expect(offOf(write(0.1, 1), write(0.1, 6.1))).toHaveLength(1);
    expect(offOf(write(0.1, 1), write(0.1, 60, 70_000))).toEqual([]);
  });
});

describe('a median of times', () => {
  it('needs five times, and six for its confidence interval', () => {
    expect(medianTime([1, 2, 3, 4])).toBeUndefined();
    expect(medianTime([5, 1, 2, 3, 4])).toEqual({ ms: 3 });
    expect(medianTime([6, 5, 1, 2, 3, 4])).toEqual({ ms: 3, lo: 1, hi: 6 });
  });
});
