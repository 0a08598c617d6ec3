// The page's gallery: the content of examples/ as texts for the page's editors.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

const examples = join(import.meta.dirname, '../examples');
const read = (...path) => readFileSync(join(examples, ...path), 'utf8');

/** Groups of examples in the order of the page. */
const [START, RULES, POLICIES] = ['Start here', 'Definitions and rules', 'Policies'];

/** Titles that say what an example shows, by the folder of the example. Folders without an entry have the name of their suite. */
const TITLES = {
  upgrade: 'Upgrade 1.36 → 1.37',
  'policies/immutable-fields': 'Immutable field',
  'policies/replica-limits': 'Replica limit',
  rules: 'Rules for numbers, lists and texts',
  transitions: 'Transition rules: compare with the stored object',
  messages: 'Messages of rules',
  ratcheting: 'Ratcheting: a stricter definition and old objects',
  'ratcheting-limits': 'Ratcheting: what it does not cover',
  expressiveness: 'References and unique names',
  'user-stories': 'Unions, quantities and dependencies',
  structural: 'Defaults, pruned fields and nulls',
  maintenance: 'A pruned field',
  keywords: 'OpenAPI keywords',
  noxu: 'anyOf, allOf and pruned fields',
  'policies/required-labels': 'Required labels',
  'policies/image-registries': 'Allowed image registries',
  'policies/pod-security': 'Baseline for Pods',
  'policies/deny-exec': 'No shell in production',
  'policies/protect-namespaces': 'Protected namespaces',
  'policies/safe-upgrades': 'Upgrades by one release',
  'policies/gateway-definitions': 'Safe changes of definitions',
  'policies/add-sidecar': 'Add a sidecar (mutating)',
  'policies/defaults-by-patch': 'Defaults of a namespace (mutating)',
};

/** Examples of the first group, in their order. */
const FIRST = ['upgrade', 'policies/immutable-fields', 'policies/replica-limits'];

/**
 * Returns all examples, each with a title, a description, its group, and the texts of the page's panes by name, such as `definitions` and
 * `objects`. The examples that a newcomer asks for come first.
 */
export function gallery() {
  const folders = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'suite.yaml')));
  const policies = readdirSync(join(examples, 'policies')).map((name) => `policies/${name}`);
  const order = [...Object.keys(TITLES), ...folders, ...policies];
  const found = [...folders, ...policies]
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((folder) => ({ group: groupOf(folder), ...exampleOf(folder) }));
  const inGroup = (group) => found.filter((example) => example.group === group);
  return [
    { group: START, ...TOO_EXPENSIVE },
    ...inGroup(START),
    {
      group: RULES,
      title: 'Gateway API',
      words: 'The definition of HTTPRoute, and routes that it accepts and refuses.',
      texts: gatewayTexts(),
    },
    ...inGroup(RULES),
    ...inGroup(POLICIES),
  ];
}

const groupOf = (folder) => (FIRST.includes(folder) ? START : folder.startsWith('policies/') ? POLICIES : RULES);

function exampleOf(folder) {
  const example = folder.startsWith('policies/') ? policyExample(folder.slice('policies/'.length)) : suiteExample(folder);
  return { ...example, title: TITLES[folder] ?? example.title };
}

/** Definition whose rule is too expensive, because nothing bounds its lists. */
const TOO_EXPENSIVE = {
  title: 'Too expensive',
  words: 'Kubernetes refuses this definition: its rule compares two lists without limits. The page computes the limits that help.',
  texts: {
    definitions: `# Each dish lists its allergens, and the menu lists all allergens.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: menus.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Menu, plural: menus }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [dishes, allergens]
              properties:
                allergens:
                  type: array
                  items: { type: string, maxLength: 20 }
                dishes:
                  type: array
                  items:
                    type: object
                    required: [name, contains]
                    properties:
                      name: { type: string, maxLength: 50 }
                      contains:
                        type: array
                        items: { type: string, maxLength: 20 }
              x-kubernetes-validations:
                - rule: self.dishes.all(dish, dish.contains.all(c, c in self.allergens))
                  message: each dish contains known allergens only
`,
    objects: `apiVersion: example.com/v1
kind: Menu
metadata: { name: lunch }
spec:
  allergens: [milk, nuts]
  dishes:
    - { name: cheese, contains: [milk] }
    - { name: cake, contains: [milk, nuts, egg] }
`,
  },
};

const gatewayTexts = () => ({ definitions: read('gateway-api/httproute-crd.yaml'), objects: read('gateway-api/httproutes.yaml') });

/**
 * Returns a suite as an example: its title, a description, and its objects, each with a comment that describes the object. An update yields
 * the old and the new object. Cases that patch the definition are left out.
 */
function suiteExample(name) {
  const { name: title, tests } = parse(read(name, 'suite.yaml'));
  const objects = [];
  const old = [];
  for (const { name: words, initial, initialCRDPatches } of tests.onCreate ?? [])
    if (!initialCRDPatches) objects.push(named(initial, words));
  for (const [i, { name: words, initial, updated, initialCRDPatches }] of (tests.onUpdate ?? []).entries()) {
    if (initialCRDPatches) continue;
    objects.push(named(updated, words, `update-${i + 1}`));
    old.push(named(initial, words, `update-${i + 1}`));
  }
  const count = `${objects.length} ${objects.length === 1 ? 'object' : 'objects'}`;
  const definitions = read(name, 'crd.yaml');
  const words = `${introOf(definitions)} ${count}${old.length > 0 ? `, of which ${old.length} update stored objects` : ''}.`;
  const texts = { definitions, objects: objects.join('---\n'), ...(old.length > 0 && { old: old.join('---\n') }) };
  return { title, words, texts };
}

/**
 * Returns an object as YAML text below the comment `words`. If `name` is given, the object gets this name. The old and the new object of an
 * update are matched by it.
 */
function named(text, words, name) {
  if (name === undefined) return `# ${words}\n${text.trimEnd()}\n`;
  const object = parse(text);
  return `# ${words}\n${stringify({ ...object, metadata: { ...object.metadata, name } })}`;
}

/** Returns the comment lines at the beginning of a YAML text as one text. They say what the example shows. */
const introOf = (text) => /^(?:#.*\n)+/.exec(text)?.[0].replaceAll(/^# ?/gm, '').trim().replaceAll('\n', ' ') ?? '';

/** Returns the documents of a YAML text that are not empty. */
const documentsIn = (text) => parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);

function policyExample(name) {
  const file = (which) => (existsSync(join(examples, 'policies', name, which)) ? read('policies', name, which) : '');
  const count = documentsIn(file('objects.yaml')).length;
  const words = `${introOf(file('policies.yaml'))} ${count} ${count === 1 ? 'request' : 'requests and objects'}.`;
  return {
    title: name.replaceAll('-', ' '),
    words,
    texts: { definitions: file('crd.yaml'), policies: file('policies.yaml'), objects: file('objects.yaml') },
  };
}
