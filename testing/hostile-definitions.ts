/**
 * Definition that is meant to exhaust the process that validates it, as the body of a request. Only bodies of at most 3 MiB reach that
 * process.
 */
export interface HostileDefinition {
  readonly name: string;
  readonly type: 'application/json' | 'application/yaml';
  readonly body: string;
  /** Texts that the answer must contain. One of them is the beginning of the answer, with its status code. */
  readonly answer: readonly string[];
  /** True if the validation of the definition takes seconds. */
  readonly long?: true;
}

const HEAD = '"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.example.com"}';
const NAMES = '"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"}';

/**
 * Returns the text of a definition with the given schema of `spec`. It is assembled as text, because some schemas are too deep for
 * JSON.stringify.
 */
export function definitionOf(spec: string, more = ''): string {
  const schema = `{"type":"object","properties":{"spec":${spec}}${more}}`;
  const versions = `[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]`;
  return `{${HEAD},"spec":{${NAMES},"versions":${versions}}}`;
}

/** Returns `inner` surrounded by `count` repetitions of `open` and `close`. */
const nested = (open: string, inner: string, close: string, count: number): string => open.repeat(count) + inner + close.repeat(count);
const many = (count: number, item: (i: number) => string): string => Array.from({ length: count }, (_, i) => item(i)).join(',');
const quoted = (text: string): string => JSON.stringify(text);
const rules = (items: string): string => `"x-kubernetes-validations":[${items}]`;
const ACCEPTED = ['200 ', '"accepted":true'];
/** Returns the expected parts of an answer that refuses a definition with a Status whose message contains `why`. */
const refused = (why: string): string[] => ['200 ', '"accepted":false', '"kind":"Status"', why];
const json = (name: string, body: string, answer = ACCEPTED): HostileDefinition => ({ name, type: 'application/json', body, answer });
const yaml = (name: string, body: string, why: string): HostileDefinition => ({
  name,
  type: 'application/yaml',
  body,
  answer: refused(why),
});

const long = (definition: HostileDefinition): HostileDefinition => ({ ...definition, long: true });

const STRING = '{"type":"string"}';
const OBJECT = '{"type":"object","properties":{"p":';
const LIST = '{"type":"array","items":';

/** Returns nested `anyOf` schemas with two branches on each level, which have 2^depth leaves. */
function junctors(depth: number): string {
  return depth === 0 ? '{"minLength":1}' : `{"anyOf":[${junctors(depth - 1)},${junctors(depth - 1)}]}`;
}

/** Returns YAML with nested aliases: each level refers nine times to the level before. */
function laughs(levels: number): string {
  const lines = ['a0: &a0 ["lol"]'];
  for (let i = 1; i <= levels; i++) lines.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(',')}]`);
  return `${lines.join('\n')}\n`;
}

/** Definition with a schema that contains itself through an alias. */
const SELF_REFERRING = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: &root
        type: object
        properties: {child: *root}
`;

