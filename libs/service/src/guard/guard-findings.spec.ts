import type { ObjectEffect } from '#documents';
import { expect, it } from 'vitest';
import { GuardFindings } from './guard-findings.ts';

const effect = (name: string, of: Pick<ObjectEffect, 'effect' | 'write'>): ObjectEffect => ({
  index: 0,
  name,
  ...of,
  causes: [{ field: 'status.phase', reason: 'FieldValueRequired', message: 'Required value' }],
  changes: [],
  cost: { before: undefined, after: undefined },
});

it('a finding of the guard names a stored object, and the kind of write that would be refused', () => {
  const findings = new GuardFindings({ breaking: ['brokenOnUpdate', 'breaksOnNextChange'], costShare: 1 });
  findings.count(effect('a', { effect: 'unaffected' }));
  findings.count(effect('b', { effect: 'breaksOnNextChange', write: 'status' }));
  findings.count(effect('c', { effect: 'savedByRatcheting', write: 'create' }));
  expect(findings.sentences).toEqual([
    '1 of 3 stored objects would be refused at their next change, such as b (a change of the status is refused)',
    'most of them for status.phase: Required value',
  ]);
});
