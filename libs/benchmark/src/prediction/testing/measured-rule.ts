import type { CheckedExpression, NodeReadings } from '#cel';
import { compileStoredDefinition, loneRules } from '#crd';
import { readJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { customDefinition } from '../../../../../testing/custom-definition.ts';

/** A checked rule, together with the readings that one evaluation recorded for each node. */
export interface MeasuredRule {
  readonly checked: CheckedExpression;
  readonly readings: NodeReadings;
}

const INT = { type: 'integer' };
const TEXT = { type: 'string' };
const SCHEMA = {
  type: 'object',
  properties: {
    ints: { type: 'array', items: INT },
    texts: { type: 'array', items: TEXT },
    objects: { type: 'array', items: { type: 'object', properties: { a: INT, b: INT, name: TEXT } } },
    byName: { type: 'object', additionalProperties: { type: 'object', properties: { a: INT } } },
    n: INT,
    text: TEXT,
  },
};

/** Evaluates a rule with the engine `measured`, on an object with `size` elements in each list and map. */
export function measuredRule(rule: string, size: number): MeasuredRule {
  const spec = { ...SCHEMA, 'x-kubernetes-validations': [{ rule }] };
  const document = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
  const compiled = compileStoredDefinition(read(document), { minor: LATEST_MINOR, engine: 'measured' });
  const served = compiled.ok ? compiled.definition.serve('v1') : undefined;
  const [lone] = served?.ok === true ? loneRules(served.version) : [];
  const evaluation = lone?.evaluate(read(object(size)), undefined, { costLimit: Number.MAX_SAFE_INTEGER, token: undefined });
  const checked = lone?.rule.checked;
  if (checked === undefined || evaluation?.readings === undefined) throw new Error(`${rule}: ${lone?.rule.error}`);
  return { checked, readings: evaluation.readings };
}

function object(size: number): object {
  const each = Array.from({ length: size }, (_, i) => i);
  return {
    ints: each,
    texts: each.map((i) => `a${i}`),
    objects: each.map((i) => ({ a: i, b: i + 1, name: `n${i}` })),
    byName: Object.fromEntries(each.map((i) => [`n${i}`, { a: i }])),
    n: -1,
    text: 'abc',
  };
}

function read(value: object): JsonValue {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}
