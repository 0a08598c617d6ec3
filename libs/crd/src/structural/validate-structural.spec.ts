import { describe, expect, it } from 'vitest';
import { definitionOfSchema, widgetDefinition } from '../testing/definition-fixture.ts';
import { definitionLines } from '../testing/outcomes.ts';

const STRING = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

// The expected lines come from the oracle: the Go code of Kubernetes 1.37.
describe('a schema that must be structural', () => {
  it.each([
    ['no type', { properties: {} }, ['spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root']],
    [
      'another type',
      { type: 'array', items: STRING },
      ['spec.validation.openAPIV3Schema.type: Invalid value: "array": must be object at the root'],
    ],
    ['nothing but unknown fields', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, ['accepted']],
    ['an int-or-string', { 'x-kubernetes-int-or-string': true }, ['accepted']],
    ['names restricted', object({ metadata: object({ name: { type: 'string', maxLength: 9 } }) }), ['accepted']],
    ['generated names restricted', object({ metadata: object({ generateName: { type: 'string', maxLength: 9 } }) }), ['accepted']],
    [
      'labels restricted',
      object({ metadata: object({ labels: { type: 'object' } }) }),
      [
        'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [
      'required names',
      object({ metadata: object({ name: STRING }, { required: ['name'] }) }),
      [
        'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [
      'metadata that is a string',
      object({ metadata: STRING }),
      ['spec.validation.openAPIV3Schema.properties[metadata].type: Invalid value: "string": must be object'],
    ],
    [
      'an undeclared field in anyOf',
      object({ spec: STRING }, { anyOf: [{ properties: { b: { minLength: 1 } } }] }),
      [
        'spec.validation.openAPIV3Schema.properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[b]',
      ],
    ],
    [
      'an undeclared field of a field in not',
      object({ spec: object({ a: STRING }) }, { not: { properties: { spec: { properties: { b: {} } } } } }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.not.properties[spec].properties[b]',
      ],
    ],
    [
      'items of what is no list, in oneOf',
      object({ spec: STRING }, { oneOf: [{ properties: { spec: { items: {} } } }] }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].items: Required value: because it is defined in spec.validation.openAPIV3Schema.oneOf[0].properties[spec].items',
      ],
    ],
    [
      'a kind that is a number',
      object({ kind: { type: 'integer' } }),
      ['spec.validation.openAPIV3Schema.properties[kind].type: Invalid value: "integer": must be string'],
    ],
  ])("gets the server's verdict, at the root: %s", (_, schema, lines) => {
    expect(definitionLines(definitionOfSchema(schema))).toEqual(lines);
  });

  it.each([
    [
      'a field without a type',
      object({ a: {} }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must not be empty for specified object fields',
      ],
    ],
    [
      'items without a type',
      { type: 'array', items: {} },
      ['spec.validation.openAPIV3Schema.properties[spec].items.type: Required value: must not be empty for specified array items'],
    ],
    [
      'entries without a type',
      { type: 'object', additionalProperties: {} },
      [
        'spec.validation.openAPIV3Schema.properties[spec].additionalProperties.type: Required value: must not be empty for specified object fields',
      ],
    ],
    ['no type, but unknown fields', { 'x-kubernetes-preserve-unknown-fields': true }, ['accepted']],
    ['an int-or-string', { 'x-kubernetes-int-or-string': true }, ['accepted']],
    ['an int-or-string that says so', { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, STRING] }, ['accepted']],
    [
      'an int-or-string in the other order',
      { 'x-kubernetes-int-or-string': true, anyOf: [STRING, { type: 'integer' }] },
      [
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural',
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[1].type: Forbidden: must be empty to be structural',
      ],
    ],
    [
      'an int-or-string that says so in allOf',
      { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [{ type: 'integer' }, STRING] }] },
      ['accepted'],
    ],
    ['an int-or-string of a type', { 'x-kubernetes-int-or-string': true, type: 'integer' }, ['accepted']],
    [
      'an int-or-string with unknown fields',
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
      ],
    ],
    [
      'an embedded resource',
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      ['accepted'],
    ],
    [
      'an embedded resource without fields',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    ],
    [
      'an embedded resource that is a string',
      { type: 'string', 'x-kubernetes-embedded-resource': true },
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
        'spec.validation.openAPIV3Schema.properties[spec].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
      ],
    ],
    [
      'an embedded resource without a type',
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      ['spec.validation.openAPIV3Schema.properties[spec].type: Required value: must be object if x-kubernetes-embedded-resource is true'],
    ],
    [
      'an embedded resource with entries',
      { type: 'object', 'x-kubernetes-embedded-resource': true, additionalProperties: STRING },
      [
        'spec.validation.openAPIV3Schema.properties[spec].additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set',
        'spec.validation.openAPIV3Schema.properties[spec].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    ],
    ['a pattern that is none', { type: 'string', pattern: 'a{' }, ['accepted']],
    [
      'a pattern that only Perl knows',
      { type: 'string', allOf: [{ pattern: '(?=a)' }] },
      [
        'spec.validation.openAPIV3Schema.properties[spec].allOf[0].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
      ],
    ],
  ])("gets the server's verdict, in a field: %s", (_, spec, lines) => {
    expect(definitionLines(widgetDefinition(spec))).toEqual(lines);
  });

  it.each([
    [
      'a type',
      { type: 'string' },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      'a default',
      { default: {} },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].default: Forbidden: must be undefined to be structural'],
    ],
    [
      'a title',
      { title: 'T' },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].title: Forbidden: must be empty to be structural'],
    ],
    [
      'a description',
      { description: 'D' },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].description: Forbidden: must be empty to be structural'],
    ],
    [
      'nullable',
      { nullable: true },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].nullable: Forbidden: must be false to be structural'],
    ],
    [
      'unknown fields',
      { 'x-kubernetes-preserve-unknown-fields': true },
      [
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural',
      ],
    ],
    [
      'an embedded resource',
      { 'x-kubernetes-embedded-resource': true },
      [
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-embedded-resource: Forbidden: must be false to be structural',
      ],
    ],
    [
      'an int-or-string',
      { 'x-kubernetes-int-or-string': true },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-int-or-string: Forbidden: must be false to be structural'],
    ],
    [
      'a list type',
      { 'x-kubernetes-list-type': 'atomic' },
      [
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Required value: must be array if x-kubernetes-list-type is specified',
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural',
      ],
    ],
    [
      'list map keys',
      { 'x-kubernetes-list-map-keys': ['a'] },
      [
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural',
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty',
      ],
    ],
    [
      'a map type',
      { 'x-kubernetes-map-type': 'atomic' },
      [
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Required value: must be object if x-kubernetes-map-type is specified',
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural',
      ],
    ],
    [
      'entries',
      { additionalProperties: STRING },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].additionalProperties: Forbidden: must be undefined to be structural'],
    ],
    ['a declared field', { properties: { a: { minLength: 1 } } }, ['accepted']],
    ['an undeclared field', { properties: { b: { minLength: 1 } } }, ['accepted']],
    ['required fields', { required: ['b'] }, ['accepted']],
    [
      'a rule',
      { 'x-kubernetes-validations': [{ rule: 'true' }] },
      ['spec.validation.openAPIV3Schema.properties[spec].anyOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural'],
    ],
  ])("gets the server's verdict: anyOf with %s", (_, branch, lines) => {
    expect(definitionLines(widgetDefinition(object({ a: STRING }, { anyOf: [branch] })))).toEqual(lines);
  });

  it.each([
    [
      'allOf with a rule',
      { allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] },
      ['spec.validation.openAPIV3Schema.properties[spec].allOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural'],
    ],
    [
      'allOf with a type',
      { allOf: [{ type: 'object' }] },
      ['spec.validation.openAPIV3Schema.properties[spec].allOf[0].type: Forbidden: must be empty to be structural'],
    ],
    ['oneOf with an undeclared field', { oneOf: [{ properties: { b: {} } }] }, ['accepted']],
    ['not with an undeclared field', { not: { properties: { b: {} } } }, ['accepted']],
    [
      'not with a default',
      { not: { default: 1 } },
      ['spec.validation.openAPIV3Schema.properties[spec].not.default: Forbidden: must be undefined to be structural'],
    ],
    [
      'metadata in a branch',
      { anyOf: [{ properties: { metadata: {} } }] },
      [
        'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context',
      ],
    ],
  ])("gets the server's verdict: %s", (_, more, lines) => {
    expect(definitionLines(widgetDefinition(object({ a: STRING }, more)))).toEqual(lines);
  });

  it('is rejected on update even if the old definition has the same structural error', () => {
    const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, anyOf: [{ type: 'object' }] };
    expect(definitionLines(widgetDefinition({ ...loose, title: 'T' }), widgetDefinition(loose))).toEqual([
      'spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural',
    ]);
  });
});
