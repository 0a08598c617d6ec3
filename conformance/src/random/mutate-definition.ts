import type { Dice } from './dice.ts';
import { edgeKey, edgeNumber, edgeString, edgeValue } from './edge-values.ts';
import { printerColumn, schemaOf, subresources, versionsOf } from './random-definition.ts';
import { randomRule } from './random-rules.ts';
import { addJunctor, KEYWORDS, randomName, randomSchema } from './random-schema.ts';
import { fittingValue, metadataField } from './random-value.ts';
import { cloneTree, Members, membersOf, placesOf } from './tree.ts';
import type { Tree } from './tree.ts';

const WILD = { wild: true, rules: true };
const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null', 'float', '', 'String', 'any'];

/** Returns a schema and all schemas below it. */
function schemasBelow(schema: Members): Members[] {
  const found = [schema];
  const descend = (below: Tree | undefined): void => void (below instanceof Members && found.push(...schemasBelow(below)));
  for (const key of ['properties', 'patternProperties', 'definitions']) {
    const named = schema.get(key);
    if (named instanceof Members) for (const [, below] of named.entries) descend(below);
  }
  for (const key of ['items', 'additionalProperties', 'not']) descend(schema.get(key));
  for (const key of ['allOf', 'anyOf', 'oneOf']) for (const below of schema.list(key)) descend(below);
  return found;
}

type SchemaMutation = (dice: Dice, schema: Members) => void;

/** Random changes to one schema, by name. */
const SCHEMA_MUTATIONS: Readonly<Record<string, SchemaMutation>> = {
  keyword: (dice, schema) => {
    const keyword = dice.pick(Object.keys(KEYWORDS));
    schema.set(keyword, KEYWORDS[keyword]!(dice, schema));
  },
  removeKeyword: (dice, schema) => {
    const entry = dice.any(schema.entries);
    if (entry) schema.delete(entry[0]);
  },
  wrongKeyword: (dice, schema) =>
    void schema.set(
      dice.pick([
        ...Object.keys(KEYWORDS),
        'type',
        'items',
        'properties',
        'required',
        'allOf',
        'not',
        'default',
        'x-kubernetes-validations',
        'x-kubernetes-list-type',
        'additionalProperties',
        'x-kubernetes-list-map-keys',
        '$ref',
        'const',
        'x-foo',
        'Type',
        'if',
      ]),
      edgeValue(dice),
    ),
  type: (dice, schema) => void schema.set('type', dice.pick(TYPES)),
  default: (dice, schema) => void schema.set('default', dice.chance(0.6) ? fittingValue(dice, schema) : edgeValue(dice)),
  rule: (dice, schema) =>
    void schema.set('x-kubernetes-validations', [...schema.list('x-kubernetes-validations'), randomRule(dice, schema)]),
  rules: (dice, schema) => void schema.set('x-kubernetes-validations', [randomRule(dice, schema), randomRule(dice, schema)]),
  listType: (dice, schema) => {
    schema.set('x-kubernetes-list-type', dice.pick(['atomic', 'set', 'map', 'map', 'Map', '']));
    if (dice.chance(0.6)) schema.set('x-kubernetes-list-map-keys', dice.some(['name', 'a', 'key', 'name', 'b', ''], 0.35));
  },
  mapType: (dice, schema) => void schema.set('x-kubernetes-map-type', dice.pick(['atomic', 'granular', 'set', ''])),
  flag: (dice, schema) =>
    void schema.set(
      dice.pick([
        'x-kubernetes-preserve-unknown-fields',
        'x-kubernetes-preserve-unknown-fields',
        'x-kubernetes-embedded-resource',
        'x-kubernetes-int-or-string',
        'nullable',
        'uniqueItems',
      ]),
      dice.chance(0.75),
    ),
  junctor: (dice, schema) => addJunctor(dice, schema, { wild: dice.chance(0.3), rules: false }),
  wildJunctor: (dice, schema) => void schema.set(dice.pick(['allOf', 'anyOf', 'oneOf']), [randomSchema(dice, 1, WILD)]),
  property: (dice, schema) => void schema.object('properties').set(randomName(dice), randomSchema(dice, 1, WILD)),
  dropProperty: (dice, schema) => {
    const properties = schema.get('properties');
    const entry = properties instanceof Members ? dice.any(properties.entries) : undefined;
    if (entry) (properties as Members).delete(entry[0]);
  },
  renameProperty: (dice, schema) => {
    const properties = schema.get('properties');
    const entry = properties instanceof Members ? dice.any(properties.entries) : undefined;
    if (entry) entry[0] = randomName(dice);
  },
  required: (dice, schema) =>
    void schema.set('required', dice.some(['a', 'b', 'name', 'spec', 'missing', '', 'a', 'metadata', 'status'], 0.3)),
  items: (dice, schema) =>
    void schema.set(
      'items',
      dice.pick([() => randomSchema(dice, 1, WILD), () => [randomSchema(dice, 0, WILD)], () => [], () => membersOf({})])(),
    ),
  additional: (dice, schema) =>
    void schema.set('additionalProperties', dice.pick([() => randomSchema(dice, 1, WILD), () => true, () => false, () => membersOf({})])()),
  unsupported: (dice, schema) =>
    void schema.set(
      ...dice.pick([
        ['id', 'x'],
        ['$schema', 'http://json-schema.org/draft-07/schema#'],
        ['$schema', 'x'],
        ['$ref', '#/definitions/a'],
        ['additionalItems', false],
        ['additionalItems', membersOf({ type: 'string' })],
        ['patternProperties', membersOf({ '^a': { type: 'string' } })],
        ['definitions', membersOf({ a: { type: 'string' } })],
        ['dependencies', membersOf({ a: ['b'] })],
        ['dependencies', membersOf({ a: { type: 'string' } })],
      ] as [string, Tree][]),
    ),
  scalar: (dice, schema) => {
    const place = dice.any(placesOf(schema).filter(({ value }) => !(value instanceof Members) && !Array.isArray(value)));
    if (place) place.replace(dice.chance(0.5) ? edgeValue(dice) : typeof place.value === 'string' ? edgeString(dice) : edgeNumber(dice));
  },
};

