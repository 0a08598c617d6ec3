import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { InvariantCheck } from './check-invariants.ts';
import type { Ending } from './clients.ts';
import { kindsOf, planFaults } from './plan-faults.ts';
import { digestOf } from './subjects.ts';

const verdict = (index: number, more: object = {}) => ({ index, name: `subject-${index}`, outcome: 'accepted', ...more });
const KNOWN = new Map([0, 1, 2].map((number) => [number, digestOf(verdict(number))]));

function violationsOf(ending: Partial<Ending>, invariants = new InvariantCheck(KNOWN)): readonly string[] {
  invariants.add({
    client: 'batch',
    subjects: [0, 1, 2],
    lines: [0, 1, 2].map((index) => verdict(index)),
    end: 'whole',
    seconds: 1,
    ...ending,
  });
  return invariants.result.violations;
}

describe('the check of responses in a fleet with faults', () => {
  it('finds no error in a complete response, or in a response that a fault cut off', () => {
    expect(violationsOf({})).toEqual([]);
    expect(violationsOf({ end: 'broken', lines: [verdict(0)] })).toEqual([]);
    expect(violationsOf({ end: 'refused', lines: [], code: 503 })).toEqual([]);
  });

  it('finds a response that lacks its end', () => {
    expect(violationsOf({ end: 'hung', lines: [] })[0]).toMatch(/^lost/);
  });

  it('finds a verdict that occurs twice or at another position', () => {
    expect(violationsOf({ lines: [verdict(0), verdict(0), verdict(1)] })[0]).toMatch(/^doubled/);
    expect(violationsOf({ lines: [verdict(1), verdict(0), verdict(2)] })).toHaveLength(2);
  });

  it('finds a verdict that differs from the verdict without faults', () => {
    expect(violationsOf({ lines: [verdict(0), verdict(1, { warnings: ['new'] }), verdict(2)] })[0]).toMatch(/^wrong/);
  });

  it('finds an item without a verdict and without a reason', () => {
    const without = (code: number) => ({ index: 1, outcome: 'notEvaluated', status: { code } });
    expect(violationsOf({ lines: [verdict(0), without(500), verdict(2)] })).toEqual([]);
    expect(violationsOf({ lines: [verdict(0), without(404), verdict(2)] })[0]).toMatch(/^unexplained/);
  });
});

describe('an evaluation that the service reports as lost', () => {
  const why = 'the evaluation was lost: the queue does not have this object any more';
  const items = [verdict(0), { index: 1, outcome: 'notEvaluated', status: { code: 503 } }, verdict(2)];
  const endings: readonly Partial<Ending>[] = [
    { end: 'refused', lines: [], code: 503, why },
    { client: 'background', end: 'refused', lines: [], code: 404, why: 'evaluations "a" not found' },
    { lines: items },
  ];
  it.each(endings)('is an error if no fault made Redis lose data: %o', (ending) => {
    expect(violationsOf(ending)).toEqual([expect.stringMatching(/^lost: .* Redis had lost nothing since it began/)]);
  });

  it.each(endings)('is correct if Redis lost its data after the evaluation began: %o', (ending) => {
    const ended = new InvariantCheck(KNOWN);
    ended.losing()();
    const open = new InvariantCheck(KNOWN);
    open.losing();
    for (const invariants of [ended, open]) expect(violationsOf(ending, invariants)).toEqual([]);
  });

  it('is an error if Redis lost its data only before the evaluation began', async () => {
    const invariants = new InvariantCheck(KNOWN);
    invariants.losing()();
    await setTimeout(20);
    expect(violationsOf({ lines: items, seconds: 0.001 }, invariants)).toHaveLength(1);
  });
});

describe('a plan of faults', () => {
  it.each(['redis', 'sentinel', 'cluster', 'embedded', 'offers'] as const)(
    'of a fleet %s is the same for the same seed, and contains every pair of kinds of faults',
    (fleet) => {
      const kinds = kindsOf(fleet).length;
      const combinations = (kinds * (kinds - 1)) / 2;
      const plan = planFaults(2 * combinations + 1, seededRandom(4), fleet);
      expect(planFaults(2 * combinations + 1, seededRandom(4), fleet)).toEqual(plan);
      const pairs = plan.slice(0, combinations).map(({ faults }) =>
        faults
          .map(({ kind }) => kind.name)
          .toSorted()
          .join(' + '),
      );
      expect(new Set(pairs).size).toBe(combinations);
      expect(plan.at(-1)?.faults).toHaveLength(1);
      for (const { kind, lastsMs } of plan.flatMap(({ faults }) => faults))
        expect(lastsMs >= kind.lasts[0] && lastsMs <= kind.lasts[1]).toBe(true);
    },
  );
});
