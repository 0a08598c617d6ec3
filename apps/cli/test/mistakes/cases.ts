/**
 * A mistake from a public issue, with the command that explains it. The inputs contain only the parts that the issue is
 * about.
 */
export interface Mistake {
  /** The issue: `owner/name#number`. */
  readonly issue: string;
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly status: number;
  /** Lines of the answer, in order, or parts of such. */
  readonly says: readonly string[];
  /** Steps to the answer when newcomers first tried these issues with Assay; undefined: it had none. And now. */
  readonly steps: { readonly before: number | undefined; readonly now: number };
  /** The steps that a user needed before. */
  readonly before: string;
}

const SPEC = 12;
/** Returns a definition with a schema of `spec`, in the form of its lines below `spec:`. */
const crd = (spec: string): string => `apiVersion: apiextensions.k8s.io/v1
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
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
${spec.replaceAll(/^(?=.)/gm, ' '.repeat(SPEC))}
`;
const widget = (spec: string): string => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: ${spec}\n`;

/** Ten of them. */
export const MISTAKES: readonly Mistake[] = [
  {
    issue: 'splunk/splunk-operator#1881',
    title: 'A rule reads an optional field, and objects without it are rejected with `no such key`',
    files: {
      'crd.yaml': crd(`type: object
properties:
  storage:
    type: object
    properties: {provider: {type: string, maxLength: 20}, path: {type: string, maxLength: 99}}
    x-kubernetes-validations:
    - rule: self.provider != 's3' || has(self.path)`),
    },
    argv: ['evaluate', 'crd.yaml'],
    status: 0,
    says: ['crd.yaml:24:25: note:', 'spec.storage.provider may be absent', '^'],
    steps: { before: 1, now: 1 },
    before: 'the error of an object that is rejected, without a hint at has(); now the definition alone tells, before there is an object',
  },
  {
    issue: 'kubernetes-sigs/cloud-provider-kind#381',
    title: 'A definition with isIP() does not load on 1.30',
    files: {
      'crd.yaml': crd(`type: object
required: [address]
properties:
  address:
    type: string
    maxLength: 45
    x-kubernetes-validations:
    - rule: isIP(self)`),
    },
    argv: ['explain', 'crd.yaml', '--oldest', '1.30'],
    status: 0,
    says: [
      'crd.yaml:25:25: note: advice [newer-function]: 1.30 does not compile this rule (newer is isIP())',
      '1.31 is the first that takes it',
    ],
    steps: { before: 1, now: 1 },
    before: 'matrix showed the refusal; now the character of the rule is named, and the minor that suffices',
  },
  {
    issue: 'kubernetes/kubernetes#120973',
    title: 'A simple rule over lists exceeds the budget more than 100x',
    files: {
      'crd.yaml': crd(`type: object
required: [values]
properties:
  values:
    type: array
    items: {type: array, items: {type: string}}
x-kubernetes-validations:
- rule: self.values.all(v, v.all(w, w.startsWith('a')))`),
    },
    argv: ['explain', '--fix', 'crd.yaml'],
    status: 0,
    says: ['+++ b/crd.yaml', 'maxItems'],
    steps: { before: 3, now: 1 },
    before: 'explain, its first suggestion (still refused), then the next one; now one patch, which was judged',
  },
  {
    issue: 'kubernetes/kubernetes#124234',
    title: 'The cost is that of a messageExpression',
    files: {
      'crd.yaml': crd(`type: object
required: [name]
properties: {name: {type: string}, n: {type: integer}}
x-kubernetes-validations:
- rule: self.name != ''
  messageExpression: "self.name.split('.').map(p, p + self.name).join(',')"`),
    },
    argv: ['explain', 'crd.yaml', '--rule', '1'],
    status: 1,
    says: ['messageExpression: estimate', 'exceeds the limit', 'self.name.split'],
    steps: { before: 1, now: 1 },
    before: 'as now, below the whole message of the server, for each version again',
  },
  {
    issue: 'kubernetes-sigs/gateway-api#2253',
    title: 'Uniqueness by comparing all with all costs the square of the list',
    files: {
      'crd.yaml': crd(`type: object
required: [ports]
properties:
  ports:
    type: array
    items: {type: object, required: [name], properties: {name: {type: string, maxLength: 63}}}