type DefinitionMutation = (dice: Dice, definition: Members) => void;
const onSpec =
  (change: (dice: Dice, spec: Members) => void): DefinitionMutation =>
  (dice, definition) =>
    change(dice, definition.object('spec'));
const onVersion =
  (change: (dice: Dice, version: Members, all: Tree[]) => void): DefinitionMutation =>
  (dice, definition) => {
    const version = dice.any(versionsOf(definition));
    if (version) change(dice, version, definition.object('spec').list('versions'));
  };

/** Random changes to a definition outside of its schemas, by name. */
const DEFINITION_MUTATIONS: Readonly<Record<string, DefinitionMutation>> = {
  served: onVersion((dice, version) => void version.set('served', dice.chance(0.4))),
  storage: onVersion((dice, version) => void version.set('storage', dice.chance(0.5))),
  deprecated: onVersion((dice, version) => {
    if (dice.chance(0.7)) version.set('deprecated', dice.chance(0.7));
    if (dice.chance(0.7))
      version.set(
        'deprecationWarning',
        dice.pick(['use v2', '', 'x'.repeat(256), 'x'.repeat(257), 'é'.repeat(129), 'a\nb', '\u0000', '\u200b', '\ud800']),
      );
  }),
  versionName: onVersion(
    (dice, version) => void version.set('name', dice.pick(['v1', 'v2', 'V1', '', 'v1.0', '1v', 'v1alpha1', 'x'.repeat(64), 'v1beta1'])),
  ),
  addVersion: onVersion((dice, version, all) => {
    const copy = cloneTree(version).set('name', dice.pick(['v9', 'v1', 'v3alpha1']));
    if (dice.chance(0.8)) copy.set('storage', false);
    all.splice(dice.below(all.length + 1), 0, copy);
  }),
  dropVersion: onVersion((_, version, all) => void all.splice(all.indexOf(version), 1)),
  swapStorage: (dice, definition) => {
    const versions = versionsOf(definition);
    const storage = dice.any(versions);
    for (const version of versions) version.set('storage', version === storage);
  },
  subresources: onVersion((dice, version) => void version.set('subresources', dice.chance(0.85) ? subresources(dice) : edgeValue(dice))),
  columns: onVersion(
    (dice, version) =>
      void version.set(
        'additionalPrinterColumns',
        Array.from({ length: 1 + dice.below(2) }, () => printerColumn(dice)),
      ),
  ),
  selectable: onVersion(
    (dice, version) =>
      void version.set(
        'selectableFields',
        Array.from({ length: dice.pick([1, 2, 3, 9]) }, () =>
          membersOf({
            jsonPath: dice.pick([
              '.spec.a',
              '.spec.b',
              '.spec.name',
              '.metadata.name',
              '.spec',
              '',
              'spec.a',
              '.spec["a"]',
              '.spec.a.b',
              '.status.a',
              '.spec.c',
              '.spec.key',
              '.a',
              '.b',
              '.spec.missing',
              '.spec[0]',
            ]),
          }),
        ),
      ),
  ),
  noSchema: onVersion((dice, version) =>
    version.set('schema', dice.pick<Tree>([null, new Members(), membersOf({ openAPIV3Schema: null }), membersOf({ openAPIV3Schema: {} })])),
  ),
  versionField: onVersion(
    (dice, version) =>
      void version.set(
        dice.pick(['name', 'served', 'storage', 'schema', 'Name', 'extra', 'additionalPrinterColumns', 'selectableFields', 'deprecated']),
        edgeValue(dice),
      ),
  ),
  names: onSpec(
    (dice, spec) =>
      void spec
        .object('names')
        .set(
          dice.pick(['plural', 'singular', 'kind', 'listKind', 'shortNames', 'categories']),
          dice.pick<Tree>([
            '',
            'Foo',
            'foo',
            'foo.bar',
            'x'.repeat(64),
            'FooBar',
            'FooBarList',
            'foobars',
            ['a', 'a'],
            ['A'],
            [''],
            ['a', 'x.y'],
            [],
            'a-b',
            '1a',
            'É',
          ]),
        ),
  ),
  scope: onSpec((dice, spec) => void spec.set('scope', dice.pick(['Cluster', 'Namespaced', '', 'cluster']))),
  group: onSpec(
    (dice, spec) =>
      void spec.set(
        'group',
        dice.pick([
          '',
          'example',
          'Example.com',
          'other.example.com',
          'x.k8s.io',
          'k8s.io',
          'a..b',
          'x.kubernetes.io',
          `${'a.'.repeat(130)}b`,
        ]),
      ),
  ),
  conversion: onSpec((dice, spec) => void spec.set('conversion', conversion(dice))),
  preserve: onSpec((dice, spec) => void spec.set('preserveUnknownFields', dice.chance(0.6))),
  specField: onSpec(
    (dice, spec) =>
      void spec.set(
        dice.pick([
          'group',
          'names',
          'scope',
          'versions',
          'conversion',
          'preserveUnknownFields',
          'version',
          'validation',
          'subresources',
          edgeKey(dice),
        ]),
        edgeValue(dice),
      ),
  ),
  noVersions: onSpec((dice, spec) => void spec.set('versions', dice.pick<Tree>([[], null, [new Members()]]))),
  name: (dice, definition) =>
    void definition
      .object('metadata')
      .set('name', dice.pick(['', 'a', 'x.example.com', 'A.b', 'foobars.example.com', 'foobars.example.com.'])),
  metadata: (dice, definition) => void definition.object('metadata').set(...metadataField(dice)),
  approval: (dice, definition) => {
    if (dice.chance(0.6)) definition.object('spec').set('group', 'x.k8s.io');
    definition
      .object('metadata')
      .object('annotations')
      .set(
        'api-approved.kubernetes.io',
        dice.pick([
          'https://github.com/kubernetes/kubernetes/pull/78458',
          'unapproved, testing',
          'x',
          '',
          'unapprovedx',
          'http://',
          'é://x',
        ]),
      );
  },
  status: (dice, definition) =>
    void definition.set(
      'status',
      dice.chance(0.5)
        ? membersOf({
            storedVersions: dice.pick([['v1'], [], ['v0'], ['v1', 'v1beta1']]),
            acceptedNames: { plural: 'x', kind: 'x' },
            conditions: [],
          })
        : edgeValue(dice),
    ),
  typeMeta: (dice, definition) =>
    void definition.set(
      dice.pick(['apiVersion', 'kind']),
      dice.pick<Tree>(['apiextensions.k8s.io/v1beta1', 'apiextensions.k8s.io/v1', '', 'x', null, 1, 'CustomResourceDefinitionList']),
    ),
  anything: (dice, definition) => {
    const place = dice.any(placesOf(definition));
    if (place && dice.chance(0.3)) place.remove();
    else place?.replace(edgeValue(dice));
  },
};

