import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runAssay } from '../../../testing/run-assay.ts';

/** Command on small files, with its exit status and parts of its output in order. */
interface Case {
  readonly title: string;
  readonly argv: readonly string[];
  readonly status: number;
  readonly says: readonly string[];
  readonly never?: string;
}

const definition = (
  spec: string,
  { name = 'gdss', top = '', api = 'v1', versions = '' } = {},
): string => `apiVersion: apiextensions.k8s.io/${api}
kind: CustomResourceDefinition
metadata: {name: ${name}.x.io}
${top}spec:
  group: x.io
  scope: Namespaced
  names: {plural: ${name}, singular: ${name}a, kind: ${name.toUpperCase()}, listKind: ${name.toUpperCase()}List}
  versions:
${versions}  - name: v1
    served: true
    storage: ${versions === ''}
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: ${spec}}}
`;
/** Schema of another version, which becomes the storage version. */
const NEXT = `  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n`;
const policy = (spec: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [x.io], apiVersions: [v1], operations: [CREATE], resources: [gdss]}]}
${spec}
`;

/** Returns a definition in JSON. White space of `wide` bytes follows its first token. */
function json(description: string, { name = 'gdss', wide = 0 } = {}): string {
  const value = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}.x.io` },
    spec: {
      group: 'x.io',
      scope: 'Namespaced',
      names: { plural: name, kind: name.toUpperCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  return JSON.stringify(value, null, 4).replace('{', `{${' '.repeat(wide)}`);
}
const listOf = (...items: readonly string[]): string => `{"apiVersion": "v1", "kind": "List", "items": [${items.join(', ')}]}\n`;
/** Number of bytes that exceeds the limit of a request to a server. */
const WIDE = 3_200_000;

/** Input files of all cases, by name. */
const FILES: Readonly<Record<string, string>> = {
  'good.yaml': definition('{type: {type: string, maxLength: 20}}'),
  'short.yaml': definition('{type: {type: string, maxLength: 2}}'),
  'beta.yaml': definition('{type: {type: string}}', { api: 'v1beta1' }),
  'next.yaml': definition('{type: {type: string}}', { versions: NEXT }),
  'only-next.yaml': definition('{type: {type: string}}', { versions: NEXT }).replace(/  - name: v1\n[^]*$/, ''),
  'next-object.yaml': 'apiVersion: x.io/v2\nkind: GDSS\nmetadata: {name: a}\n',
  'wide.json': json('small', { wide: WIDE }),
  'wide.yaml': `${definition('{type: {type: string}}')}#${'-'.repeat(WIDE)}\n`,
  'wide-list.json': listOf(json('small', { name: 'others' }), json('small', { wide: 3 * WIDE })),
  'wide-object.json': `{${' '.repeat(WIDE)}"apiVersion": "x.io/v1", "kind": "GDSS", "metadata": {"name": "a"}, "spec": {"type": "secret"}}`,
  'large-list.json': listOf(json('small'), json('x'.repeat(WIDE), { name: 'large' })),
  'defaults.yaml': definition('{config: {type: object, default: {}, properties: {retention: {type: string, default: 7d}}}}'),
  'empty.yaml': 'apiVersion: x.io/v1\nkind: GDSS\nmetadata: {name: empty}\nspec: {}\n',
  'int-or-strings.yaml': definition(
    `{sizes: {type: array, maxItems: 64, items: {x-kubernetes-int-or-string: true, x-kubernetes-validations: [{rule: "quantity(self).isGreaterThan(quantity('0'))"}]}}}`,
  ),
  'unknown-function.yaml': definition(
    '{sizes: {type: string, x-kubernetes-validations: [{rule: "isSemver(self)"}]}, all: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self.all(a, self.all(b, a != b))"}]}}',
  ),
  'secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n',
  'misspelt.yaml': definition('{type: {type: string, maxLenght: 3}, b: {type: string, maxLength: 3, maxLength: 5}}'),
  'stray.yaml': definition('{type: {type: string}}', { top: 'rules: []\nroleRef: {name: a}\n' }),
  'catalogue/x.io_gdss.yaml': definition('{type: {type: string, maxLenght: 3}}'),
  'stray-policy.yaml': policy('  matchConstraint: {}\n  validations: [{expression: "true"}]\n  validations: [{expression: "true"}]'),
  'bad-policy.yaml': policy('  validations: [{expression: "object.spec.type =="}]'),
  'good-policy.yaml': policy('  validations: [{expression: "true"}]'),
  'dear.yaml': definition(
    '{type: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self.all(a, self.all(b, a != b))"}]}}',
  ),
  'number.yaml': 'apiVersion: x.io/v1\nkind: GDSS\nmetadata: {name: a}\nspec: {type: 1}\n',
  'object.yaml': 'apiVersion: x.io/v1\nkind: GDSS\nmetadata: {name: a}\nspec: {type: secret}\n',
};

const MISSPELT = 'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.type.maxLenght"';
const DOUBLED = 'strict decoding error: line 15: key "maxLength" already set in map';
const STRAY_POLICY = 'unknown field "spec.matchConstraint"';

const STRICT: readonly Case[] = [
  {
    title: 'evaluate',
    argv: ['evaluate', 'misspelt.yaml'],
    status: 1,
    says: ['15:1: error', DOUBLED, 'error', MISSPELT, 'Summary: 1 definition in 1 file - Accepted: 0, Refused: 1'],
  },
  { title: 'matrix', argv: ['matrix', 'misspelt.yaml'], status: 1, says: ['NO', 'strict decoding error', MISSPELT] },
  { title: 'explain', argv: ['explain', 'stray.yaml'], status: 1, says: ['refused', 'unknown field "roleRef"', 'unknown field "rules"'] },
  {
    title: 'what-if, for the new definition',
    argv: ['what-if', '--from', 'stray.yaml', '--to', 'misspelt.yaml', 'object.yaml'],
    status: 1,
    says: ['The change of gdss.x.io is refused', 'strict decoding error'],
  },
  {
    title: 'what-if, but not for the stored definition',
    argv: ['what-if', '--from', 'stray.yaml', '--to', 'good.yaml', 'object.yaml'],
    status: 0,
    says: ['1 unaffected'],
  },
  {
    title: 'a policy',
    argv: ['evaluate', 'stray-policy.yaml', 'object.yaml', 'good.yaml'],
    status: 1,
    says: ['key "validations" already set in map', STRAY_POLICY],
  },
  {
    title: 'not if the option says otherwise',
    argv: ['evaluate', '--field-validation', 'Warn', 'misspelt.yaml', 'stray-policy.yaml', 'object.yaml'],
    status: 0,
    says: ['warning', 'already set in map', 'warning', MISSPELT, 'already set in map', STRAY_POLICY, 'Accepted: 1'],
  },
  {
    title: 'not for definitions of a catalogue, which clusters have installed',
    argv: ['evaluate', '--crds', 'catalogue', 'object.yaml'],
    status: 0,
    says: ['Accepted: 1'],
    never: 'warning',
  },
];

const REFUSED: readonly Case[] = [
  {
    title: 'evaluate of a policy alone',
    argv: ['evaluate', 'bad-policy.yaml'],
    status: 1,
    says: ['bad-policy.yaml:6:50: error', 'Summary: 1 policy document in 1 file - Accepted: 0, Refused: 1'],
  },
  {
    title: 'evaluate of a good policy alone',
    argv: ['evaluate', 'good-policy.yaml'],
    status: 0,
    says: [
      'good-policy.yaml:1:1: ValidatingAdmissionPolicy "p" accepted',
      'Summary: 1 policy document in 1 file - Accepted: 1, Refused: 0',
    ],
    never: 'refused',
  },
  {
    title: 'a policy beside an object',
    argv: ['evaluate', 'good.yaml', 'object.yaml', 'bad-policy.yaml'],
    status: 1,
    says: ['1 policy document (1 refused)', 'Accepted: 1'],
  },
  {
    title: 'evaluate of a policy in JUnit',
    argv: ['evaluate', '-o', 'junit', 'bad-policy.yaml'],
    status: 1,
    says: ['failures="1"', 'ValidatingAdmissionPolicy'],
  },
  {
    title: 'evaluate of a policy in SARIF',
    argv: ['evaluate', '-o', 'sarif', 'bad-policy.yaml'],
    status: 1,
    says: ['"ruleId": "refused-policy"'],
  },
  { title: 'matrix of a policy alone', argv: ['matrix', 'bad-policy.yaml'], status: 1, says: ['ValidatingAdmissionPolicy p', 'NO'] },
  { title: 'explain of a policy alone', argv: ['explain', 'bad-policy.yaml'], status: 1, says: ['would be refused'] },
  {
    title: 'explain of a policy in SARIF',
    argv: ['explain', '-o', 'sarif', 'bad-policy.yaml'],
    status: 1,
    says: ['"ruleId": "refused-policy"'],
  },
  {
    title: 'what-if of policies',
    argv: ['what-if', '--from', 'good-policy.yaml', '--to', 'bad-policy.yaml', 'good.yaml', 'object.yaml'],
    status: 1,
    says: ['ValidatingAdmissionPolicy "p" would be refused', '1 unaffected'],
  },
  { title: 'matrix of a definition', argv: ['matrix', 'dear.yaml'], status: 1, says: ['NO    NO', '0 of 1 documents change'] },
  {
    title: 'matrix of a definition in SARIF',
    argv: ['matrix', '-o', 'sarif', 'dear.yaml'],
    status: 1,
    says: ['"ruleId": "refused-definition"'],
  },
  { title: 'matrix of a definition in JUnit', argv: ['matrix', '-o', 'junit', 'dear.yaml'], status: 1, says: ['failures="1"'] },
  { title: 'matrix of an object', argv: ['matrix', 'good.yaml', 'number.yaml'], status: 1, says: ['NO    NO', '0 of 2 documents change'] },
  {
    title: 'matrix of what all minors take',
    argv: ['matrix', 'good.yaml', 'object.yaml', 'good-policy.yaml'],
    status: 0,
    says: ['0 of 3 documents change'],
  },
];

const SAME_NAME: readonly Case[] = [
  {
    title: 'the later one judges',
    argv: ['evaluate', 'short.yaml', 'good.yaml', 'object.yaml'],
    status: 0,
    says: ['(short.yaml#1, good.yaml#1)', 'objects are judged by good.yaml#1', 'Accepted: 1'],
    never: 'Conflict',
  },
  {
    title: 'also if the later one is stricter',
    argv: ['evaluate', 'good.yaml', 'short.yaml', 'object.yaml'],
    status: 1,
    says: ['Too long', 'objects are judged by short.yaml#1', 'Refused: 1'],
  },
  {
    title: 'a refused update leaves the first one',
    argv: ['evaluate', 'good.yaml', 'beta.yaml', 'object.yaml'],
    status: 1,
    says: ['does not match the expected API version', 'objects are judged by good.yaml#1', 'Accepted: 1'],
  },
  {
    title: 'after a refused creation the next one is a creation',
    argv: ['evaluate', 'beta.yaml', 'good.yaml', 'object.yaml'],
    status: 1,
    says: ['objects are judged by good.yaml#1', 'Accepted: 1'],
  },
  {
    title: 'an update may not drop a version that a definition before it stored',
    argv: ['evaluate', 'good.yaml', 'next.yaml', 'only-next.yaml', 'object.yaml', 'next-object.yaml'],
    status: 1,
    says: ['status.storedVersions[0]', 'missing from spec.versions', 'objects are judged by next.yaml#1', 'Accepted: 2'],
  },
  {
    title: 'the same definition twice',
    argv: ['evaluate', 'good.yaml', 'good.yaml', 'object.yaml'],
    status: 0,
    says: ['Accepted: 1'],
    never: 'Conflict',
  },
  {
    title: 'in JSON, the position of the definition that is updated',
    argv: ['evaluate', '-o', 'json', 'short.yaml', 'good.yaml'],
    status: 0,
    says: ['"updateOf": 0'],
  },
  {
    title: 'on all minors',
    argv: ['matrix', 'short.yaml', 'good.yaml', 'object.yaml'],
    status: 0,
    says: ['2 definitions are named gdss.x.io (short.yaml#1, good.yaml#1)', '0 of 3 documents change'],
  },
];

const LARGE: readonly Case[] = [
  { title: 'a list', argv: ['evaluate', 'wide-list.json', 'object.yaml'], status: 0, says: ['2 definitions', 'Accepted: 1'] },
  { title: 'a JSON definition', argv: ['evaluate', 'wide.json', 'wide-object.json'], status: 0, says: ['Accepted: 1'] },
  { title: 'a YAML definition', argv: ['evaluate', 'wide.yaml', 'object.yaml'], status: 0, says: ['Accepted: 1'] },
  { title: 'matrix', argv: ['matrix', 'wide-list.json', 'wide.yaml'], status: 0, says: ['0 of 3 documents change'] },
  { title: 'explain', argv: ['explain', 'wide-list.json'], status: 0, says: ['gdss.x.io" accepted'] },
  { title: 'bench', argv: ['bench', 'wide.json'], status: 0, says: ['0 rules'], never: 'refuses' },
  {
    title: 'what-if',
    argv: ['what-if', '--from', 'wide.json', '--to', 'wide.yaml', 'wide-object.json'],
    status: 0,
    says: ['The change of gdss.x.io is admitted', '1 unaffected'],
  },
  {
    title: 'what is too large without white space is refused by its name, and the others are judged',
    argv: ['evaluate', 'large-list.json', 'object.yaml'],
    status: 1,
    says: ['CustomResourceDefinition "large.x.io": Request entity too large: limit is 3145728', 'Accepted: 1'],
  },
];

const OTHERS: readonly Case[] = [
  {
    title: 'a bound for all minors from the oldest on',
    argv: ['explain', '--fix', '--allow-tightening', '--exact', '--oldest', '1.30', 'int-or-strings.yaml'],
    status: 0,
    says: ['maxItems: 31'],
    never: 'maxLength',
  },
  {
    title: 'the existing bound that would have to be lowered for an old minor',
    argv: ['explain', '--fix', '--oldest', '1.30', 'int-or-strings.yaml'],
    status: 1,
    says: ['not fixed: Kubernetes 1.30: no missing bound helps', '--allow-tightening would set spec.sizes: maxItems 16 (was 64)'],
    never: 'maxLength',
  },
  {
    title: 'a bound for one minor',
    argv: ['explain', '--fix', 'int-or-strings.yaml'],
    status: 0,
    says: ['maxLength'],
  },
  {
    title: 'the minor that no bound helps',
    argv: ['explain', '--fix', '--oldest', '1.30', 'unknown-function.yaml'],
    status: 1,
    says: ['not fixed: Kubernetes 1.30:'],
  },
  {
    title: 'the stored object in text',
    argv: ['evaluate', '--return-objects', 'defaults.yaml', 'empty.yaml'],
    status: 0,
    says: ['GDSS "empty" accepted', '    spec:\n      config:\n        retention: 7d', 'Summary'],
  },
  {
    title: 'no stored object of what is left out',
    argv: ['evaluate', '--return-objects', '--quiet', 'defaults.yaml', 'empty.yaml'],
    status: 0,
    says: ['Summary'],
    never: 'retention',
  },
  {
    title: 'what-if skips objects of other kinds',
    argv: ['what-if', '--from', 'good.yaml', '--to', 'good.yaml', 'secret.yaml', 'object.yaml'],
    status: 0,
    says: ['1 object: 1 unaffected', '1 object of other kinds skipped'],
  },
  {
    title: 'what-if of other kinds alone judges nothing',
    argv: ['what-if', '--from', 'good.yaml', '--to', 'good.yaml', 'secret.yaml'],
    status: 1,
    says: ['1 object of other kinds skipped', 'No object could be judged'],
  },
];

describe('files that are evaluated as kubectl applies them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-applied-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function check({ argv, status, says, never }: Case): Promise<void> {
    const { status: ended, stdout, stderr } = await runAssay(argv, { cwd: folder });
    const output = stdout + stderr;
    let rest = output;
    for (const part of says) {
      expect(rest).toContain(part);
      rest = rest.slice(rest.indexOf(part) + part.length);
    }
    if (never !== undefined) expect(output).not.toContain(never);
    expect(ended).toBe(status);
  }

  it.each(STRICT.map((one) => [one.title, one] as const))(
    'are rejected for unknown or duplicate fields in definitions and policies: %s',
    (_, one) => check(one),
  );

  it.each(REFUSED.map((one) => [one.title, one] as const))('give status 1 if a server rejects them: %s', (_, one) => check(one));

  it.each(SAME_NAME.map((one) => [one.title, one] as const))('are applied in their order if definitions have the same name: %s', (_, one) =>
    check(one),
  );

  it.each(LARGE.map((one) => [one.title, one] as const))('are measured by the compact JSON that kubectl sends: %s', (_, one) => check(one));

  it.each(OTHERS.map((one) => [one.title, one] as const))('give the expected output and status: %s', (_, one) => check(one));
});
