import { describe, expect, it } from 'vitest';
import { readJson, writeJson } from '#go';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import { widget, widgetDefinition } from '../../testing/definition-fixture.ts';
import { objectLines } from '../../testing/outcomes.ts';

const A = { type: 'object', properties: { a: { type: 'integer' } } };

// The expected lines come from the oracle: the Go code of Kubernetes 1.37, or of the version that a row names.
describe("an object gets the server's verdict on a keyword", () => {
  it.each<[string, object, unknown, string[]]>([
    ['type', { type: 'integer' }, 'x', ['spec: Invalid value: "string": spec in body must be of type integer: "string"']],
    [
      'type: a whole float',
      { type: 'integer' },
      1.5,
      [
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec',
        'spec: Invalid value: "number": spec in body must be of type integer: "number"',
      ],
    ],
    ['type: a number that is whole', { type: 'number' }, 1, ['stores {"metadata":{"generation":1},"spec":1}']],
    [
      'type: an int-or-string',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"'],
    ],
    ['nullable', { type: 'string', nullable: true }, null, ['stores {"metadata":{"generation":1},"spec":null}']],
    ['enum', { type: 'string', enum: ['a', 'b'] }, 'c', ['spec: Unsupported value: "c": supported values: "a", "b"']],
    ['enum of numbers', { type: 'integer', enum: [1, 2] }, 2, ['stores {"metadata":{"generation":1},"spec":2}']],
    ['pattern', { type: 'string', pattern: '^a+$' }, 'aab', [`spec: Invalid value: "aab": spec in body should match '^a+$'`]],
    ['maxLength counts code points', { type: 'string', maxLength: 2 }, '😀😀', ['stores {"metadata":{"generation":1},"spec":"😀😀"}']],
    ['maxLength', { type: 'string', maxLength: 2 }, 'äöü', ['spec: Too long: may not be more than 2 bytes']],
    ['minLength', { type: 'string', minLength: 2 }, '😀', ['spec: Invalid value: "😀": spec in body should be at least 2 chars long']],
    ['maximum', { type: 'integer', maximum: 3 }, 4, ['spec: Invalid value: 4: spec in body should be less than or equal to 3']],
    [
      'maximum, exclusive',
      { type: 'integer', maximum: 3, exclusiveMaximum: true },
      3,
      ['spec: Invalid value: 3: spec in body should be less than 3'],
    ],
    ['minimum', { type: 'number', minimum: 0.5 }, 0.25, ['spec: Invalid value: 0.25: spec in body should be greater than or equal to 0.5']],
    [
      'minimum, exclusive',
      { type: 'number', minimum: 0.5, exclusiveMinimum: true },
      0.5,
      ['spec: Invalid value: 0.5: spec in body should be greater than 0.5'],
    ],
    ['multipleOf', { type: 'integer', multipleOf: 3 }, 7, ['spec: Invalid value: 7: spec in body should be a multiple of 3']],
    ['multipleOf of a fraction', { type: 'number', multipleOf: 0.1 }, 0.3, ['stores {"metadata":{"generation":1},"spec":0.3}']],
    ['maxItems', { type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b'], ['spec: Too many: 2: must have at most 1 item']],
    [
      'minItems',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      [],
      ['spec: Invalid value: 0: spec in body should have at least 1 items'],
    ],
    [
      'maxProperties',
      { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1 },
      { a: '', b: '' },
      ['spec: Too many: 2: must have at most 1 item'],
    ],
    [
      'minProperties',
      { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
      {},
      ['spec: Invalid value: 0: spec in body should have at least 1 properties'],
    ],
    ['required', { ...A, required: ['a'] }, {}, ['spec.a: Required value']],
    [
      'items',
      { type: 'array', items: { type: 'integer' } },
      [1, 'x'],
      ['spec[1]: Invalid value: "string": spec[1] in body must be of type integer: "string"'],
    ],
    [
      'additionalProperties',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { 'a.b': 'x' },
      ['spec.a.b: Invalid value: "string": spec.a.b in body must be of type integer: "string"'],
    ],
    [
      'format: a date',
      { type: 'string', format: 'date' },
      '2024-02-30',
      ['spec: Invalid value: "2024-02-30": spec in body must be of type date: "2024-02-30"'],
    ],
    [
      'format: a time',
      { type: 'string', format: 'date-time' },
      '2024-02-03T04:05:06Z',
      ['stores {"metadata":{"generation":1},"spec":"2024-02-03T04:05:06Z"}'],
    ],
    [
      'format: int32',
      { type: 'integer', format: 'int32' },
      2147483648,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec'],
    ],
    ['format that nobody knows', { type: 'string', format: 'hex' }, 'x', ['stores {"metadata":{"generation":1},"spec":"x"}']],
    [
      'allOf',
      { type: 'string', allOf: [{ minLength: 2 }, { pattern: '^b' }] },
      'a',
      [
        '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
        'spec: Invalid value: "a": spec in body should be at least 2 chars long',
        `spec: Invalid value: "a": spec in body should match '^b'`,
      ],
    ],
    [
      'anyOf',
      { type: 'string', anyOf: [{ minLength: 2 }, { pattern: '^b' }] },
      'a',
      [
        '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
        'spec: Invalid value: "a": spec in body should be at least 2 chars long',
      ],
    ],
    [
      'oneOf: none',
      { ...A, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      ['<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid', 'spec.a: Required value'],
    ],
    [
      'oneOf: both',
      { type: 'string', oneOf: [{ minLength: 1 }, { pattern: '^a' }] },
      'a',
      ['<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    ['not', { type: 'string', not: { enum: ['a'] } }, 'a', ['<nil>: Invalid value: "": "spec" must not validate the schema (not)']],
  ])('%s', (_, schema, spec, lines) => {
    expect(objectLines(widgetDefinition(schema), { body: widget(spec) })).toEqual(lines);
  });

  it.each<[object, unknown, string]>([
    [{ type: 'string', minLength: 1 }, '', 'spec: Too short: must be at least 1 character'],
    [{ type: 'string', minLength: 2 }, '😀', 'spec: Too short: must be at least 2 characters'],
    [{ type: 'array', items: { type: 'integer' }, minItems: 1 }, [], 'spec: Too few: 0: must have at least 1 item'],
    [{ ...A, minProperties: 2 }, { a: 1 }, 'spec: Too few: 1: must have at least 2 items'],
  ])('with the error type for a value below a minimum size (1.38): %j', (schema, spec, line) => {
    expect(objectLines(widgetDefinition(schema), { body: widget(spec) }, {}, '1.38')).toEqual([line]);
  });

  it('with all digits of a limit that no double can hold (1.38)', () => {
    const definition = writeJson(widgetDefinition({ type: 'string', minLength: 2 })).replace(
      '"minLength":2',
      '"minLength":9007199254740993',
    );
    const read = readJson(definition);
    const lines = read.ok ? objectLines(read.value as JsonObject, { body: widget('a') }, {}, '1.38') : read.error;
    expect(lines).toEqual(['spec: Too short: must be at least 9007199254740993 characters']);
  });

  it.each<[string, Minor, string[]]>([
    ['before numbers had formats', '1.34', ['stores {"metadata":{"generation":1},"spec":2147483648}']],
    ['since they have', '1.37', ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec']],
  ])('for format int32 on an integer, %s (%s)', (_, minor, lines) => {
    const definition = widgetDefinition({ type: 'integer', format: 'int32' });
    expect(objectLines(definition, { body: widget(2147483648) }, {}, minor)).toEqual(lines);
  });
});
