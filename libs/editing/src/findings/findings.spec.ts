import { describe, expect, it } from 'vitest';
import { badRequestStatus, invalidStatus } from '#kube';
import type { FieldError, Status } from '#kube';
import { briefMessage, findingsOf } from './findings.ts';
import { SourceFile } from '../texts/source-file.ts';

/** Returns a text without its marker ▲, and the line and column of the marker, counted from 1. */
function marked(text: string): { readonly text: string; readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf('▲')).split('\n');
  return { text: text.replace('▲', ''), line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

const invalid = (field: string, detail = ''): Status => {
  const error: FieldError = { type: 'FieldValueInvalid', field, badValue: { kind: 'omitted' }, detail };
  return invalidStatus({ group: 'example.com', kind: 'Widget' }, 'w', [error]);
};
const HEAD = 'kind: Widget\n';

/** Documents with errors about them. The marker ▲ is at the expected place of each error. */
const CASES: readonly (readonly [name: string, text: string, status: Status])[] = [
  ['a value', `${HEAD}spec:\n  replicas: ▲0\n`, invalid('spec.replicas')],
  ['a value in flow style', `${HEAD}spec: {tags: [a, ▲b]}\n`, invalid('spec.tags[1]')],
  ['a map is meant by its name', `${HEAD}spec:\n  ▲inner: {a: 1}\n`, invalid('spec.inner')],
  ['a field that is missing: what it is missing in', `${HEAD}▲spec:\n  a: 1\n`, invalid('spec.mode')],
  ['a field of a list entry that is missing', `${HEAD}spec:\n  list:\n  - ▲a: 1\n`, invalid('spec.list[0].b')],
  ['a key in brackets', `${HEAD}metadata:\n  labels:\n    a.b/c: ▲x\n`, invalid('metadata.labels[a.b/c]')],
  ['a key with dots', `${HEAD}metadata:\n  labels:\n    a.b: ▲x\n    a: y\n`, invalid('metadata.labels.a.b')],
  ['a quoted key', `${HEAD}spec:\n  "a b": ▲x\n`, invalid('spec.a b')],
  ['no field', `# why\n\n▲${HEAD}`, invalid('<nil>')],
  ['an alias: by its name', `${HEAD}base: &b {x: 1}\n▲spec: *b\n`, invalid('spec')],
  ['a field behind an alias', `${HEAD}base: &b {x: ▲1}\nspec: *b\n`, invalid('spec.x')],
  ['a merged field', `${HEAD}base: &b {x: ▲1}\nspec:\n  <<: *b\n  y: 2\n`, invalid('spec.x')],
  ['JSON with tabs', '{\n\t"kind": "Widget",\n\t"spec": {"a":\t▲1}}', invalid('spec.a')],
  ['the last of doubled keys', `${HEAD}spec: {a: 1, a: ▲2}\n`, invalid('spec.a')],
  ['the object of a write', `object:\n  kind: Widget\n  spec: {a: ▲1}\noldObject: {spec: {a: 0}}\n`, invalid('spec.a')],
  ['characters beyond the first plane', `${HEAD}spec: {"😀": ▲1}\n`, invalid('spec.😀')],
  ['an unknown field', `${HEAD}spec:\n  ▲matchs: x\n`, badRequestStatus('strict decoding error: unknown field "spec.matchs"')],
  ['a line of YAML', `${HEAD}\n▲ a: b\n`, badRequestStatus('yaml: line 3: mapping values are not allowed in this context')],
  [
    'a shared part of a definition',
    'kind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema: {type: ▲x}\n',
    invalid('spec.validation.openAPIV3Schema.type'),
  ],
  [
    'a character of a rule',
    'kind: CustomResourceDefinition\nspec:\n  rule: >-\n    self.a ==\n    self.▲b\n',
    invalid('spec.rule', 'compilation failed: ERROR: <input>:1:16: undefined field'),
  ],
  [
    'a rule of which a default complains: the one nearest to it of those that read the same',
    'kind: CustomResourceDefinition\nspec:\n  far:\n  - rule: self.b\n  a:\n    default: {b: 1}\n    rules:\n    - rule: self.a\n    - rule: |-\n        true &&\n        self.▲b\n',
    invalid('spec.a.default', "rule compile error: compilation failed: ERROR: <input>:2:6: undefined field 'b'\n | self.b\n | .....^"),
  ],
  [
    'a character of a rule of several lines',
    'kind: CustomResourceDefinition\nspec:\n  rule: |-\n    self.a ==\n      self.▲b\n',
    invalid('spec.rule', 'compilation failed: ERROR: <input>:2:8: undefined field'),
  ],
];

describe('an error of a policy that reads an absent field', () => {
  const denied = (expression: string, error: string): string =>
    `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression '${expression}' resulted in error: ${error}`;
  const note = (message: string): string | undefined =>
    findingsOf({ status: badRequestStatus(message), warnings: [] }).find(({ severity }) => severity === 'note')?.message;

  it.each([
    ['object.spec.template.size > 1', 'no such key: template', '!has(object.spec.template) ||'],
    ['object.spec.a > 1 && object.spec.b', 'no such key: b', '!has(object.spec.b) ||'],
    ['variables.v == 1', 'composited variable "v" fails to evaluate: no such key: spec', 'spec is absent in this request: test for it'],
    ["object.metadata.labels['app'] == 'x'", 'no such key: app', 'a key of a map with in'],
  ])('gets a note that names the test to add: %s, %s', (expression, error, words) => {
    expect(note(denied(expression, error))).toContain(words);
  });

  it('gets the note also if it is a warning, and other errors get no note', () => {
    const warned = findingsOf({ warnings: [denied('object.spec.a > 1', 'no such key: a')] });
    expect(warned.map(({ severity }) => severity)).toEqual(['warning', 'note']);
    expect(note(denied('object.spec.a > 1', 'no such overload'))).toBeUndefined();
    expect(note('no such key: a')).toBeUndefined();
  });
});

describe('a finding about a word that YAML reads as a boolean', () => {
  const compiled = 'compilation failed: ERROR: <input>:1:6: undefined field ';
  it.each([
    ['the key that a rule names', 'spec:\n  rule: self.n\n  properties:\n    n: {}\n', invalid('spec.rule', `${compiled}'n'`), 'n'],
    ['a key of an object', 'spec: {yes: 1}\n', badRequestStatus('strict decoding error: unknown field "spec.true"'), 'yes'],
    ['a value', 'spec: {a: off}\n', invalid('spec.a', 'spec.a in body must be of type string: "boolean"'), 'off'],
    ['a key in quotes', 'spec: {"n": self.n}\n', invalid('spec.n', `${compiled}'n'`), undefined],
    ['null', 'spec: {a: null}\n', invalid('spec.a', 'spec.a in body must be of type string: "null"'), undefined],
    ['a boolean', 'spec: {a: true}\n', invalid('spec.a', 'spec.a in body must be of type string: "boolean"'), undefined],
  ])('gets a note that suggests quotes, except for a quoted key, null and true: %s', (_, text, status, word) => {
    const bytes = new TextEncoder().encode(HEAD + text);
    const [, note] = findingsOf({ status, warnings: [] }, new SourceFile(bytes).document({ start: 0, end: bytes.length }));
    expect(note?.message).toBe(
      word === undefined ? undefined : `YAML 1.1, which the server reads, makes a boolean of the unquoted word ${word}: write "${word}"`,
    );
  });
});

describe('a finding about an unquoted text that YAML reads as another type', () => {
  const notAText = (type: string): Status => invalid('spec.a', `spec.a in body must be of type string: "${type}"`);
  const undecoded = (type: string, path: string): Status =>
    badRequestStatus(
      `Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal ${type} into Go struct field ${path} of type string`,
    );
  it.each([
    ['a number that loses digits', 'spec: {a: ▲1.10}\n', notAText('number'), 'the number 1.1 of the unquoted text 1.10: write "1.10"'],
    ['an octal number', 'spec: {a: ▲012}\n', notAText('integer'), 'the number 10 of the unquoted text 012: write "012"'],
    ['a number', 'spec: {a: ▲80}\n', notAText('integer'), 'a text is expected, and 80 without quotes is a number: write "80"'],
    ['null', 'spec: {a: ▲~}\n', notAText('null'), 'makes null of the unquoted word ~: write "~"'],
    ['a label', 'spec: {a: yes}\nmetadata: {labels: {a: "no", b: ▲no}}\n', undecoded('bool', 'ObjectMeta.labels'), 'word no: write "no"'],
    [
      'a boolean label',
      'metadata: {labels: {b: ▲true}}\n',
      undecoded('bool', 'ObjectMeta.labels'),
      'without quotes is a boolean: write "true"',
    ],
    ['a name', 'metadata: {name: ▲12}\n', undecoded('number', 'ObjectMeta.name'), '12 without quotes is a number: write "12"'],
    [
      'a field of a definition',
      'spec: {versions: [{description: ▲on}]}\n',
      undecoded('bool', 'T.spec.versions.description'),
      'word on: write "on"',
    ],
  ])('gets a note at the position of the text: %s', (_, body, status, words) => {
    const { text, line, column } = marked(HEAD + body);
    const bytes = new TextEncoder().encode(text);
    const [, note] = findingsOf({ status, warnings: [] }, new SourceFile(bytes).document({ start: 0, end: bytes.length }));
    expect(note).toMatchObject({ severity: 'note', location: { line, column } });
    expect(note?.message).toContain(words);
  });

  it('has the position of the key yes if the server names the field "true"', () => {
    const { text, line, column } = marked(`${HEAD}spec:\n  "on": 1\n  ▲yes: 1\n`);
    const source = new SourceFile(new TextEncoder().encode(text)).document({ start: 0, end: text.length });
    expect(source.rangeOf('spec.true', 'name')).toMatchObject({ line, column });
  });
});

it.each([true, false])('a note explains an undeclared field in a rule only if the schema preserves unknown fields: %s', (isKept) => {
  const node = 'spec.versions[0].schema.openAPIV3Schema.properties[spec]';
  const kept = `x-kubernetes-preserve-unknown-fields: ${isKept}, x-kubernetes-validations: [{rule: self.foo > 0}]`;
  const text = `${HEAD}spec: {versions: [{name: v1, schema: {openAPIV3Schema: {properties: {spec: {${kept}}}}}}]}\n`;
  const status = invalid(`${node}.x-kubernetes-validations[0].rule`, "compilation failed: ERROR: <input>:1:5: undefined field 'foo'");
  const bytes = new TextEncoder().encode(text);
  const [, note] = findingsOf({ status, warnings: [] }, new SourceFile(bytes).document({ start: 0, end: bytes.length }));
  expect(note?.message.includes('declare foo among the properties') ?? false).toBe(isKept);
});

describe('findingsOf', () => {
  it.each(CASES)('finds the position of an error about %s', (_, text, status) => {
    const { text: plain, ...place } = marked(text);
    const bytes = new TextEncoder().encode(plain);
    const source = new SourceFile(bytes).document({ start: 0, end: bytes.length });
    expect(findingsOf({ status, warnings: [] }, source)).toMatchObject([{ severity: 'error', location: place }]);
  });

  it('finds positions in the second document of a file, in an item of a list', () => {
    const first = 'kind: Other\n---\n';
    const { text, line, column } = marked(`${first}kind: List\nitems:\n- {kind: Widget}\n- kind: Widget\n  spec: {é: {a: ▲1}}\n`);
    const bytes = new TextEncoder().encode(text);
    const source = new SourceFile(bytes).document({ start: first.length, end: bytes.length, item: 1 });
    expect(findingsOf({ status: invalid('spec.é.a'), warnings: [] }, source)).toMatchObject([{ location: { line, column } }]);
    expect(source.beginning).toEqual({ line: 6, column: 3 });
  });

  it('splits the errors of one expression into findings, each with its position', () => {
    const rule = 'self.a == self.b';
    const words = `compilation failed: ERROR: <input>:1:5: undefined field 'a'\n | ${rule}\n | ....^\nERROR: <input>:1:15: undefined field 'b'\n | ${rule}\n | ..............^`;
    const bytes = new TextEncoder().encode(`kind: X\nrule: ${rule}\n`);
    const source = new SourceFile(bytes).document({ start: 0, end: bytes.length });
    const findings = findingsOf({ status: invalid('rule', words), warnings: [] }, source);
    expect(findings).toMatchObject([{ location: { line: 2, column: 11 } }, { location: { line: 2, column: 21 } }]);
    expect(findings.map(briefMessage)).toEqual([
      "Invalid value: compilation failed: undefined field 'a'",
      "Invalid value: compilation failed: undefined field 'b'",
    ]);
  });

  it('splits the errors in one sentence into findings', () => {
    const strict = badRequestStatus('strict decoding error: unknown field "spec.a", unknown field "spec.b"');
    expect(findingsOf({ status: strict, warnings: ['unknown field "spec.c"'] })).toEqual([
      { severity: 'error', reason: 'BadRequest', message: 'strict decoding error: unknown field "spec.a"' },
      { severity: 'error', reason: 'BadRequest', message: 'strict decoding error: unknown field "spec.b"' },
      { severity: 'warning', message: 'unknown field "spec.c"' },
    ]);
  });

  it('finds no position in an invalid or very deeply nested text', () => {
    for (const text of ['\u0000', '[', '['.repeat(100_000), '- - -', '*unknown']) {
      const bytes = new TextEncoder().encode(text);
      const source = new SourceFile(bytes).document({ start: 0, end: bytes.length });
      expect(findingsOf({ status: invalid('spec.a'), warnings: [] }, source)).toMatchObject([{ field: 'spec.a' }]);
    }
  });
});