/** Returns all hostile definitions. */
export function hostileDefinitions(): HostileDefinition[] {
  return [
    long(json('20,000 levels of brackets', '['.repeat(20_000), refused('exceeded max depth'))),
    long(json('4,900 levels of properties', definitionOf(nested(OBJECT, STRING, '}}', 4_900)))),
    json('4,900 levels of items', definitionOf(nested(LIST, STRING, '}', 4_900))),
    json(
      '1,500 levels of items, a rule innermost',
      definitionOf(nested(LIST, `{"type":"string",${rules('{"rule":"self != \\"a\\""}')}}`, '}', 1_500)),
    ),
    json('4,900 levels of allOf', definitionOf(`{"type":"object","allOf":[${nested('{"allOf":[', '{}', ']}', 4_900)}]}`)),
    json('9,900 levels of not', definitionOf(`{"type":"object","not":${nested('{"not":', '{}', '}', 9_900)}}`)),
    json(
      'a default of 9,900 levels',
      definitionOf(`{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":${nested('{"a":', '1', '}', 9_900)}}`),
    ),
    json('10,000 properties', definitionOf(`{"type":"object","properties":{${many(10_000, (i) => `"p${i}":${STRING}`)}}}`)),
    json(
      '10,000 properties, a rule each',
      definitionOf(
        `{"type":"object","properties":{${many(10_000, (i) => `"p${i}":{"type":"string","maxLength":9,${rules('{"rule":"self != \\"a\\""}')}}`)}}}`,
      ),
    ),
    long(json('60,000 properties', definitionOf(`{"type":"object","properties":{${many(60_000, (i) => `"p${i}":${STRING}`)}}}`))),
    long(
      json(
        '5,000 rules over 1,000 properties',
        definitionOf(
          `{"type":"object","properties":{${many(1_000, (i) => `"p${i}":${STRING}`)}},${rules(many(5_000, (i) => `{"rule":"has(self.p${i % 1_000}) || self.p1 != \\"${i}\\""}`))}}`,
        ),
      ),
    ),
    long(
      json(
        '5,000 rules that do not parse',
        definitionOf(`{"type":"object",${rules(many(5_000, (i) => `{"rule":"self ++ ${i} ((("}`))}}`),
        refused('Syntax error'),
      ),
    ),
    json(
      'a rule of 1 MB',
      definitionOf(`{"type":"string",${rules(`{"rule":${quoted(`self != "${'a'.repeat(1_000_000)}"`)}}`)}}`),
      refused('exceeds'),
    ),
    json(
      'a rule of 100,000 additions',
      definitionOf(`{"type":"integer",${rules(`{"rule":${quoted(`self${' + 1'.repeat(100_000)} > 0`)}}`)}}`),
      refused('exceeds limit'),
    ),
    json(
      'a rule of nested macros',
      definitionOf(`{"type":"array","items":{"type":"integer"},${rules(`{"rule":${quoted(nested('self.all(x, ', 'true', ')', 40))}}`)}}`),
      refused('exceeds'),
    ),
    json('an enum of 250,000 values', definitionOf(`{"type":"string","enum":[${many(250_000, (i) => `"v${i}"`)}]}`)),
    json('an enum of 250,000 equal values', definitionOf(`{"type":"string","enum":[${many(250_000, () => '"v"')}]}`)),
    json('anyOf over anyOf, 2^14 leaves', definitionOf(`{"type":"string","anyOf":[${junctors(14)}]}`)),
    long(json('oneOf of 100,000 branches', definitionOf(`{"type":"string","oneOf":[${many(100_000, (i) => `{"minLength":${i}}`)}]}`))),
    json('100,000 required names', definitionOf(`{"type":"object","required":[${many(100_000, (i) => `"r${i}"`)}]}`)),
    // Each of 50,000 errors quotes all keys: 20 GB of text. The Status contains only what fits.
    long(
      json(
        '50,000 map keys',
        definitionOf(
          `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${many(50_000, (i) => `"k${i}"`)}],"items":{"type":"object","properties":{"a":${STRING}}}}`,
        ),
        refused('more errors, left out'),
      ),
    ),
    json(
      '10,000 map keys, all required',
      definitionOf(
        `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${many(10_000, (i) => `"k${i}"`)}],"items":{"type":"object","properties":{${many(10_000, (i) => `"k${i}":${STRING}`)}},"required":[${many(10_000, (i) => `"k${9_999 - i}"`)}]}}`,
      ),
    ),
    json('a property name of 2 MB', definitionOf(`{"type":"object","properties":{${quoted('n'.repeat(2_000_000))}:${STRING}}}`)),
    json('a definition name of 2 MB', definitionOf(STRING).replace('widgets.example.com', 'w'.repeat(2_000_000)), refused('metadata.name')),
    long(json('a pattern of 1 MB', definitionOf(`{"type":"string","pattern":${quoted('(a|b)*'.repeat(170_000))}}`))),
    json(
      'a pattern of nested counts',
      definitionOf(`{"type":"string","pattern":"((((a{1,100}){1,100}){1,100}){1,100}){1,100}"}`),
      refused('regular expression'),
    ),
    json('a pattern of a million instructions', definitionOf(`{"type":"string","pattern":${quoted('[a-z]{0,1000}'.repeat(500))}}`)),
    json(
      'a pattern of more instructions than Go compiles',
      definitionOf(`{"type":"string","pattern":${quoted('[a-z]{0,1000}'.repeat(1700))}}`),
      refused('expression too large'),
    ),
    json(
      'a pattern of 100,000 brackets',
      definitionOf(`{"type":"string","pattern":${quoted('('.repeat(100_000) + ')'.repeat(100_000))}}`),
      refused('regular expression'),
    ),
    long(
      json(
        'a default of 250,000 items',
        definitionOf(`{"type":"array","items":{"type":"integer","minimum":1},"default":[${many(250_000, () => '0')}]}`),
        refused('more errors, left out'),
      ),
    ),
    json(
      'a default of a set of 200,000',
      definitionOf(
        `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"},"default":[${many(200_000, (i) => String(i))}]}`,
      ),
    ),
    json(
      'a default judged by an expensive rule',
      definitionOf(
        `{"type":"array","maxItems":5000,"items":{"type":"integer"},"default":[${many(5_000, (i) => String(i))}],${rules('{"rule":"self.all(x, self.all(y, x + y >= 0))"}')}}`,
      ),
      refused('cost'),
    ),
    json(
      '1,000 versions',
      definitionOf(STRING).replace(
        /"versions":\[(.*)\]\}\}$/s,
        (_, version: string) => `"versions":[${many(1_000, (i) => version.replace('"v1"', `"v${i + 1}"`))}]}}`,
      ),
      refused('storage'),
    ),
    json('20,000 unknown fields', definitionOf(STRING).replace('"metadata"', `${many(20_000, (i) => `"u${i}":1`)},"metadata"`)),
    json('20,000 times the same field', definitionOf(STRING).replace('"metadata"', `${many(20_000, () => '"status":{}')},"metadata"`)),
    long(
      json(
        '60,000 fields of a wrong type',
        definitionOf(`{"type":"object","properties":{${many(60_000, (i) => `"p${i}":1`)}}}`),
        refused('cannot unmarshal number'),
      ),
    ),
    json(
      'keys that are prototypes',
      definitionOf(`{"type":"object","properties":{"__proto__":${STRING},"constructor":${STRING},"toString":${STRING}}}`),
    ),
    yaml('a billion laughs', laughs(9), 'excessive aliasing'),
    yaml('a schema that holds itself', SELF_REFERRING, 'contains itself'),
    yaml(
      '5,000 levels of YAML',
      `${Array.from({ length: 5_000 }, (_, i) => `${' '.repeat(Math.min(i, 400))}a:`).join('\n')}\n`,
      'Required value',
    ),
    yaml('100,000 levels of flow', '['.repeat(100_000), 'exceeded max depth of 10000'),
    json('a body of 4 MB', definitionOf(STRING).replace('"metadata"', `"pad":"${'x'.repeat(4_000_000)}","metadata"`), [
      '413 ',
      'limit is 3145728',
    ]),
  ];
}
