import type { Dice } from './dice.ts';
import { randomObjectSchema } from './random-schema.ts';
import type { SchemaMood } from './random-schema.ts';
import { cloneTree, Members, membersOf } from './tree.ts';
import type { Tree } from './tree.ts';

/** Returns a random CRD with one to three versions, each with a random schema. Sometimes it has the subresources `status` and `scale`. */
export function randomDefinition(dice: Dice, mood: SchemaMood): Members {
  const group = dice.pick(['example.com', 'stable.example.org', 'my.group.io']);
  const [plural, kind] = dice.pick([
    ['foobars', 'FooBar'],
    ['widgets', 'Widget'],
    ['things', 'Thing'],
  ] as const);
  const count = dice.pick([1, 1, 1, 2, 3]);
  const names = ['v1', 'v1beta1', 'v2'].slice(0, count);
  const schema = rootSchema(dice, mood);
  const versions = names.map((name, index) => {
    const version = membersOf({ name, served: index === 0 || dice.chance(0.8), storage: index === 0 });
    version.set('schema', membersOf({ openAPIV3Schema: index > 0 && dice.chance(0.5) ? rootSchema(dice, mood) : cloneTree(schema) }));
    if (dice.chance(0.6)) version.set('subresources', subresources(dice));
    if (dice.chance(0.1)) version.set('deprecated', true);
    if (dice.chance(0.1)) version.set('additionalPrinterColumns', [printerColumn(dice)]);
    if (dice.chance(0.1))
      version.set('selectableFields', [
        membersOf({ jsonPath: dice.pick(['.spec.a', '.spec.b', '.spec.name', '.metadata.name', '.spec']) }),
      ]);
    return version;
  });
  return membersOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: dice.pick(['Namespaced', 'Namespaced', 'Cluster']), names: { plural, kind }, versions },
  });
}

function rootSchema(dice: Dice, mood: SchemaMood): Members {
  const root = randomObjectSchema(dice, 2, mood);
  const properties = root.object('properties');
  for (const name of ['metadata', 'kind', 'apiVersion']) properties.delete(name);
  if (dice.chance(0.9)) properties.set('spec', randomObjectSchema(dice, 3, mood));
  if (dice.chance(0.7)) properties.set('status', randomObjectSchema(dice, 2, mood));
  if (dice.chance(0.15)) properties.set('metadata', metadataSchema(dice));
  if (dice.chance(0.1)) properties.set(dice.pick(['kind', 'apiVersion']), membersOf({ type: 'string' }));
  if (root.get('required') !== undefined && dice.chance(0.5)) root.delete('required');
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'not', 'x-kubernetes-map-type']) if (dice.chance(0.7)) root.delete(keyword);
  return root;
}

function metadataSchema(dice: Dice): Members {
  const name = dice.pick([
    { type: 'string', maxLength: 5 },
    { type: 'string', pattern: '^t' },
    { type: 'string', enum: ['test', 'a'] },
    { type: 'string', format: 'ipv4' },
  ]);
  return membersOf({ type: 'object', properties: { [dice.pick(['name', 'name', 'generateName'])]: name } });
}

/** Returns a random printer column, which is valid in most cases. */
export function printerColumn(dice: Dice): Members {
  const column = membersOf({
    name: dice.pick(['A', 'Age', '']),
    type: dice.pick(['string', 'integer', 'date', 'x', 'number']),
    jsonPath: dice.pick(['.spec.a', '.metadata.creationTimestamp', 'spec', '', '.spec[0]', '.a b', '.spec["x"]']),
  });
  if (dice.chance(0.3)) column.set('format', dice.pick(['int32', 'date-time', 'x', 'password', 'byte']));
  if (dice.chance(0.2)) column.set('priority', dice.pick([0, 1, -1]));
  return column;
}

/** Returns random subresources: `status`, and `scale` with field paths that may or may not exist. */
export function subresources(dice: Dice): Members {
  const both = new Members();
  if (dice.chance(0.9)) both.set('status', new Members());
  if (dice.chance(0.25)) {
    const scale = membersOf({
      specReplicasPath: dice.pick(['.spec.a', '.spec.replicas', '.spec', 'spec.a', '.status.a', '', '.spec.b.c', '.spec[0]', '.spec.']),
      statusReplicasPath: dice.pick(['.status.a', '.status.replicas', '.spec.a', '', '.status']),
    });
    if (dice.chance(0.4)) scale.set('labelSelectorPath', dice.pick(['.status.b', '.spec.name', '.metadata.name', 'x', '.status']));
    both.set('scale', scale);
  }
  return both;
}

/** Returns the versions of a definition; an empty list if the definition has no list of versions. */
export function versionsOf(definition: Members): Members[] {
  const spec: Tree | undefined = definition.get('spec');
  return spec instanceof Members ? spec.list('versions').filter((version) => version instanceof Members) : [];
}

/** Returns the schema of a version; undefined if the version has none. */
export function schemaOf(version: Members): Members | undefined {
  const holder = version.get('schema');
  const schema = holder instanceof Members ? holder.get('openAPIV3Schema') : undefined;
  return schema instanceof Members ? schema : undefined;
}