x-kubernetes-validations:
- rule: self.ports.all(a, self.ports.exists_one(b, a.name == b.name))`),
    },
    argv: ['evaluate', 'crd.yaml'],
    status: 1,
    says: [
      'Forbidden: estimated rule cost exceeds budget by factor of more than 100x',
      'x-kubernetes-list-type: map on spec.ports, with x-kubernetes-list-map-keys: [name]',
    ],
    steps: { before: undefined, now: 1 },
    before: 'bounds only, which make the list short; that a list type does the same was said nowhere',
  },
  {
    issue: 'kubernetes-sigs/agent-sandbox#858',
    title: 'An immutable field that is optional can be removed and set anew',
    files: {
      'crd.yaml': crd(`type: object
properties:
  region: {type: string, maxLength: 30, x-kubernetes-validations: [{rule: self == oldSelf}]}`),
    },
    argv: ['explain', 'crd.yaml'],
    status: 0,
    says: ['advice [removable-immutable]: spec.region is optional', '!has(oldSelf.region) || has(self.region)'],
    steps: { before: 3, now: 1 },
    before: 'write a suite with two updates, run it, read which of them was accepted',
  },
  {
    issue: 'crossplane/crossplane#7532',
    title: 'Transition rules cannot be tried offline',
    files: {
      'crd.yaml': crd(`type: object
required: [replicas]
properties: {replicas: {type: integer}}
x-kubernetes-validations: [{rule: self.replicas >= oldSelf.replicas, message: never fewer}]`),
      'old.yaml': widget('{replicas: 3}'),
      'new.yaml': widget('{replicas: 2}'),
    },
    argv: ['evaluate', 'crd.yaml', 'new.yaml', '--old', 'old.yaml'],
    status: 1,
    says: ['new.yaml:4:1: error: Widget "a": spec: Invalid value: never fewer'],
    steps: { before: 2, now: 1 },
    before: 'write a document with both objects, evaluate it',
  },
  {
    issue: 'fluxcd/flux-schema#17',
    title: 'A misspelt field passes validation',
    files: {
      'crd.yaml': crd('type: object\nproperties: {parentRefs: {type: array, items: {type: string}}}'),
      'a.yaml': widget('{parentRef: [gate]}'),
    },
    argv: ['evaluate', 'crd.yaml', 'a.yaml'],
    status: 1,
    says: ['a.yaml:4:8: error: Widget "a": strict decoding error: unknown field "spec.parentRef"'],
    steps: { before: undefined, now: 1 },
    before: 'accepted with a warning, and status 0',
  },
  {
    issue: 'kubeflow/trainer#3154',
    title: 'A rule reads metadata.namespace, which rules cannot see',
    files: {
      'crd.yaml': crd('type: object').replace(
        '        properties:\n',
        "        x-kubernetes-validations:\n        - rule: self.metadata.name != '' && self.metadata.namespace != ''\n        properties:\n",
      ),
    },
    argv: ['evaluate', 'crd.yaml'],
    status: 1,
    says: ['crd.yaml:17:58: error:', "compilation failed: undefined field 'namespace'", '^'],
    steps: { before: 1, now: 1 },
    before: "the compiler's text with its own picture of the rule; now the character in the file",
  },
  {
    issue: 'operator-framework/operator-lifecycle-manager#3043',
    title: 'Which stored objects does a tighter definition break?',
    files: {
      'old.yaml': crd('type: object\nproperties: {name: {type: string}, replicas: {type: integer}}'),
      'new.yaml': crd('type: object\nproperties: {name: {type: string}, replicas: {type: integer, maximum: 5}}\nrequired: [replicas]'),
      'dump.yaml': `apiVersion: example.com/v1
kind: Widget
metadata: {name: a, namespace: default, uid: 1c9e, resourceVersion: '71'}
spec: {name: x}
`,
    },
    argv: ['what-if', '--from', 'old.yaml', '--to', 'new.yaml', 'dump.yaml'],
    status: 1,
    says: ['dump.yaml:4:1 "a" breaks on the next change', 'spec.replicas: Required value'],
    steps: { before: undefined, now: 1 },
    before: 'a wrong answer: whatever was dumped from a cluster counted as invalid before, with status 0',
  },
];