function conversion(dice: Dice): Tree {
  const result = new Members();
  if (dice.chance(0.9)) result.set('strategy', dice.pick(['None', 'Webhook', 'Webhook', 'Webhook', 'webhook', '']));
  if (dice.chance(0.8)) {
    const client = new Members();
    if (dice.chance(0.6))
      client.set(
        'service',
        membersOf({
          name: dice.pick(['a', '', 'A']),
          namespace: dice.pick(['b', '']),
          path: dice.pick([undefined, '/x', 'x', '/a/', '/a//b', '/A b', '']),
          port: dice.pick([undefined, 443, 0, 65536, -1]),
        }),
      );
    if (dice.chance(0.4))
      client.set(
        'url',
        dice.pick([
          'https://a/b',
          'http://a',
          'https://',
          'https://a?x',
          'https://a#f',
          'https://u:p@a',
          'x',
          '',
          'https://a:b',
          'https://[::1',
        ]),
      );
    if (dice.chance(0.4))
      client.set(
        'caBundle',
        dice.pick(['', 'aGk=', 'Cg==', '!', 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K']),
      );
    const webhook = new Members();
    if (dice.chance(0.9)) webhook.set('clientConfig', client);
    if (dice.chance(0.9))
      webhook.set(
        'conversionReviewVersions',
        dice.pick<Tree>([['v1'], ['v1beta1', 'v1'], [], ['v2'], ['v1', 'v1'], ['V1'], [''], ['v2', 'v1', '1x']]),
      );
    result.set('webhook', webhook);
  }
  return result;
}

/** Changes a definition in place by one or a few random changes. Returns the names of the changes. */
export function mutateDefinition(dice: Dice, definition: Members): string[] {
  const names: string[] = [];
  do {
    const schemas = versionsOf(definition).flatMap((version) => schemaOf(version) ?? []);
    const schema = dice.any(schemas);
    if (schema && dice.chance(0.65)) {
      const name = dice.pick(Object.keys(SCHEMA_MUTATIONS));
      const node = dice.pick(schemasBelow(schema));
      SCHEMA_MUTATIONS[name]!(dice, node);
      names.push(name);
      // Kubernetes reports an error in all versions at another path than an error in one version, so some changes apply to all versions.
      if (dice.chance(0.4))
        for (const version of versionsOf(definition))
          if (schemaOf(version)) version.object('schema').set('openAPIV3Schema', cloneTree(schema));
    } else {
      const name = dice.pick(Object.keys(DEFINITION_MUTATIONS));
      DEFINITION_MUTATIONS[name]!(dice, definition);
      names.push(name);
    }
  } while (names.length < 4 && dice.chance(0.4));
  return names;
}
