// The page's gallery: the content of examples/ as texts for the page's editors.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

const examples = join(import.meta.dirname, '../examples');
const read = (...path) => readFileSync(join(examples, ...path), 'utf8');

/**
 * Returns all examples, each with a title, a description and the texts of the page's panes by name, such as `definitions` and `objects`.
 */
export function gallery() {
  const folders = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'suite.yaml')));
  const policies = readdirSync(join(examples, 'policies'));
  return [
    { title: 'Gateway API', words: 'The definition of HTTPRoute, and routes that it accepts and refuses.', texts: gatewayTexts() },
    ...folders.map(suiteExample),
    ...policies.map((name) => policyExample(name)),
  ];
}

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
    title: `Policy: ${name.replaceAll('-', ' ')}`,
    words,
    texts: { definitions: file('crd.yaml'), policies: file('policies.yaml'), objects: file('objects.yaml') },
  };
}
