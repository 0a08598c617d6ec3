import type { Dice } from './dice.ts';
import { edgeKey, edgeNumber, edgeString, edgeValue } from './edge-values.ts';
import { cloneTree, Members, Spelled } from './tree.ts';
import type { Tree } from './tree.ts';

/** Returns a random value of the schema's type that mostly satisfies the schema and is close to its bounds. */
export function fittingValue(dice: Dice, schema: Tree | undefined, depth = 5): Tree {
  if (!(schema instanceof Members) || depth < 0) return edgeValue(dice, 1);
  if (dice.chance(0.02)) return edgeValue(dice);
  const choices = schema.list('enum');
  if (choices.length > 0 && dice.chance(0.85)) return cloneTree(dice.pick(choices));
  if (schema.get('default') !== undefined && dice.chance(0.2)) return cloneTree(schema.get('default')!);
  if (schema.get('nullable') === true && dice.chance(0.1)) return null;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a random schema names the type
  switch (schema.get('type')) {
    case 'string':
      return fittingString(dice, schema);
    case 'integer':
    case 'number':
      return fittingNumber(dice, schema);
    case 'boolean':
      return dice.chance(0.5);
    case 'array':
      return fittingList(dice, schema, depth);
    case 'object':
      return fittingObject(dice, schema, depth);
    default:
      return schema.get('x-kubernetes-int-or-string') === true
        ? dice.chance(0.5)
          ? fittingNumber(dice, schema)
          : edgeString(dice)
        : edgeValue(dice, 1);
  }
}

function fittingString(dice: Dice, schema: Members): Tree {
  const bound = schema.get(dice.pick(['maxLength', 'minLength']));
  if (bound instanceof Spelled && dice.chance(0.6)) {
    const length = Math.max(0, Math.min(400, Number(bound.text) + dice.below(3) - 1));
    return dice.pick(['a', 'a', 'é', '👑', '\u0301']).repeat(length);
  }
  const format = schema.get('format');
  return edgeString(dice, typeof format === 'string' ? format : undefined);
}

function fittingNumber(dice: Dice, schema: Members): Tree {
  const bound = schema.get(dice.pick(['maximum', 'minimum', 'multipleOf']));
  if (bound instanceof Spelled && dice.chance(0.7)) {
    if (dice.chance(0.3)) return new Spelled(bound.text);
    const near = Number(bound.text) * (dice.chance(0.2) ? 3 : 1) + dice.pick([-1, 0, 1, 0.5]);
    return new Spelled(Number.isFinite(near) ? String(near) : '1');
  }
  return dice.chance(0.5) ? new Spelled(String(dice.below(12))) : edgeNumber(dice);
}

function fittingList(dice: Dice, schema: Members, depth: number): Tree {
  const bound = schema.get(dice.pick(['maxItems', 'minItems']));
  const length = bound instanceof Spelled ? Math.max(0, Math.min(12, Number(bound.text) + dice.below(3) - 1)) : dice.below(4);
  const list = Array.from({ length }, () => fittingValue(dice, schema.get('items'), depth - 1));
  if (list.length > 0 && dice.chance(0.15)) list.push(cloneTree(dice.pick(list)));
  return list;
}

function fittingObject(dice: Dice, schema: Members, depth: number): Tree {
  const object = new Members();
  const properties = schema.get('properties');
  const required = new Set(schema.list('required'));
  if (properties instanceof Members) {
    for (const [name, below] of properties.entries)
      if (dice.chance(required.has(name) ? 0.95 : 0.65)) object.entries.push([name, fittingValue(dice, below, depth - 1)]);
  }
  const additional = schema.get('additionalProperties');
  if (additional !== undefined)
    for (let n = dice.below(4); n > 0; n--)
      object.set(dice.chance(0.6) ? dice.pick(['a', 'b', 'k1']) : edgeKey(dice), fittingValue(dice, additional, depth - 1));
  if (schema.get('x-kubernetes-embedded-resource') === true && dice.chance(0.8)) {
    if (dice.chance(0.9)) object.set('apiVersion', dice.pick(['v1', 'apps/v1', '', 'a/b/c', 'x']));
    if (dice.chance(0.9)) object.set('kind', dice.pick(['Pod', 'x-', '', 'pod']));
    if (dice.chance(0.8)) object.set('metadata', randomMetadata(dice));
  }
  if (dice.chance(schema.get('x-kubernetes-preserve-unknown-fields') === true ? 0.3 : 0.04)) object.set(edgeKey(dice), edgeValue(dice));
  return object;
}

const uid = (dice: Dice): string => dice.pick(['00000000-0000-4000-8000-000000000001', 'u', '', 'U-2']);

