import { isJsonObject, newJsonObject, readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { describe, expect, it } from 'vitest';
import { dialectOf } from '../../minors/dialect.ts';
import { Decoder } from '../../schema/decoder.ts';
import { decodeSchema } from '../../schema/decode-schema.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { toStructural } from '../../structural/from-schema.ts';
import { compileNode } from '../openapi/compile-validator.ts';
import { SchemaWalk } from '../openapi/schema-walk.ts';
import { Polls } from '../write/polls.ts';
import { columnElements } from './column-field.ts';
import { describesWhole, isReadableSchema } from './keyword-check.ts';
import { fieldNode, itemNode, readingOf } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';

function decoded(schema: object): SchemaProps {
  const json = readJson(JSON.stringify(schema));
  const props = json.ok
    ? decodeSchema(new Decoder('JSONSchemaProps'), isJsonObject(json.value) ? json.value : newJsonObject(), '')
    : undefined;
  if (props === undefined) throw new Error('no schema');
  return props;
}

function nodeOf(props: SchemaProps): ReaderNode {
  const result = toStructural(props);
  if (!result.ok) throw new Error(result.error);
  return { structural: result.structural, props, rules: undefined, isFixedPlace: true };
}

/** The schema with one more keyword, which no code of ours knows. */
const withUnknown = (props: SchemaProps): SchemaProps => Object.assign({ imaginary: 3 }, props);

const [INTEGER, STRING] = [
  { type: 'integer', maximum: 9 },
  { type: 'string', maxLength: 9 },
] as const;
const OBJECT = { type: 'object', required: ['a'], properties: { a: INTEGER } };
const KINDS = [
  ['object', OBJECT],
  ['map', { type: 'object', maxProperties: 3, additionalProperties: STRING }],
  ['list', { type: 'array', maxItems: 3, items: STRING }],
  ['string', { ...STRING, pattern: '^a', enum: ['a'] }],
  ['integer', { ...INTEGER, multipleOf: 2 }],
  ['number', { type: 'number', minimum: 1 }],
  ['boolean', { type: 'boolean' }],
  ['intOrString', { 'x-kubernetes-int-or-string': true, maximum: 3 }],
] as const;

// A keyword that somebody adds to the decoder and to the exact check must not be passed over by code that does not know it.
describe('a keyword that fast ways have no code for', () => {
  it.each(KINDS)('sends values of kind %s to the exact check', (kind, schema) => {
    const props = decoded(schema);
    const node = nodeOf(props);
    expect(readingOf(node)).toBe(kind);
    expect(readingOf({ ...node, props: withUnknown(props) })).toBe('anything');
  });

  it.each(KINDS)('of a field of kind %s leaves its siblings to their code', (kind, schema) => {
    const root = decoded({ type: 'object', properties: { one: schema, other: schema } });
    const properties = new Map(root.properties).set('one', withUnknown(root.properties?.get('one') as SchemaProps));
    const node = { ...nodeOf(root), props: { ...root, properties } };
    const readings = ['one', 'other'].map((name) => readingOf(fieldNode(node, name) as ReaderNode));
    expect(readings).toEqual(['anything', kind]);
  });

  it('makes a root unreadable, and an object one that is judged as a whole', () => {
    const props = decoded(OBJECT);
    expect([isReadableSchema(props), describesWhole(props)]).toEqual([true, false]);
    expect([isReadableSchema(withUnknown(props)), describesWhole(withUnknown(props))]).toEqual([false, true]);
  });

  it.each([
    ['ints', INTEGER],
    ['strings', STRING],
  ] as const)('keeps lists of %s out of columns, in the list and in its elements', (elements, items) => {
    const props = decoded({ type: 'array', items });
    const node = nodeOf(props);
    expect(columnElements(node)).toBe(elements);
    expect(columnElements({ ...node, props: withUnknown(props) })).toBeUndefined();
    const inElements = { ...props, items: { schema: withUnknown(itemNode(node)?.props as SchemaProps), schemas: [] } };
    expect(columnElements({ ...node, props: inElements })).toBeUndefined();
  });

  it.each([
    [INTEGER, { kind: 'ints', min: 1, max: 2 }],
    [STRING, { kind: 'strings', minLength: 1, maxLength: 2 }],
  ] as const)('of elements %j is not decided by the least and the greatest of a list', (items, bounds) => {
    const accepts = (props: SchemaProps): boolean =>
      compileNode(props, dialectOf(LATEST_MINOR)).acceptsAll(bounds, 2, new SchemaWalk(new Polls(undefined)));
    const props = decoded(items);
    expect(accepts(props)).toBe(true);
    expect(accepts(withUnknown(props))).toBe(false);
  });
});
