import { base64Text, Float, newJsonObject } from '#go';
import type { JsonObject } from '#go';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentFor } from '../../language/environment.ts';
import { compile, schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';
import { toText } from '../convert.ts';
import { MessageValue } from './message-value.ts';
import { isList, isMap, typeOfValue } from '../type-of.ts';
import { runtimeTypeName, typeText } from '../types/type.ts';
import { CelError, Duration, Optional, Timestamp, TypeValue, Uint } from '../value.ts';
import { wrapValue } from '../wrap.ts';
import type { CelValue } from '../value.ts';

/** Result of the server's code (1.37) for one expression, as recorded in `recorded-well-known.jsonl`. */
interface Recorded {
  readonly rule: string;
  readonly refused?: string;
  readonly type?: string;
  readonly maxCost?: string;
  readonly error?: string;
  readonly valueType?: string;
  readonly value?: unknown;
  readonly cost?: number;
}

const recorded = readFileSync(join(import.meta.dirname, 'recorded-well-known.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

const fixture: SchemaFixture = {
  type: 'object',
  properties: {
    i: { type: 'integer' },
    s: { type: 'string' },
    d: { type: 'number' },
    b: { type: 'boolean' },
    big: { type: 'integer', format: 'int64' },
    l: { type: 'array', maxItems: 5, items: { type: 'integer' } },
    m: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
  },
};
const object = (entries: Readonly<Record<string, JsonObject[string]>>): JsonObject => Object.assign(newJsonObject(), entries);
const self = wrapValue(
  object({ i: 3, s: 'text', d: 2.5, b: true, big: 2n ** 62n, l: [1, 2], m: object({ x: 1, y: 2 }) }),
  schemaOf(fixture),
);

/** Returns a value in the notation of `recorded-well-known.jsonl`. */
function shown(value: CelValue): unknown {
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof Float)
    return Number.isFinite(value.value) ? value.value : { NaN: 'NaN', Infinity: '+Inf', '-Infinity': '-Inf' }[String(value.value)];
  if (typeof value === 'number' && !Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) return base64Text(value);
  if (value instanceof Duration || value instanceof Timestamp) return toText(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof MessageValue) return value.toString();
  if (value instanceof Optional) return { optional: value.value === undefined ? 'none' : shown(value.value) };
  if (isList(value)) return Array.from({ length: value.size }, (_, i) => shown(value.at(i)));
  return isMap(value) ? Object.fromEntries([...value.keys()].map((key) => [String(key), shown(value.get(key) as CelValue)])) : value;
}

describe.each(['compiled', 'interpreted'] as const)('literals of well-known types, %s', (engine) => {
  it.each(recorded)('has the recorded type, value and cost: $rule', (expected) => {
    const compiled = compile(expected.rule, fixture, { engine });
    if (!compiled.ok) {
      expect(compiled.error).toBe(expected.refused);
      return;
    }
    const { value, cost } = compiled.program.evaluate({ self }, { costLimit: 1_000_000, token: undefined });
    expect({
      rule: expected.rule,
      type: typeText(compiled.outputType),
      maxCost: String(compiled.maxCost),
      ...(value instanceof CelError ? { error: value.message } : { valueType: runtimeTypeName(typeOfValue(value)), value: shown(value) }),
      cost,
    }).toEqual(expected);
  });
});

// Recorded from the code of a 1.30 server, in which a message literal has size 0.
it.each([
  ['google.protobuf.Empty{} == google.protobuf.Empty{}', 80n],
  ['google.protobuf.Empty{} != google.protobuf.Empty{}', 80n],
  ['google.protobuf.Empty{} == null', 40n],
  ['dyn(null) == google.protobuf.Empty{}', 41n],
  ['dyn({}) == google.protobuf.Empty{}', 71n],
  ['google.protobuf.Value{null_value: google.protobuf.NullValue.NULL_VALUE} == null', 41n],
  ['google.protobuf.NullValue.NULL_VALUE == 0', 1n],
  ["google.protobuf.Duration{} == duration('0s')", 41n],
])('the estimate of 1.30 for %s is as recorded', (rule, maxCost) => {
  expect(compile(rule, fixture, { environment: environmentFor('1.30', 'new') })).toMatchObject({ ok: true, maxCost });
});
