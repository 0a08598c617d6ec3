import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled, writeJson } from '#go';
import type { JsonObject } from '#go';
import { defaultGates, MINORS } from '#kube';
import type { Minor } from '#kube';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import { widgetDefinition } from '../testing/definition-fixture.ts';
import { boundCeilings } from './bound-ceilings.ts';
import type { CeilingQuestion } from './bound-ceilings.ts';

const serverOf = (minor: Minor) => ({ minor, gates: defaultGates(minor) });
const object = (properties: unknown, ...rules: string[]) => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});
const ceilingsOf = (definition: JsonObject, field: string, more: Partial<CeilingQuestion> = {}) =>
  boundCeilings(writeJson(definition), { field, servers: MINORS.map(serverOf), recent: new RecentDefinitions(), ...more });

const text = { type: 'string', maxLength: 10 };
/** Returns a definition with a list of texts that rules compare with each other. */
const compared = (maxItems: number, ...more: string[]): JsonObject =>
  widgetDefinition(
    object({ list: { type: 'array', maxItems, items: text }, other: text }, 'self.list.all(a, self.list.all(b, a == b))', ...more),
  );

describe('boundCeilings', () => {
  it('finds the largest value of a bound that each server accepts', () => {
    const found = ceilingsOf(compared(10), 'spec.list');
    expect(found.map(({ minor }) => minor)).toEqual(MINORS);
    for (const { minor, ceiling, bound, fitsNow } of found) {
      if (ceiling.kind !== 'limited') throw new Error(ceiling.kind);
      expect([bound.keyword, bound.value, fitsNow, ceiling.by.path]).toEqual([
        'maxItems',
        10n,
        true,
        'properties[spec].x-kubernetes-validations[0]',
      ]);
      const accepted = [0, 1].map((more) => judgeDefinition(compared(Number(ceiling.highest) + more), undefined, serverOf(minor)).accepted);
      expect([minor, accepted]).toEqual([minor, [true, false]]);
    }
  });

  it('names no single rule if only the total of all rules is too high', () => {
    const rules = Array.from({ length: 200 }, (_, i) => `self.list.all(a, a != '${i}')`);
    const definition = (maxItems: number): JsonObject =>
      widgetDefinition(object({ list: { type: 'array', maxItems, items: text } }, ...rules));
    const [found] = ceilingsOf(definition(1), 'spec.list', { servers: [serverOf('1.37')] });
    if (found?.ceiling.kind !== 'limited') throw new Error(found?.ceiling.kind);
    expect(found.ceiling.by.path).toBeUndefined();
    const { highest } = found.ceiling;
    const accepted = [0, 1].map((more) => judgeDefinition(definition(Number(highest) + more), undefined, serverOf('1.37')).accepted);
    expect(accepted).toEqual([true, false]);
  });

  it('reports that every value is accepted, that none is, or that the present value is too large', () => {
    const kinds = (definition: JsonObject, field: string) => [
      ...new Set(ceilingsOf(definition, field).map(({ ceiling, fitsNow }) => `${ceiling.kind} ${fitsNow}`)),
    ];
    expect(kinds(compared(10), 'spec.other')).toEqual(['unlimited true']);
    expect(kinds(compared(1_000_000), 'spec.other')).toEqual(['refused false']);
    expect(kinds(compared(1_000_000), 'spec.list')).toEqual(['limited false']);
    expect(kinds(compared(10, '[1, 2, 3].all(a, self.list.all(b, self.list.all(c, b == c)))'), 'spec.list')).toEqual(['limited true']);
  });

  it('considers that older servers ignore the maxLength of an int-or-string', () => {
    const value = { 'x-kubernetes-int-or-string': true, 'x-kubernetes-validations': [{ rule: "string(self).matches('a?b?')" }] };
    const found = ceilingsOf(widgetDefinition(object({ list: { type: 'array', maxItems: 64, items: value } })), 'spec.list[*]', {
      servers: [serverOf('1.33'), serverOf('1.37')],
    });
    expect(found.map(({ ceiling: { kind } }) => kind)).toEqual(['refused', 'limited']);
  });

  it('finds nothing for a missing field or a field without size, and throws when it is cancelled', () => {
    expect(ceilingsOf(compared(10), 'spec.nothing')).toEqual([]);
    expect(ceilingsOf(compared(10), 'spec')).toEqual([]);
    expect(ceilingsOf(compared(10), 'spec.list[*]')).toHaveLength(MINORS.length);
    const token = new CancellationFlag();
    token.cancel();
    expect(() => ceilingsOf(compared(10), 'spec.list', { token })).toThrow(Cancelled);
  });
});
