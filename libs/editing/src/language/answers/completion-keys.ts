import { writeJson } from '#go';
import { KEYWORDS } from '#crd';
import type { SchemaProps } from '#crd';
import { markdownText } from './answers.ts';

/** Key that a completion can offer, with its documentation. */
export interface KnownKey {
  readonly name: string;
  readonly doc: string;
  /** The form of the value after the colon: a scalar in the same line, or a map or list below it. */
  readonly value: 'scalar' | 'map' | 'list';
}

const key = (name: string, doc: string, value: KnownKey['value'] = 'scalar'): KnownKey => ({ name, doc, value });

/** Keywords of a structural schema. */
export const SCHEMA_KEYS: readonly KnownKey[] = KEYWORDS.keywords.flatMap(({ name, docs }) =>
  docs === undefined ? [] : [{ name, doc: docs.doc, value: docs.value }],
);

/** Fields of an entry of x-kubernetes-validations. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go `ValidationRule` (1.37). */
export const RULE_KEYS: readonly KnownKey[] = [
  key('rule', 'The CEL expression that must be true; `self` is the value at this node, `oldSelf` what it was.'),
  key('message', 'What is said where the rule fails; required where the rule has line breaks.'),
  key('messageExpression', 'A CEL expression that gives the message.'),
  key('reason', 'FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.'),
  key('fieldPath', 'The field that the error is about, relative to this node: `.spec.name`.'),
  key('optionalOldSelf', 'Whether the rule is evaluated at creation, too, with `oldSelf` as an optional.'),
];

/** Allowed values of each schema keyword and rule field that accepts only certain values. */
export const KEYWORD_VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ...KEYWORDS.keywords.flatMap(({ name, docs }) => (docs?.values === undefined ? [] : [[name, docs.values] as const])),
  ['optionalOldSelf', ['true']],
  ['reason', ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate']],
]);

/** Returns the fields that an object may have according to its schema. */
export function fieldsOf({ properties, required }: SchemaProps): (KnownKey & { readonly required: boolean })[] {
  return [...(properties ?? [])].map(([name, schema]) => ({
    name,
    doc: [markdownText(typeWords(schema)), markdownText(schema.description)].filter((word) => word !== '').join('\n\n'),
    value: schema.type === 'object' ? 'map' : schema.type === 'array' ? 'list' : 'scalar',
    required: required.includes(name),
  }));
}

/** Returns a short description of the values that a schema node allows: `array, at most 10 items`. */
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
