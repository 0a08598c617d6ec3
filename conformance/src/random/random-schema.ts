import type { Dice } from './dice.ts';
import { edgeKey, edgeNumber, edgeString, edgeValue, NUMBERS, PATTERNS } from './edge-values.ts';
import { FORMATS } from './format-values.ts';
import { randomRule } from './random-rules.ts';
import { Spelled, Members, membersOf } from './tree.ts';
import type { Tree } from './tree.ts';
import { fittingValue } from './random-value.ts';

const TYPES = [
  'string',
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'array',
  'object',
  'object',
  'object',
  'map',
  'intOrString',
  'preserving',
  'embedded',
];
const NAMES = [
  'a',
  'b',
  'c',
  'name',
  'key',
  'spec',
  'status',
  'kind',
  'metadata',
  'items',
  'x-y',
  'a.b',
  'a b',
  '__proto__',
  'constructor',
  'é',
  'in',
  'self',
  'value',
  'type',
  'self__x',
  'apiVersion',
];

/**
 * Settings for random schemas. A `wild` schema sometimes violates the rules of structural schemas and of their keywords. With `rules`, a
 * schema sometimes has validation rules.
 */
export interface SchemaMood {
  readonly wild: boolean;
  readonly rules: boolean;
}

/** Returns a random schema with at most `depth` nested levels. */
export function randomSchema(dice: Dice, depth: number, mood: SchemaMood): Members {
  const type = dice.pick(depth > 0 ? TYPES : ['string', 'integer', 'number', 'boolean', 'intOrString', 'string', 'string', 'preserving']);
  const schema = skeleton(dice, type, depth, mood);
  for (const keyword of Object.keys(KEYWORDS)) {
    const value = KEYWORDS[keyword]!;
    if (dice.chance(fits(keyword, schema.get('type')) ? 0.12 : mood.wild ? 0.01 : 0)) schema.set(keyword, value(dice, schema));
  }
  if (dice.chance(0.15)) addJunctor(dice, schema, mood);
  if (dice.chance(0.12)) schema.set('default', fittingValue(dice, schema));
  if (mood.rules && dice.chance(0.2)) addRules(dice, schema);
  return schema;
}

/** Returns a random schema of type object, sometimes with validation rules. */
export function randomObjectSchema(dice: Dice, depth: number, mood: SchemaMood): Members {
  const schema = skeleton(dice, 'object', depth, mood);
  if (dice.chance(0.2)) addJunctor(dice, schema, mood);
  if (mood.rules && dice.chance(0.3)) addRules(dice, schema);
  return schema;
}

function addRules(dice: Dice, schema: Members): void {
  schema.set(
    'x-kubernetes-validations',
    Array.from({ length: 1 + dice.below(2) }, () => randomRule(dice, schema)),
  );
}

function skeleton(dice: Dice, type: string, depth: number, mood: SchemaMood): Members {
  switch (type) {
    case 'object':
      return objectSchema(dice, depth, mood);
    case 'embedded':
      return objectSchema(dice, depth, mood).set('x-kubernetes-embedded-resource', true).set('x-kubernetes-preserve-unknown-fields', true);
    case 'map':
      return membersOf({
        type: 'object',
        additionalProperties: dice.chance(0.05) ? dice.chance(0.5) : randomSchema(dice, depth - 1, mood),
      });
    case 'array':
      return listSchema(dice, depth, mood);
    case 'intOrString':
      return dice.chance(0.5)
        ? membersOf({ 'x-kubernetes-int-or-string': true })
        : membersOf({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] });
    case 'preserving':
      return membersOf({ ...(dice.chance(0.5) ? { type: 'object' } : {}), 'x-kubernetes-preserve-unknown-fields': true });
    default:
      return membersOf({ type });
  }
}

function objectSchema(dice: Dice, depth: number, mood: SchemaMood): Members {
  const properties = new Members();
  for (let n = 1 + dice.below(4); n > 0; n--)
    properties.set(dice.chance(0.7) ? dice.pick(['a', 'b', 'c', 'name']) : dice.pick(NAMES), randomSchema(dice, depth - 1, mood));
  const schema = membersOf({ type: 'object', properties });
  if (dice.chance(0.3))
    schema.set(
      'required',
      dice.some(properties.entries, 0.5).map(([name]) => name),
    );
  if (dice.chance(0.1)) schema.set('x-kubernetes-preserve-unknown-fields', true);
  if (dice.chance(0.1)) schema.set('x-kubernetes-map-type', dice.pick(['atomic', 'granular']));
  return schema;
}

function listSchema(dice: Dice, depth: number, mood: SchemaMood): Members {
  const listType = dice.pick([undefined, undefined, 'atomic', 'set', 'map']);
  if (listType === 'map') {
    const items = objectSchema(dice, depth - 1, mood);
    const properties = items.object('properties');
    const keys = dice.some(['a', 'b', 'name', 'key'], 0.5);
    if (keys.length === 0) keys.push('name');
    for (const key of keys) properties.set(key, keySchema(dice));
    const required = new Set([
      ...items.list('required'),
      ...keys.filter((key) => (properties.get(key) as Members).get('default') === undefined),
    ]);
    return membersOf({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
      items: items.set('required', [...required]),
    });
  }
  const items =
    listType === 'set'
      ? dice.chance(0.8)
        ? membersOf({ type: dice.pick(['string', 'integer', 'number', 'boolean']) })
        : membersOf({ type: dice.pick(['object', 'array']), 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'integer' } } })
      : randomSchema(dice, depth - 1, mood);
  const schema = membersOf({ type: 'array', items });
  if (listType !== undefined) schema.set('x-kubernetes-list-type', listType);
  return schema;
}

