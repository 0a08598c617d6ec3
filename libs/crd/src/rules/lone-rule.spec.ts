import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { EngineChoice, Linker } from '#cel';
import { readJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { compileDefinition } from '../definition/compile-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import { loneRules } from './lone-rule.ts';

const json = (value: unknown): JsonValue => {
  const read = readJson(JSON.stringify(value));
  if (!read.ok) throw new Error(read.error);
  return read.value;
};
const LIMITS = { costLimit: 1_000_000, token: undefined };

function compiledOf(spec: object, engine: EngineChoice = 'interpreted') {
  const outcome = compileDefinition(widgetDefinition(spec), { minor: LATEST_MINOR, engine });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

function rulesOf(spec: object, engine?: EngineChoice) {
  const served = compiledOf(spec, engine).serve('v1');
  if (served?.ok !== true) throw new Error('not served');
  return loneRules(served.version);
}

const SPEC = {
  type: 'object',
  properties: {
    list: {
      type: 'array',
      maxItems: 3,
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-validations': [{ rule: 'self.all(x, x < 10)' }],
      items: { type: 'integer', minimum: 1, 'x-kubernetes-validations': [{ rule: 'self != 7' }] },
    },
    name: {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf' }, { rule: 'oldSelf.hasValue() || self == "first"', optionalOldSelf: true }],
    },
  },
};

describe('a single rule, evaluated outside of an object', () => {
  const definition = compiledOf(SPEC);
  const [list, item, frozen, late] = rulesOf(SPEC);

  it('has the same path as in the costs of a definition', () => {
    expect([list?.path, item?.path, late?.path]).toEqual([
      'properties[spec].properties[list].x-kubernetes-validations[0]',
      'properties[spec].properties[list].items.x-kubernetes-validations[0]',
      'properties[spec].properties[name].x-kubernetes-validations[1]',
    ]);
  });

  it('has the same cost as in an object, without the rules on inner values', () => {
    const body = widget({ list: [1, 7] });
    const verdict = validateObject(definition, { operation: 'CREATE', body, fieldValidation: 'Warn' }, { explain: true });
    const costs = 'cancelled' in verdict ? undefined : verdict.cost.rules?.map(({ path, cost }) => [path, cost]);
    const lone = [list?.evaluate(json([1, 7]), undefined, LIMITS), ...[1, 7].map((value) => item?.evaluate(value, undefined, LIMITS))];
    expect(lone.map((one) => one?.value)).toEqual([true, true, false]);
    expect(costs).toEqual(['spec.list', 'spec.list[0]', 'spec.list[1]'].map((path, i) => [path, lone[i]?.cost]));
  });

  it('comes with the errors of keywords and list types of its value', () => {
    const texts = (value: unknown): unknown => {
      const refusals = list?.refusals(json(value));
      return refusals === 'stopped' ? refusals : refusals?.map(({ type }) => type);
    };
    expect([texts([1, 2]), texts([1, 1]), texts([0, 1, 2, 3])]).toEqual([
      [],
      ['FieldValueDuplicate'],
      ['FieldValueInvalid', 'FieldValueTooMany'],
    ]);
  });

  it('reads the old value, and is skipped if it needs an old value and none is given', () => {
    expect(frozen?.evaluate('a', undefined, LIMITS)).toBeUndefined();
    expect(frozen?.evaluate('a', 'b', LIMITS)).toMatchObject({ value: false });
    expect(late?.evaluate('a', undefined, LIMITS)).toMatchObject({ value: false });
    expect(late?.evaluate('a', 'b', LIMITS)).toMatchObject({ value: true });
  });

  it('gives the same result after its code is generated again', () => {
    const [compiled] = rulesOf(SPEC, {
      kind: 'compiled',
      link: (parameter, body) => compileFunction(body, [parameter]) as ReturnType<Linker>,
    });
    const rebuilt = compiled?.rebuilt();
    expect(rebuilt?.evaluate(json([1, 7, 12]), undefined, LIMITS)).toEqual(compiled?.evaluate(json([1, 7, 12]), undefined, LIMITS));
    expect(rebuilt?.rule.program?.codeFor?.('value')?.rule).toBeTypeOf('function');
    expect(rebuilt?.rule.program?.codeFor?.('value')?.rule).not.toBe(compiled?.rule.program?.codeFor?.('value')?.rule);
    // A rule without generated code keeps its program.
    expect(list?.rebuilt().rule.program).toBe(list?.rule.program);
  });
});
