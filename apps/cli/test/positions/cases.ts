import { yamlDefinition } from '../../../../testing/yaml-definition.ts';

/**
 * Text that contains an error. `▲` marks the character at which the error must be reported; the mark is removed before the text is
 * evaluated.
 */
export interface PositionCase {
  readonly title: string;
  /** Name of the file. Its extension determines the format in which the text is read, such as YAML or JSON. */
  readonly file: string;
  readonly text: string;
  /** Message that is reported at the mark, or the beginning of the message. */
  readonly says: string;
}

/** Definition against which the objects of the cases are validated. */
export const DEFINITION = yamlDefinition(`type: object
required: [name]
properties:
  name: {type: string, maxLength: 20}
  replicas: {type: integer, maximum: 5}
  labels: {type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 5}}
  ports:
    type: array
    maxItems: 5
    items:
      type: object
      properties: {port: {type: integer}}
      x-kubernetes-validations:
      - {rule: '!has(self.port) || self.port > 0', message: ports begin at 1}`);

const HEAD = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n';
const RULE = (rule: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {count: {type: integer}}
        x-kubernetes-validations:
${rule}
`;

/** Cases, each with a different way of writing YAML or JSON. */
export const CASES: readonly PositionCase[] = [
  { title: 'A value', file: 'a.yaml', text: `${HEAD}spec:\n  name: x\n  replicas: ▲9\n`, says: 'Invalid value: 9' },
  {
    title: 'An unknown field, at its name',
    file: 'a.yaml',
    text: `${HEAD}spec:\n  name: x\n  ▲replica: 3\n`,
    says: 'strict decoding error: unknown field "spec.replica"',
  },
  {
    title: 'A missing field, at the object that lacks it',
    file: 'a.yaml',
    text: `${HEAD}▲spec:\n  replicas: 3\n`,
    says: 'Required value',
  },
  {
    title: 'A field that occurs twice',
    file: 'a.yaml',
    text: `${HEAD}spec:\n  name: x\n▲  name: y\n`,
    says: 'strict decoding error: yaml: unmarshal errors:',
  },
  {
    title: 'An element of a list that violates a rule of the elements',
    file: 'a.yaml',
    text: `${HEAD}spec:\n  name: x\n  ports:\n  - port: 80\n  - ▲port: 0\n`,
    says: 'Invalid value: ports begin at 1',
  },
  { title: 'A value in flow style', file: 'a.yaml', text: `${HEAD}spec: {name: x, replicas: ▲9}\n`, says: 'Invalid value: 9' },
  {
    title: 'A key with dots and slashes',
    file: 'a.yaml',
    text: `${HEAD}spec:\n  name: x\n  labels:\n    app.kubernetes.io/name: ▲too-long\n`,
    says: 'Too long: may not be more than 5 bytes',
  },
  {
    title: 'A value with an anchor',
    file: 'a.yaml',
    text: `${HEAD}spec:\n  name: x\n  labels:\n    a: &long ▲too-long\n    b: ok\n`,
    says: 'Too long: may not be more than 5 bytes',
  },
  {
    title: 'A value in a later document of a stream',
    file: 'a.yaml',
    text: `${HEAD}spec: {name: fine}\n---\n# the second\n${HEAD}spec:\n  name: x\n  replicas: ▲9\n`,
    says: 'Invalid value: 9',
  },
  {
    title: 'A value in an item of a List',
    file: 'a.yaml',
    text: `apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: a}\n  spec: {name: x, replicas: ▲9}\n`,
    says: 'Invalid value: 9',
  },
  {
    title: 'A value in the output of Helm',
    file: 'a.yaml',
    text: `---\n# Source: net/templates/widget.yaml\n${HEAD}spec:\n  name: x\n  replicas: ▲9\n`,
    says: 'Invalid value: 9',
  },
  {
    title: 'A value after emoji, each of which counts as one column',
    file: 'a.yaml',
    text: `${HEAD}spec: {name: "😀😀", replicas: ▲9}\n`,
    says: 'Invalid value: 9',
  },
  {
    title: 'A value in JSON',
    file: 'a.json',
    text: `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"},\n "spec": {"name": "x", "replicas": ▲9}}\n`,
    says: 'Invalid value: 9',
  },
  {
    title: 'A value in a line of NDJSON',
    file: 'a.ndjson',
    text: `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"name":"x"}}\n{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"b"},"spec":{"name":"x","replicas":▲9}}\n`,
    says: 'Invalid value: 9',
  },
  { title: 'Broken YAML', file: 'a.yaml', text: `${HEAD}spec:\n▲  name: [x\n`, says: 'yaml: line 5: did not find expected' },
  {
    title: 'A character of a rule',
    file: 'crd.yaml',
    text: RULE('        - rule: self.count > 0 && self▲.nothing == 1'),
    says: "compilation failed: undefined field 'nothing'",
  },
  {
    title: 'A character of a rule in a block of YAML',
    file: 'crd.yaml',
    text: RULE('        - rule: |-\n            self.count > 0 &&\n            self▲.nothing == 1\n          message: m'),
    says: "compilation failed: undefined field 'nothing'",
  },
  {
    title: 'A character of a rule in quotes, after escape sequences',
    file: 'crd.yaml',
    text: RULE('        - rule: "self.count > 0 \\u0026\\u0026 self▲.nothing == 1"'),
    says: "compilation failed: undefined field 'nothing'",
  },
  {
    title: 'A keyword of a schema',
    file: 'crd.yaml',
    text: RULE('        - rule: self.count > 0\n          reason: ▲Wrong'),
    says: 'Unsupported value: "Wrong"',
  },
];

/**
 * Returns a text without its mark, and the line and column of the character after the mark. Both begin at 1; the column counts code points.
 */
export function unmarked({ text }: PositionCase): { readonly text: string; readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf('▲')).split('\n');
  return { text: text.replace('▲', ''), line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}
