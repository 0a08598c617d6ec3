import type { Verdict } from '#documents';
import { expect, it } from 'vitest';
import { countPolicyImpact, emptyPolicyImpact, policyImpact } from './policy-effect.ts';

const verdict = (outcome: Verdict['outcome'], more: Partial<Verdict> = {}): Verdict => ({ index: 0, outcome, warnings: [], ...more });
const denied = verdict('rejected', {
  status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'no', reason: 'Invalid', code: 422 },
});
const accepted = verdict('accepted', { object: { a: 1 }, warnings: ['old'] });

it.each([
  ['denied', accepted, denied, ['no']],
  ['deniedBefore', denied, denied, ['no']],
  ['allowed', denied, accepted, []],
  ['warned', accepted, { ...accepted, warnings: ['old', 'new'] }, ['new']],
  ['storedDifferently', accepted, { ...accepted, object: { a: 2 } }, []],
  ['unaffected', accepted, accepted, []],
  ['notJudged', accepted, verdict('notEvaluated'), []],
  ['notJudged', undefined, accepted, []],
])('the effect of changed policies on a write is %s', (effect, before, after, messages) => {
  expect(policyImpact(before, after)).toEqual({ index: 0, effect, messages, cost: {} });
});

it('the costs of rules and policies are added up, without those of stopped evaluations', () => {
  const priced = (cel: number, admission: number): Verdict => ({ ...accepted, cost: { cel }, admission: { cost: admission } });
  const sum = emptyPolicyImpact();
  countPolicyImpact(sum, policyImpact(priced(1, 20), priced(1, 300)));
  countPolicyImpact(sum, policyImpact(priced(-1, 20), denied));
  expect(sum).toMatchObject({ objects: 2, costBefore: 21, costAfter: 301, effects: { unaffected: 1, denied: 1, allowed: 0 } });
});