function keySchema(dice: Dice): Members {
  const schema = membersOf({ type: dice.pick(['string', 'string', 'integer', 'boolean', 'number']) });
  if (dice.chance(0.25)) schema.set('default', fittingValue(dice, schema));
  return schema;
}

/** Adds `anyOf`, `allOf`, `oneOf` or `not` to a schema. The branches further restrict the properties and items that the schema declares. */
export function addJunctor(dice: Dice, schema: Members, mood: SchemaMood): void {
  const branch = (): Members => junctorBranch(dice, schema, 2, mood);
  const keyword = dice.pick(['allOf', 'anyOf', 'oneOf', 'not']);
  schema.set(keyword, keyword === 'not' ? branch() : Array.from({ length: 1 + dice.below(3) }, branch));
}

function junctorBranch(dice: Dice, schema: Members, depth: number, mood: SchemaMood): Members {
  const branch = new Members();
  const type = schema.get('type');
  const properties = schema.get('properties');
  const items = schema.get('items');
  if (properties instanceof Members && depth > 0) {
    const chosen = dice.some(properties.entries, 0.4).filter((entry): entry is [string, Members] => entry[1] instanceof Members);
    if (chosen.length > 0)
      branch.set('properties', new Members(chosen.map(([name, below]) => [name, junctorBranch(dice, below, depth - 1, mood)])));
    if (dice.chance(0.5))
      branch.set(
        'required',
        dice.some(properties.entries, 0.5).map(([name]) => name),
      );
  }
  if (items instanceof Members && depth > 0 && dice.chance(0.5)) branch.set('items', junctorBranch(dice, items, depth - 1, mood));
  for (const keyword of Object.keys(KEYWORDS)) {
    if (!mood.wild && FORBIDDEN_IN_JUNCTORS.has(keyword)) continue;
    if (dice.chance(fits(keyword, type) ? 0.2 : mood.wild ? 0.01 : 0)) branch.set(keyword, KEYWORDS[keyword]!(dice, schema));
  }
  if (depth > 0 && dice.chance(0.1)) addJunctor(dice, branch, mood);
  return branch;
}

const FORBIDDEN_IN_JUNCTORS = new Set(['nullable', 'title', 'description']);
/** Spellings of whole numbers that fit into an int64. */
const WHOLE = NUMBERS.filter((text) => /^-?\d{1,16}$/.test(text));
const smallNumber = (dice: Dice): Spelled =>
  dice.chance(0.85)
    ? new Spelled(dice.pick(['0', '1', '2', '3', '5', '10']))
    : dice.chance(0.97)
      ? new Spelled(dice.pick(WHOLE))
      : edgeNumber(dice);
const flag = (dice: Dice): Tree => dice.chance(0.8);

/** Generators of random values for schema keywords, by keyword. */
export const KEYWORDS: Readonly<Record<string, (dice: Dice, schema: Members) => Tree>> = {
  format: (dice, schema) =>
    dice.pick(
      schema.get('type') === 'integer'
        ? ['int32', 'int64', ...FORMATS]
        : schema.get('type') === 'number'
          ? ['float', 'double', 'int32', ...FORMATS]
          : FORMATS,
    ),
  maximum: (dice) => (dice.chance(0.6) ? edgeNumber(dice) : smallNumber(dice)),
  exclusiveMaximum: flag,
  minimum: (dice) => (dice.chance(0.6) ? edgeNumber(dice) : smallNumber(dice)),
  exclusiveMinimum: flag,
  multipleOf: (dice) =>
    new Spelled(dice.pick(['1', '2', '3', '0.1', '0.01', '1.5', '0', '-1', '10', '1e-7', '1e3', '9223372036854775807', '0.3'])),
  maxLength: smallNumber,
  minLength: smallNumber,
  pattern: (dice) => dice.pick(PATTERNS),
  maxItems: smallNumber,
  minItems: smallNumber,
  uniqueItems: (dice) => dice.chance(0.1),
  maxProperties: smallNumber,
  minProperties: smallNumber,
  enum: (dice, schema) =>
    Array.from({ length: dice.below(4) + (dice.chance(0.9) ? 1 : 0) }, () =>
      dice.chance(0.85) ? fittingValue(dice, schema) : edgeValue(dice),
    ),
  nullable: flag,
  title: (dice) => edgeString(dice),
  description: (dice) => edgeString(dice),
  example: (dice) => edgeValue(dice),
  externalDocs: (dice) => membersOf({ url: edgeString(dice, 'uri'), description: 'd' }),
};

const NEEDED_TYPE: Readonly<Record<string, readonly string[]>> = {
  format: ['string', 'integer', 'number'],
  maximum: ['integer', 'number'],
  exclusiveMaximum: ['integer', 'number'],
  minimum: ['integer', 'number'],
  exclusiveMinimum: ['integer', 'number'],
  multipleOf: ['integer', 'number'],
  maxLength: ['string'],
  minLength: ['string'],
  pattern: ['string'],
  maxItems: ['array'],
  minItems: ['array'],
  uniqueItems: ['array'],
  maxProperties: ['object'],
  minProperties: ['object'],
  example: [],
  externalDocs: [],
  title: [],
  description: [],
};

function fits(keyword: string, type: Tree | undefined): boolean {
  const types = NEEDED_TYPE[keyword];
  return types === undefined || (typeof type === 'string' && types.includes(type));
}

/** Returns a random property name. Most are names that random schemas declare, and some are not. */
export function randomName(dice: Dice): string {
  return dice.chance(0.9) ? dice.pick(NAMES) : edgeKey(dice);
}
