import { describe, expect, it } from 'vitest';
import { countEffect, emptyImpact, worstCauses } from './what-if.ts';
import type { ObjectEffect } from './what-if.ts';

function refused(index: number, effect: ObjectEffect['effect'], message: string): ObjectEffect {
  const cause = { field: 'spec.size', reason: 'FieldValueInvalid', message };
  return { index, name: undefined, effect, causes: [cause], changes: [], cost: { before: 1, after: 2 } };
}

describe('the summary of what a changed definition breaks', () => {
  it('lists causes first that reject even unchanged objects', () => {
    const impact = emptyImpact();
    for (let i = 0; i < 5; i++) countEffect(impact, refused(i, 'savedByRatcheting', 'too small'));
    countEffect(impact, refused(5, 'brokenOnUpdate', 'may not stay'));
    expect(worstCauses(impact).map(({ cause, objects }) => [cause.message, objects])).toEqual([
      ['may not stay', 1],
      ['too small', 5],
    ]);
    expect(impact.costAfter).toBe(12);
  });

  it('is limited in size even if every object has a different message', () => {
    const impact = emptyImpact();
    for (let i = 0; i < 5000; i++) countEffect(impact, refused(i, 'brokenOnUpdate', `value ${i}`));
    const causes = worstCauses(impact);
    expect(causes).toHaveLength(1001);
    expect(causes[0]).toMatchObject({ cause: { field: 'spec.size', message: '(other messages)' }, objects: 4000 });
  });
});
