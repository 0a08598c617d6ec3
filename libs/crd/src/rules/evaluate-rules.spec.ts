import { describe, expect, it } from 'vitest';
import { CancellationFlag } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { compileDefinition } from '../definition/compile-definition.ts';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectVerdict, ValidationOptions } from '../verdict.ts';

const COUNT = 1000;

const definitionOf = (items: object): CompiledDefinition =>
  compiled({ type: 'object', properties: { list: { type: 'array', maxItems: 10_000, items } } });

function compiled(spec: object): CompiledDefinition {
  const outcome = compileDefinition(widgetDefinition(spec), { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

function judge(definition: CompiledDefinition, list: readonly unknown[], options: ValidationOptions): ObjectVerdict {
  const body = JSON.stringify(widget({ list }));
  return validateObject(definition, { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Strict' }, options);
}

/** Returns the verdict, cost and errors for a list. With the option `explain`, the evaluator checks every element separately. */
function findings(definition: CompiledDefinition, list: readonly unknown[], options: ValidationOptions): unknown {
  const verdict = judge(definition, list, options);
  if ('cancelled' in verdict) return 'cancelled';
  return { accepted: verdict.accepted, cost: verdict.cost.cel, errors: verdict.accepted ? [] : verdict.errors };
}

const RULE = { 'x-kubernetes-validations': [{ rule: 'self >= 0' }] };
const CASES: readonly [name: string, items: object, good: unknown, bad: unknown][] = [
  ['integers', { type: 'integer', ...RULE }, 7, -7],
  ['strings', { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule: "self.startsWith('a')" }] }, 'abc', 'xyz'],
  ['strings with a format', { type: 'string', format: 'date', maxLength: 10, 'x-kubernetes-validations': [{ rule: "self > timestamp('2020-01-01T00:00:00Z')" }] }, '2024-01-01', '2019-01-01'], // oxfmt-ignore
  ['numbers', { type: 'number', 'x-kubernetes-validations': [{ rule: 'self >= 0.0' }] }, 7, -7],
  ['two rules', { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0' }, { rule: 'self != -7' }] }, 7, -7],
];

describe('a rule for the items of a long list', () => {
  it.each(CASES)('gives for %s the verdict that it gives for each item alone', (_, items, good, bad) => {
    const definition = definitionOf(items);
    const all = Array.from({ length: COUNT }, () => good);
    // After a few evaluations, the engine replaces the interpreter with generated code.
    for (let run = 0; run < 5; run++) expect(judge(definition, all, {})).toMatchObject({ accepted: true });
    const whole = judge(definition, all, {});
    const cost = 'cancelled' in whole ? 0 : (whole.cost.cel ?? 0);
    for (const wrong of [[], [0], [255], [256], [COUNT - 1], [3, 300, 301, 999]]) {
      const list = all.map((value, i) => (wrong.includes(i) ? bad : value));
      for (const budget of [undefined, 1, cost / 2, cost - 1, cost, cost + 1, Math.ceil(cost / 4)]) {
        const found = findings(definition, list, { budget });
        expect(found, `${wrong.join(',')} of ${budget ?? 'any'}`).toEqual(findings(definition, list, { budget, explain: true }));
      }
      expect(findings(definition, list, { costLimit: 1 })).toEqual(findings(definition, list, { costLimit: 1, explain: true }));
    }
  });

  it('stops when the caller cancels the validation', () => {
    const token = new CancellationFlag();
    const definition = definitionOf({ type: 'integer', ...RULE });
    const list = Array.from({ length: COUNT }, () => 1);
    for (let run = 0; run < 5; run++) judge(definition, list, {});
    token.cancel();
    expect(judge(definition, list, { token })).toEqual({ cancelled: true });
  });
});

describe('a messageExpression', () => {
  const definition = (messageExpression: string) => {
    const text = { type: 'string', maxLength: 5 };
    const rule = { rule: 'false', messageExpression, message: 'own' };
    return compiled({ type: 'object', properties: { a: text, b: text }, 'x-kubernetes-validations': [rule] });
  };
  it.each([
    ["'no ' + self.a", 'no x', undefined],
    ["'no ' + self.b", 'own', 'no such key: b'],
    ["' '", 'own', 'its value is empty'],
    ["'a\\nb'", 'own', 'its value has several lines'],
  ])("that gives no usable message is reported, and the rule's message is used: %s", (expression, message, why) => {
    const verdict = validateObject(definition(expression), {
      operation: 'CREATE',
      body: JSON.stringify(widget({ a: 'x' })),
      fieldValidation: 'Strict',
    });
    if ('cancelled' in verdict || verdict.accepted) throw new Error('it is not refused');
    expect(verdict.status.message).toContain(`spec: Invalid value: ${message}`);
    const words = 'the messageExpression of a rule at spec has no effect, and the server shows another message without a word about it';
    expect(verdict.hints).toEqual(why === undefined ? undefined : [`${words}: ${why}`]);
  });
});