/** Generators for fields of ObjectMeta. Their values are valid, invalid, or cannot be decoded. */
const METADATA: Readonly<Record<string, (dice: Dice) => Tree>> = {
  name: (dice) => (dice.chance(0.6) ? dice.pick(['a', 'test', 'x.y']) : edgeString(dice)),
  generateName: (dice) => dice.pick(['gen-', 'a', 'A', '-', 'x'.repeat(260), 'é', 'a.', 'x'.repeat(58), '']),
  namespace: (dice) => dice.pick(['default', 'default', 'other', '', 'a.b', 'A']),
  labels: (dice) =>
    stringMap(dice, [
      'a',
      'app.kubernetes.io/name',
      'A/b',
      'a/b/c',
      '',
      '-a',
      'é',
      'x'.repeat(64),
      '/a',
      'a/',
      'a.B/c',
      `${'x'.repeat(250)}.com/a`,
    ]),
  annotations: (dice) => stringMap(dice, ['a', 'Example.com/A', 'a/b/c', '', 'kubectl.kubernetes.io/x', 'a b', '-a', 'A'.repeat(64)]),
  finalizers: (dice) =>
    Array.from({ length: dice.below(4) }, () =>
      dice.pick(['a', 'a/b', 'orphan', 'foregroundDeletion', 'a/b/c', '', 'kubernetes', 'example.com/f', 'A b', 'x'.repeat(64), 'é']),
    ),
  ownerReferences: (dice) => Array.from({ length: 1 + dice.below(3) }, () => ownerReference(dice)),
  deletionTimestamp: (dice) => dice.pick(['2024-01-01T00:00:00Z', '2024-01-01', null, '']),
  creationTimestamp: (dice) => dice.pick(['2024-01-01T00:00:00Z', null, '2024-01-01T00:00:00.5Z', 'x', '2024-01-01T00:00:00+02:00']),
  deletionGracePeriodSeconds: (dice) => edgeNumber(dice),
  generation: (dice) => dice.pick([new Spelled('1'), new Spelled('-1'), edgeNumber(dice)]),
  resourceVersion: (dice) => dice.pick(['', '1000', '1', 'x', '0']),
  uid,
  selfLink: (dice) => edgeString(dice),
  managedFields: (dice) => Array.from({ length: 1 + dice.below(2) }, () => managedFields(dice)),
};

function stringMap(dice: Dice, keys: readonly string[]): Members {
  const map = new Members();
  for (let n = 1 + dice.below(3); n > 0; n--) map.set(dice.pick(keys), dice.chance(0.95) ? edgeString(dice) : edgeValue(dice, 1));
  return map;
}

function ownerReference(dice: Dice): Members {
  const owner = new Members();
  const field = (key: string, value: Tree): void => void (dice.chance(0.93) && owner.set(key, value));
  field('apiVersion', dice.pick(['v1', 'apps/v1', '', 'a/b/c', '/v1', 'v1/']));
  field('kind', dice.pick(['Pod', 'Event', '', 'pod']));
  field('name', dice.pick(['a', '', 'A b']));
  field('uid', uid(dice));
  if (dice.chance(0.5)) owner.set('controller', dice.pick([true, true, false, null]));
  if (dice.chance(0.3)) owner.set('blockOwnerDeletion', dice.pick([true, false, null, 'x']));
  if (dice.chance(0.1)) owner.set(dice.pick(['extra', 'Kind', 'namespace']), 'x');
  return owner;
}

function managedFields(dice: Dice): Members {
  const entry = new Members();
  const field = (key: string, probability: number, value: Tree): void => void (dice.chance(probability) && entry.set(key, value));
  field('manager', 0.8, dice.pick(['kubectl', '', 'x'.repeat(129), 'a\u0000']));
  field('operation', 0.9, dice.pick(['Update', 'Apply', '', 'Patch']));
  field('apiVersion', 0.9, dice.pick(['v1', 'example.com/v1', '']));
  field('time', 0.7, dice.pick(['2024-01-01T00:00:00Z', 'x', null]));
  field('fieldsType', 0.9, dice.pick(['FieldsV1', 'FieldsV2', '']));
  field(
    'fieldsV1',
    0.8,
    dice.pick<Tree>([new Members(), new Members([['f:spec', new Members()]]), new Members([['bad', new Members()]]), null, 'x', []]),
  );
  field('subresource', 0.2, dice.pick(['status', 'x'.repeat(300)]));
  return entry;
}

/** Returns one random field of ObjectMeta: its name and value. */
export function metadataField(dice: Dice): [string, Tree] {
  const name = dice.pick(Object.keys(METADATA));
  return [name, dice.chance(0.1) ? edgeValue(dice) : METADATA[name]!(dice)];
}

/** Returns random metadata: a name that most kinds accept, and sometimes a few other fields. */
export function randomMetadata(dice: Dice): Members {
  const metadata = new Members([['name', dice.chance(0.95) ? 'test' : edgeString(dice)]]);
  while (dice.chance(0.25)) metadata.set(...metadataField(dice));
  return metadata;
}
