import { describe, expect, it } from 'vitest';
import type { Minor } from '#kube';
import { definitionOfSchema, widgetDefinition } from '../../testing/definition-fixture.ts';
import { definitionLines } from '../../testing/outcomes.ts';

const STRING = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const set = (items: object) => list(items, { 'x-kubernetes-list-type': 'set' });
const map = (items: object, ...keys: string[]) => list(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
const rule = (more: object) => ({ type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule: 'self != "x"', ...more }] });

// The expected lines come from the oracle: the Go code of Kubernetes 1.37, or of the version that a row names.
describe("the schema of a definition gets the server's verdict", () => {
  it.each([
    [
      'an unknown type',
      { type: 'text' },
      [
        'spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [
      'the type null',
      { type: 'null' },
      [
        'spec.validation.openAPIV3Schema.properties[spec].type: Forbidden: type cannot be set to null, use nullable as an alternative',
        'spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [
      'unique items',
      list(STRING, { uniqueItems: true }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
    ],
    [
      'a reference',
      { type: 'object', $ref: '#/x' },
      ['spec.validation.openAPIV3Schema.properties[spec].$ref: Forbidden: $ref is not supported'],
    ],
    [
      'pattern properties',
      object({}, { patternProperties: { a: STRING } }),
      ['spec.validation.openAPIV3Schema.properties[spec].patternProperties: Forbidden: patternProperties is not supported'],
    ],
    [
      'dependencies',
      object({ a: STRING }, { dependencies: { a: ['b'] } }),
      ['spec.validation.openAPIV3Schema.properties[spec].dependencies: Forbidden: dependencies is not supported'],
    ],
    [
      'definitions',
      object({}, { definitions: { a: STRING } }),
      ['spec.validation.openAPIV3Schema.properties[spec].definitions: Forbidden: definitions is not supported'],
    ],
    ['an id', object({}, { id: 'a' }), ['spec.validation.openAPIV3Schema.properties[spec].id: Forbidden: id is not supported']],
    [
      'additional items',
      list(STRING, { additionalItems: true }),
      ['spec.validation.openAPIV3Schema.properties[spec].additionalItems: Forbidden: additionalItems is not supported'],
    ],
    [
      'a list of items',
      { type: 'array', items: [STRING] },
      ['spec.validation.openAPIV3Schema.properties[spec].items: Forbidden: items must be a schema object and not an array'],
    ],
    [
      'properties beside a schema for others',
      object({ a: STRING }, { additionalProperties: STRING }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
      ],
    ],
    ['no properties beside others that are forbidden', { type: 'object', additionalProperties: false }, ['accepted']],
    [
      'unknown fields that are not preserved',
      object({}, { 'x-kubernetes-preserve-unknown-fields': false }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
      ],
    ],
    [
      'a map type of a list',
      list(STRING, { 'x-kubernetes-map-type': 'atomic' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].type: Invalid value: "array": must be object if x-kubernetes-map-type is specified',
      ],
    ],
    [
      'an unknown map type',
      object({}, { 'x-kubernetes-map-type': 'nuclear' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-map-type: Unsupported value: "nuclear": supported values: "atomic", "granular"',
      ],
    ],
    [
      'a list type of an object',
      object({}, { 'x-kubernetes-list-type': 'atomic' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].type: Invalid value: "object": must be array if x-kubernetes-list-type is specified',
      ],
    ],
    [
      'an unknown list type',
      list(STRING, { 'x-kubernetes-list-type': 'bag' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"',
      ],
    ],
    [
      'keys of a set',
      list(STRING, { 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['a'] }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
      ],
    ],
    [
      'keys without a list type',
      list(STRING, { 'x-kubernetes-list-map-keys': ['a'] }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty',
      ],
    ],
  ])('for %s', (_, spec, lines) => {
    expect(definitionLines(widgetDefinition(spec))).toEqual(lines);
  });

  it.each<[string, object, Minor, string[]]>([
    ['scalars', set(STRING), '1.37', ['accepted']],
    [
      'objects',
      set(object({ a: STRING })),
      '1.37',
      [
        'spec.validation.openAPIV3Schema.properties[spec].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [
      'granular objects',
      set(object({ a: STRING }, { 'x-kubernetes-map-type': 'granular' })),
      '1.37',
      [
        'spec.validation.openAPIV3Schema.properties[spec].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [
      'atomic objects',
      set(object({ a: STRING }, { 'x-kubernetes-map-type': 'atomic' })),
      '1.37',
      [
        'accepted',
        'warning: x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules',
      ],
    ],
    ['atomic objects', set(object({ a: STRING }, { 'x-kubernetes-map-type': 'atomic' })), '1.34', ['accepted']],
    [
      'lists',
      set(list(STRING)),
      '1.37',
      [
        'accepted',
        'warning: x-kubernetes-list-type: set for items of type "array" is not supported by server-side apply or CEL validation rules',
      ],
    ],
    [
      'sets',
      set(set(STRING)),
      '1.37',
      [
        'spec.validation.openAPIV3Schema.properties[spec].items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
  ])('for a set of %s (%#)', (_, spec, minor, lines) => {
    expect(definitionLines(widgetDefinition(spec), undefined, minor)).toEqual(lines);
  });

  it('that accepts a set of objects, if the old definition has one', () => {
    const before = widgetDefinition(set(object({ a: STRING })));
    expect(definitionLines(widgetDefinition(set(object({ b: STRING }))), before)).toEqual(['accepted']);
  });

  it.each([
    ['a required key', map(object({ a: STRING }, { required: ['a'] }), 'a'), ['accepted']],
    ['a key with a default', map(object({ a: { type: 'string', default: '' } }), 'a'), ['accepted']],
    [
      'an optional key',
      map(object({ a: STRING }), 'a'),
      [
        'spec.validation.openAPIV3Schema.properties[spec].items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    ],
    [
      'a nullable key',
      map(object({ a: { type: 'string', nullable: true } }, { required: ['a'] }), 'a'),
      [
        'spec.validation.openAPIV3Schema.properties[spec].items.properties[a].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
      ],
    ],
    [
      'an unknown key',
      map(object({ a: STRING }, { required: ['b'] }), 'b'),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys: Invalid value: ["b"]: entries must all be names of item properties',
      ],
    ],
    [
      'the same key twice',
      map(object({ a: STRING }, { required: ['a'] }), 'a', 'a'),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys: Invalid value: ["a","a"]: must not contain duplicate entries',
      ],
    ],
    [
      'a key that is a list',
      map(object({ a: list(STRING) }, { required: ['a'] }), 'a'),
      [
        `spec.validation.openAPIV3Schema.properties[spec].items.properties[a].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
      ],
    ],
    [
      'no key',
      map(object({ a: STRING })),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
      ],
    ],
    [
      'scalars',
      map(STRING, 'a'),
      [
        `spec.validation.openAPIV3Schema.properties[spec].items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
      ],
    ],
    [
      'no items',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
      [
        'spec.validation.openAPIV3Schema.properties[spec].items: Required value: must be specified',
        'spec.validation.openAPIV3Schema.properties[spec].items: Required value: must have a schema if x-kubernetes-list-type is map',
      ],
    ],
  ])('for a map list with %s', (_, spec, lines) => {
    expect(definitionLines(widgetDefinition(spec))).toEqual(lines);
  });

  it.each([
    [
      'no text',
      rule({ rule: ' ' }),
      ['spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Required value: rule is not specified'],
    ],
    [
      'a blank message',
      rule({ message: ' ' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].message: Invalid value: " ": must be non-empty if specified',
      ],
    ],
    [
      'a message of two lines',
      rule({ message: 'a\nb' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
      ],
    ],
    [
      'two lines and no message',
      rule({ rule: 'self !=\n"x"' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks',
      ],
    ],
    ['two lines and a message', rule({ rule: 'self !=\n"x"', message: 'no x' }), ['accepted']],
    [
      'a blank message expression',
      rule({ messageExpression: ' ' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].messageExpression: Required value: messageExpression must be non-empty if specified',
      ],
    ],
    [
      'a message expression that is a number',
      rule({ messageExpression: '1' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].messageExpression: Invalid value: {"Rule":"self != \\"x\\"","Message":"","MessageExpression":"1","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string',
      ],
    ],
    [
      'an unknown reason',
      rule({ reason: 'Because' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    ['a known reason', rule({ reason: 'FieldValueForbidden' }), ['accepted']],
    [
      'a blank field path',
      rule({ fieldPath: ' ' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath: Invalid value: " ": must be a valid path',
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath: Invalid value: " ": must be non-empty if specified',
      ],
    ],
    [
      'a field path into a string',
      rule({ fieldPath: '.a' }),
      ['spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath: Invalid value: ".a": must be a valid path'],
    ],
    [
      'optionalOldSelf without oldSelf',
      rule({ optionalOldSelf: true }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
      ],
    ],
    [
      'a type that is no bool',
      rule({ rule: 'self.size()' }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.size()","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool',
      ],
    ],
  ])('for a rule with %s', (_, spec, lines) => {
    expect(definitionLines(widgetDefinition(spec))).toEqual(lines);
  });

  it.each([
    [
      'items of a list',
      list(rule({ rule: 'self == oldSelf' }), { maxItems: 2 }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[spec]',
      ],
    ],
    ['items of a map list', map(object({ a: rule({ rule: 'self == oldSelf' }) }, { required: ['a'] }), 'a'), ['accepted']],
    ['fields of an atomic map', object({ a: rule({ rule: 'self == oldSelf' }) }, { 'x-kubernetes-map-type': 'atomic' }), ['accepted']],
    [
      'fields of a foreign map type',
      object({ a: rule({ rule: 'self == oldSelf' }) }, { 'x-kubernetes-map-type': 'granular' }),
      ['accepted'],
    ],
  ])('for a transition rule on %s', (_, spec, lines) => {
    expect(definitionLines(widgetDefinition(spec))).toEqual(lines);
  });

  it.each<[string, object, Minor, string[]]>([
    ['a string', { type: 'string', format: 'hex' }, '1.37', ['accepted', 'warning: unrecognized format "hex"']],
    ['an integer', { type: 'integer', format: 'int16' }, '1.37', ['accepted', 'warning: unrecognized format "int16"']],
    ['an integer', { type: 'integer', format: 'int16' }, '1.34', ['accepted']],
    ['a number', { type: 'number', format: 'double' }, '1.37', ['accepted']],
  ])('for the format of %s (%#)', (_, spec, minor, lines) => {
    expect(definitionLines(widgetDefinition(spec), undefined, minor)).toEqual(lines);
  });

  it.each([
    [
      'of another type',
      object({ a: { type: 'integer', default: 'x' } }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
      ],
    ],
    [
      'below its minimum',
      object({ a: { type: 'integer', minimum: 3, default: 2 } }),
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: 2:  in body should be greater than or equal to 3',
      ],
    ],
    [
      'with an unknown field',
      object({ a: object({ b: STRING }, { default: { c: 1 } }) }),
      ['spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: {"c":1}: must not have unknown fields'],
    ],
    [
      'with an unknown field that is preserved',
      object({ a: object({}, { 'x-kubernetes-preserve-unknown-fields': true, default: { c: 1 } }) }),
      ['accepted'],
    ],
    [
      'that a rule refuses',
      object({ a: { ...rule({}), default: 'x' } }),
      ['spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: "x": failed rule: self != "x"'],
    ],
    ['null of what is not nullable', object({ a: { type: 'string', default: null } }), ['accepted']],
    ['null of what is nullable', object({ a: { type: 'string', nullable: true, default: null } }), ['accepted']],
    [
      'of a list, too short',
      object({ a: list(STRING, { minItems: 1, default: [] }) }),
      ['spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: 0:  in body should have at least 1 items'],
    ],
    ['below additionalProperties', { type: 'object', additionalProperties: { type: 'integer', default: 2 } }, ['accepted']],
    [
      'inside a junctor',
      object({ a: { type: 'string', anyOf: [{ default: 'x' }] } }),
      ['spec.validation.openAPIV3Schema.properties[spec].properties[a].anyOf[0].default: Forbidden: must be undefined to be structural'],
    ],
  ])('for a default %s', (_, spec, lines) => {
    expect(definitionLines(widgetDefinition(spec))).toEqual(lines);
  });

  it('that accepts unknown fields in a default, if a default of the old definition has them', () => {
    const before = widgetDefinition(object({ a: object({ b: STRING }, { default: { c: 1 } }) }));
    expect(definitionLines(widgetDefinition(object({ a: object({ b: STRING }, { default: { d: 1 } }) })), before)).toEqual(['accepted']);
  });

  it.each([
    [
      'a default of the name',
      object({ metadata: object({ name: { type: 'string', default: 'x' } }) }),
      ['spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata'],
    ],
    [
      'a default of the kind',
      object({ kind: { type: 'string', default: 'x' } }),
      ['spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set in top-level kind'],
    ],
    [
      'an embedded resource inside metadata',
      object({ metadata: object({ name: { type: 'object', 'x-kubernetes-embedded-resource': true } }) }),
      [
        'spec.validation.openAPIV3Schema.properties[metadata].properties[name].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
        'spec.validation.openAPIV3Schema.properties[metadata].properties[name].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta',
      ],
    ],
  ])('for a root with %s', (_, schema, lines) => {
    expect(definitionLines(definitionOfSchema(schema))).toEqual(lines);
  });
});
