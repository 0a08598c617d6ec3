/**
 * Mistake from a public issue, with the command that explains the mistake. The input files contain only the parts that the issue is about.
 */
export interface Mistake {
  /** Public issue, as `owner/name#number`. */
  readonly issue: string;
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly status: number;
  /** Lines, or parts of lines, that the output contains in this order. */
  readonly says: readonly string[];
  /** Explanation of the mistake: why the command prints the lines in `says`. */
  readonly why: string;
}

const SPEC = 12;
/** Returns a definition in YAML. The argument contains the schema of `spec`, as the lines below `spec:`. */
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

/** Ten mistakes from public issues. */
export const MISTAKES: readonly Mistake[] = [
  {
    issue: 'splunk/splunk-operator#1881',
    title: 'A rule reads an optional field, and a server refuses objects without it with `no such key`',
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
    why: "If the evaluation of a rule ends in an error, the server refuses the object with that error, and not with the rule's own message. The field is optional, so `self.provider` may be absent. The rule must test `has(self.provider)` first.",
  },
  {
    issue: 'kubernetes-sigs/cloud-provider-kind#381',
    title: 'Kubernetes 1.30 refuses a definition with isIP()',
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
      '1.31 is the first version that accepts it',
    ],
    why: 'A server accepts a new CEL function in new rules only one version after the version that introduced the function. If a definition must work on several versions, use only functions that the oldest version accepts.',
  },
  {
    issue: 'kubernetes/kubernetes#120973',
    title: 'A simple rule over lists exceeds its cost limit by a factor of more than 100',
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
    why: 'The server assumes that lists without `maxItems` fill a whole request, and nested loops multiply the lengths of the lists. A bound for each of the two lists brings the estimate under the limit.',
  },
  {
    issue: 'kubernetes/kubernetes#124234',
    title: 'Not the rule, but its messageExpression costs too much',
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
    why: 'The server also estimates the cost of a `messageExpression`, with a separate limit. So the server may refuse a definition although the rule itself is cheap.',
  },
  {
    issue: 'kubernetes-sigs/gateway-api#2253',
    title: 'A rule against duplicates compares all elements with each other, so its cost grows with the square of the length',
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
    why: 'The cost of two nested loops over one list grows with the square of its length. If the list has the type `set` or `map`, the server refuses duplicates without a rule.',
  },
  {
    issue: 'kubernetes-sigs/agent-sandbox#858',
    title: 'An immutable field that is optional can be removed, and then set to another value',
    files: {
      'crd.yaml': crd(`type: object
properties:
  region: {type: string, maxLength: 30, x-kubernetes-validations: [{rule: self == oldSelf}]}`),
    },
    argv: ['explain', 'crd.yaml'],
    status: 0,
    says: ['advice [removable-immutable]: spec.region is optional', '!has(oldSelf.region) || has(self.region)'],
    why: 'A transition rule (a rule that reads `oldSelf`) runs only if the field is present before and after the update. An optional field can be removed in one update, and set to another value in the next one.',
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
    why: 'A transition rule (a rule that reads `oldSelf`) needs the stored object. The option `--old` names the stored objects, so that Assay judges the new objects as updates.',
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
    why: 'A server that does not validate fields strictly removes an unknown field without an error. Assay refuses the field by default, as `kubectl` does.',
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
    why: 'Rules see the name of an object, but not its namespace, labels or annotations. An admission policy sees all of them.',
  },
  {
    issue: 'operator-framework/operator-lifecycle-manager#3043',
    title: 'A stricter definition breaks stored objects, and nobody knows which ones',
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
    why: 'A stored object that violates a stricter definition stays in the cluster, but the server may refuse updates of the object. `what-if` judges stored objects under the new definition, and shows the refusals.',
  },
];
