import { describe, expect, it } from 'vitest';
import { compileStoredDefinition, validateValue } from '#crd';
import { readJson, writeJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { SchemaTexts } from '../texts/schema-texts.ts';
import { ValuePlan } from './choice.ts';
import type { FieldChoice } from './choice.ts';
import { EffectiveSchemas } from './effective-schema.ts';
import { writeValue } from './write-value.ts';

const json = (value: unknown): JsonValue => {
  const read = readJson(JSON.stringify(value));
  if (!read.ok) throw new Error(read.error);
  return read.value;
};
const parts = { schemas: new EffectiveSchemas(), texts: new SchemaTexts(), maxBytes: 100_000 };

/** Writes a value for the schema of `spec`. Returns the value and the errors that the schema's keywords report about it. */
function written(spec: object, choices: Readonly<Record<string, FieldChoice>> = {}, version: 'usual' | 'other' = 'usual') {
  const document = json(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } }));
  const outcome = compileStoredDefinition(document, { minor: LATEST_MINOR });
  const served = outcome.ok ? outcome.definition.serve('v1') : undefined;
  const schema = served?.ok === true ? served.version.schema.properties?.get('spec') : undefined;
  if (schema === undefined) throw new Error('there is no such schema');
  const value = writeValue({ schema, field: '' }, new ValuePlan(Object.entries(choices)), parts, { version });
  if (!value.ok) return { reason: value.reason };
  const answer = validateValue(json(spec), { minor: LATEST_MINOR, resourceRoot: false, value: value.value, oldValue: undefined });
  const errors = answer.ok ? answer.errors.map(({ field, detail }) => `${field}: ${detail}`) : [answer.error];
  return { value: JSON.parse(writeJson(value.value)) as unknown, bytes: value.bytes, errors };
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });

describe('a value that is generated for a schema', () => {
  it.each<[string, object, Record<string, FieldChoice>, unknown]>([
    ['nothing optional', object({ a: { type: 'string' }, b: { type: 'integer' } }, { required: ['b'] }), {}, { b: 1 }],
    ['bounds of numbers', list({ type: 'integer', minimum: 5, multipleOf: 4 }, { minItems: 2 }), {}, [8, 8]],
    ['rising numbers', list({ type: 'integer', minimum: 0 }), { '': { size: 3 }, '[]': { filling: { kind: 'rising' } } }, [0, 1, 2]],
    [
      'elements of a set',
      list({ type: 'string', enum: ['a', 'b', 'c'] }, { 'x-kubernetes-list-type': 'set' }),
      { '': { size: 3 } },
      ['a', 'b', 'c'],
    ],
    [
      'keys of a map list',
      list(object({ k: { type: 'string', maxLength: 8 }, n: { type: 'integer' } }, { required: ['k'] }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      }),
      { '': { size: 2 } },
      [{ k: 'aaaaaaab' }, { k: 'aaaaaaac' }],
    ],
    [
      'a branch of a union',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      { '': { branch: 1 }, '.a': { present: true } },
      { b: 'a' },
    ],
    [
      'a field that is ruled out',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { not: { required: ['a'] } }),
      { '.a': { present: true }, '.b': { present: true } },
      { b: 'a' },
    ],
    ['least properties', object({ a: { type: 'string' }, b: { type: 'string' } }, { minProperties: 1 }), {}, { a: 'a' }],
    [
      'a map with keys that are asked for',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { '': { size: 2, keys: ['x/y'] } },
      { 'x/y': 1, k1: 1 },
    ],
    ['a pattern', { type: 'string', pattern: '^[a-c]{2}-x$' }, {}, 'aa-x'],
    ['a format', { type: 'string', format: 'ipv4' }, {}, '0.0.0.0'],
    ['an int-or-string as text', { 'x-kubernetes-int-or-string': true }, { '': { filling: { kind: 'literal', value: '50%' } } }, '50%'],
    [
      'one value that differs',
      list({ type: 'boolean' }),
      { '': { size: 3 }, '[]': { filling: { kind: 'lastDiffers', value: true, last: false } } },
      [true, true, false],
    ],
  ])('satisfies the keywords of the schema: %s', (_, spec, choices, wanted) => {
    const { value, errors } = written(spec, choices);
    expect([value, errors]).toEqual([wanted, []]);
  });

  it('differs from the value that is generated as its old value', () => {
    const spec = object(
      { a: { type: 'string' }, b: { type: 'boolean' }, c: { type: 'string', enum: ['x', 'y'] } },
      { required: ['a', 'b', 'c'] },
    );
    expect(written(spec).value).not.toEqual(written(spec, {}, 'other').value);
    expect(written(spec, {}, 'other').value).toMatchObject({ b: false, c: 'y' });
  });

  it('exceeds a bound of the schema only if the bound is lifted, and never exceeds the byte limit', () => {
    const spec = list({ type: 'integer' }, { maxItems: 5 });
    expect(written(spec, { '': { size: 9 } }).value).toHaveLength(5);
    expect(written(spec, { '': { size: 9, isLifted: true } }).value).toHaveLength(9);
    expect(written(spec, { '': { size: 1_000_000, isLifted: true } })).toEqual({ reason: 'larger than a request' });
    expect(written({ type: 'string' }, { '': { size: 200_000 } })).toEqual({ reason: 'larger than a request' });
  });

  it('comes with an estimate of its size as JSON, in bytes', () => {
    const spec = list(object({ name: { type: 'string' }, n: { type: 'integer' } }, { required: ['name', 'n'] }));
    const { value, bytes = 0 } = written(spec, { '': { size: 500 }, '[].name': { size: 40 } });
    expect(bytes / JSON.stringify(value).length).toBeCloseTo(1, 1);
  });
});
