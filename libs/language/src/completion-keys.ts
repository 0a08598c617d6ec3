import { writeJson } from '#go';
import type { SchemaProps } from '#crd';
import { markdownText } from './markdown-text.ts';

/** A key that can be written, with what is told of it. */
export interface KnownKey {
  readonly name: string;
  readonly doc: string;
  /** What follows the colon: a scalar in the same line, or a map or list below it. */
  readonly value: 'scalar' | 'map' | 'list';
}

const key = (name: string, doc: string, value: KnownKey['value'] = 'scalar'): KnownKey => ({ name, doc, value });

/** Keywords of a structural schema. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go (1.37). */
export const SCHEMA_KEYS: readonly KnownKey[] = [
  key('type', 'object, array, string, integer, number or boolean'),
  key('description', 'What the field means; kubectl explain shows it.'),
  key('properties', 'The fields of an object.', 'map'),
  key('items', 'The schema of the elements of an array.', 'map'),
  key('additionalProperties', 'The schema of the values of a map.', 'map'),
  key('required', 'Fields that must be there.', 'list'),
  key('enum', 'The values that are allowed.', 'list'),
  key('format', 'A format that a string or number must have, such as date-time.'),
  key('pattern', 'A regular expression (RE2) that must match somewhere in a string.'),
  key('default', 'The value of a field that is not there.'),
  key('nullable', 'Whether null is allowed.'),
  key('maxLength', 'Most characters of a string. Estimates of rules depend on it.'),
  key('minLength', 'Fewest characters of a string.'),
  key('maxItems', 'Most elements of an array. Estimates of rules depend on it.'),
  key('minItems', 'Fewest elements of an array.'),
  key('maxProperties', 'Most entries of a map. Estimates of rules depend on it.'),
  key('minProperties', 'Fewest entries of a map.'),
  key('maximum', 'Largest number.'),
  key('minimum', 'Smallest number.'),
  key('exclusiveMaximum', 'Whether the maximum itself is too large.'),
  key('exclusiveMinimum', 'Whether the minimum itself is too small.'),
  key('multipleOf', 'What a number must be a multiple of.'),
  key('title', 'A title.'),
  key('example', 'An example.'),
  key('externalDocs', 'Where documentation is.', 'map'),
  key('allOf', 'Validations that must all hold.', 'list'),
  key('anyOf', 'Validations of which one must hold.', 'list'),
  key('oneOf', 'Validations of which exactly one must hold.', 'list'),
  key('not', 'A validation that must not hold.', 'map'),
  key('x-kubernetes-validations', 'CEL rules over `self`.', 'list'),
  key('x-kubernetes-list-type', 'atomic, set or map: how lists are merged, and what ratcheting and oldSelf can find again.'),
  key('x-kubernetes-list-map-keys', 'The fields by which elements of a list of type map are told apart.', 'list'),
  key('x-kubernetes-map-type', 'granular or atomic.'),
  key('x-kubernetes-preserve-unknown-fields', 'Whether fields that the schema lacks are kept.'),
  key('x-kubernetes-embedded-resource', 'Whether the object is a resource with apiVersion, kind and metadata.'),
  key('x-kubernetes-int-or-string', 'Whether the value is an integer or a string.'),
];

/** Fields of an entry of x-kubernetes-validations. Source: as above, `ValidationRule`. */
export const RULE_KEYS: readonly KnownKey[] = [
  key('rule', 'The CEL expression that must be true; `self` is the value at this node, `oldSelf` what it was.'),
  key('message', 'What is said where the rule fails; required where the rule has line breaks.'),
  key('messageExpression', 'A CEL expression that gives the message.'),
  key('reason', 'FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.'),
  key('fieldPath', 'The field that the error is about, relative to this node: `.spec.name`.'),
  key('optionalOldSelf', 'Whether the rule is evaluated at creation, too, with `oldSelf` as an optional.'),
];

/** Values of keywords that allow only some. */
export const KEYWORD_VALUES: Readonly<Record<string, readonly string[]>> = {
  type: ['object', 'array', 'string', 'integer', 'number', 'boolean'],
  'x-kubernetes-list-type': ['atomic', 'set', 'map'],
  'x-kubernetes-map-type': ['granular', 'atomic'],
  'x-kubernetes-preserve-unknown-fields': ['true'],
  'x-kubernetes-embedded-resource': ['true'],
  'x-kubernetes-int-or-string': ['true'],
  nullable: ['true', 'false'],
  exclusiveMaximum: ['true', 'false'],
  exclusiveMinimum: ['true', 'false'],
  optionalOldSelf: ['true'],
  reason: ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'],
  format: [
    'date-time',
    'date',
    'duration',
    'int32',
    'int64',
    'float',
    'double',
    'byte',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'cidr',
    'uri',
    'uuid',
  ],
};

/** The fields that a schema's object may have. */
export function fieldsOf({ properties, required }: SchemaProps): (KnownKey & { readonly required: boolean })[] {
  return [...(properties ?? [])].map(([name, schema]) => ({
    name,
    doc: [markdownText(typeWords(schema)), markdownText(schema.description)].filter((word) => word !== '').join('\n\n'),
    value: schema.type === 'object' ? 'map' : schema.type === 'array' ? 'list' : 'scalar',
    required: required.includes(name),
  }));
}

/** What a node's schema allows, in a few words: `array, at most 10 items`. */
export function typeWords(schema: SchemaProps): string {
  const { type, format, enum: allowed, pattern, items } = schema;
  const element = type === 'array' && items?.schema ? ` of ${items.schema.type || 'anything'}` : '';
  const bounds = (
    [
      ['at least', schema.minimum ?? schema.minLength ?? schema.minItems ?? schema.minProperties],
      ['at most', schema.maximum ?? schema.maxLength ?? schema.maxItems ?? schema.maxProperties],
    ] as const
  ).flatMap(([word, bound]) => (bound === undefined ? [] : [`${word} ${bound}${unitOf(type)}`]));
  return [
    `${schema.intOrString ? 'integer or string' : type || 'anything'}${element}`,
    ...(format === '' ? [] : [`format ${format}`]),
    ...bounds,
    ...(pattern === '' ? [] : [`matches \`${pattern}\``]),
    ...(allowed === undefined
      ? []
      : [`one of ${allowed.map((value) => (typeof value === 'string' ? value : writeJson(value))).join(', ')}`]),
    ...(schema.default === undefined ? [] : [`default ${writeJson(schema.default)}`]),
    ...(schema.nullable ? ['nullable'] : []),
  ].join(', ');
}

const unitOf = (type: string): string =>
  type === 'string' ? ' characters' : type === 'array' ? ' items' : type === 'object' ? ' entries' : '';
