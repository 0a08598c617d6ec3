import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { BINDING, DEPLOYMENT, ofObject, ofPolicy, PLAIN, policy, update, widget } from './message-case.ts';
import type { MessageCase } from './message-case.ts';

/** Messages about objects that a server refuses to create. */
export const OBJECTS: readonly MessageCase[] = [
  ofObject('type: object\nproperties: {zone: {type: string}}', 'spec: {zon: a}', {
    message: 'strict decoding error: unknown field "spec.zon"',
    meaning:
      'The schema has no such field, and the client requested strict field validation, as `kubectl` does. Without strict validation, the server removes the field.',
    remedy: 'Correct the name. `--field-validation Warn` shows what a server does with other clients.',
  }),
  ofObject('type: object\nproperties: {zone: {type: string}}', 'spec: {zone: a, zone: b}', {
    message: 'key "zone" already set in map',
    meaning: 'A key occurs twice in one mapping.',
    remedy: 'Remove one of them.',
  }),
  ofObject('type: object\nproperties: {zone: {type: string, enum: [a, b]}}', 'spec: {zone: c}', {
    message: 'spec.zone: Unsupported value: "c": supported values: "a", "b"',
    meaning: 'The value is not among those of `enum`. The comparison distinguishes upper and lower case.',
    remedy: 'Use a supported value.',
  }),
  ofObject('type: object\nrequired: [zone]\nproperties: {zone: {type: string}}', 'spec: {}', {
    message: 'spec.zone: Required value',
    meaning:
      'A required field is missing, and has no default. For a field that became required, old objects get this message at their next change.',
    remedy: 'Set the field. As the author, give it a default ([change a definition](../tutorial/change-a-definition.md)).',
  }),
  ofObject('type: object\nproperties: {count: {type: integer}}', `spec: {count: '3'}`, {
    message: 'spec.count: Invalid value: "string": spec.count in body must be of type integer: "string"',
    meaning: 'The value has another type. After `Invalid value`, the message shows the type of the value, and not the value.',
    remedy: 'Remove the quotes around a number. Templates such as those of Helm often add them.',
  }),
  ofObject('type: object\nproperties: {answer: {type: string}}', 'spec: {answer: yes}', {
    message: 'spec.answer: Invalid value: "boolean": spec.answer in body must be of type string: "boolean"',
    meaning: 'YAML 1.1 reads `yes`, `no`, `on`, `off`, `y` and `n` as booleans.',
    remedy: "Quote the word: `answer: 'yes'`. A version such as `1.10` is a number for the same reason.",
  }),
  ofObject('type: object\nproperties: {zones: {type: array, items: {type: string}}}', 'spec: {zones: [null]}', {
    message: 'spec.zones[0]: Invalid value: "null": spec.zones[0] in body must be of type string: "null"',
    meaning: 'The item is null. A template often produces an empty item.',
    remedy: 'Remove the item. As the author, add `nullable: true` if null is meaningful.',
  }),
  ofObject('type: object\nproperties: {zones: {type: array, maxItems: 1, items: {type: string}}}', 'spec: {zones: [a, b]}', {
    message: 'spec.zones: Too many: 2: must have at most 1 item',
    meaning: 'The list is longer than `maxItems`.',
    remedy: 'Shorten the list. As the author, check what a larger bound does to the cost of rules (`assay explain`).',
  }),
  ofObject('type: object\nproperties: {zone: {type: string, maxLength: 3}}', 'spec: {zone: north}', {
    message: 'spec.zone: Too long: may not be more than 3 bytes',
    meaning: 'The text is longer than `maxLength`. The server counts characters, although the message says bytes.',
    remedy: 'Shorten the text.',
  }),
  ofObject(`type: object\nproperties: {zone: {type: string, pattern: '^[a-z]+$'}}`, 'spec: {zone: North}', {
    message: `spec.zone: Invalid value: "North": spec.zone in body should match '^[a-z]+$'`,
    meaning: 'The text does not match `pattern`.',
    remedy: 'Correct the text. A pattern without `^` and `$` matches anywhere in the text.',
  }),
  ofObject('type: object\nproperties: {count: {type: integer, minimum: 1}}', 'spec: {count: 0}', {
    message: 'spec.count: Invalid value: 0: spec.count in body should be greater than or equal to 1',
    meaning: 'The number is below `minimum`.',
    remedy: 'Use a larger number.',
  }),
  ofObject('type: object\nproperties: {at: {type: string, format: date-time}}', 'spec: {at: today}', {
    message: 'spec.at: Invalid value: "today": spec.at in body must be of type date-time: "today"',
    meaning: 'The text does not have the `format` of the schema.',
    remedy: "Write a time such as `'2026-01-31T12:00:00Z'`.",
  }),
  ofObject(
    'type: object\nproperties: {zones: {type: array, x-kubernetes-list-type: set, items: {type: string}}}',
    'spec: {zones: [a, a]}',
    {
      message: 'spec.zones[1]: Duplicate value: "a"',
      meaning: 'The list is a set, and an item occurs twice.',
      remedy: 'Remove the second item.',
    },
  ),
  ofObject(
    `type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items: {type: object, required: [name], properties: {name: {type: string}}}`,
    'spec: {ports: [{name: web}, {name: web}]}',
    {
      message: 'spec.ports[1]: Duplicate value: {"name":"web"}',
      meaning: 'Two items of the list have the same map keys. The message shows the keys only.',
      remedy: 'Give each item its own key, or add a second field to `x-kubernetes-list-map-keys`.',
    },
  ),
  ofObject(
    'type: object\nproperties: {a: {type: string}, b: {type: string}}\noneOf: [{required: [a]}, {required: [b]}]',
    'spec: {a: some, b: other}',
    {
      message: '"spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      meaning: 'Exactly one alternative of `oneOf` must hold.',
      remedy: 'Remove all fields but one. As the author, write a rule, which gives a better message: `has(self.a) != has(self.b)`.',
    },
  ),
  ofObject(
    `type: object
properties: {count: {type: integer}}
x-kubernetes-validations:
- rule: self.count < 5`,
    'spec: {count: 7}',
    {
      message: 'spec: Invalid value: failed rule: self.count < 5',
      meaning: 'The rule is false, and has no `message`. Before 1.35 the message contains `"object"` or another type before `failed rule`.',
      remedy: 'Correct the object. As the author, add `message` or `messageExpression`.',
    },
  ),
  ofObject(
    `type: object
properties: {count: {type: integer}}
x-kubernetes-validations:
- rule: self.count < 5`,
    'spec: {}',
    {
      message: 'no such key: count evaluating rule: self.count < 5',
      meaning: 'The rule reads an optional field that this object lacks. If a rule fails with an error, the server refuses the object.',
      remedy: 'As the author, test the field first: `!has(self.count) || self.count < 5`.',
    },
  ),
  ofObject(
    `type: object
properties: {port: {x-kubernetes-int-or-string: true}}
x-kubernetes-validations:
- rule: self.port > 0`,
    'spec: {port: http}',
    {
      message: "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.port > 0",
      meaning: 'The type of the value is known only when the rule runs, and the operator does not accept this type.',
      remedy: 'As the author, test the type first: `type(self.port) != int || self.port > 0`.',
    },
  ),
  {
    cause: 'metadata: {name: My_widget, namespace: default}',
    documents: [yamlDefinition(PLAIN), widget('spec: {}').replace('name: a', 'name: My_widget')],
    message:
      "metadata.name: Invalid value: \"My_widget\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    meaning: 'Names of objects have lower-case letters, digits, hyphens and dots.',
    remedy: 'Rename the object, such as `my-widget`.',
  },
  {
    cause: 'metadata: {namespace: default}',
    documents: [yamlDefinition(PLAIN), widget('spec: {}').replace('name: a, ', '')],
    message: 'metadata.name: Required value: name or generateName is required',
    meaning: 'The object has no name.',
    remedy: 'Set `metadata.name` or `metadata.generateName`.',
  },
];

/** Messages about updates that a server refuses. */
export const UPDATES: readonly MessageCase[] = [
  {
    cause: 'zone: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: zone cannot be changed}]}',
    documents: [
      yamlDefinition(`type: object
properties:
  zone: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: zone cannot be changed}]}`),
      update(widget('spec: {zone: b}'), widget('spec: {zone: a}')),
    ],
    message: 'spec.zone: Invalid value: "b": zone cannot be changed',
    meaning:
      'A transition rule (a rule that reads `oldSelf`) compares the new value with the stored one. The author of the definition wrote the message.',
    remedy:
      'Keep the value, or delete the object and create it again. As the author, note that an optional field can still be removed and then set to another value ([advice](advice.md#removable-immutable)).',
  },
  {
    cause: `metadata: {resourceVersion: '1', name: a, namespace: default} # the stored object has '2'`,
    documents: [
      yamlDefinition(PLAIN),
      update(
        widget('spec: {}').replace('name: a', "resourceVersion: '1', name: a"),
        widget('spec: {}').replace('name: a', "resourceVersion: '2', name: a"),
      ),
    ],
    message:
      'Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
    meaning: 'Someone changed the object after you read it.',
    remedy: 'Read the object again, apply your change to it, and write it. A controller should retry.',
  },
];

/** Messages about policies, and about requests that policies refuse. */
export const POLICIES: readonly MessageCase[] = [
  ofPolicy('- expression: object.spec.replicas <= 5', {
    message: "ValidatingAdmissionPolicy 'few' with binding 'everywhere' denied request: failed expression: object.spec.replicas <= 5",
    meaning: 'An expression of the policy is false, and the binding has the action `Deny`.',
    remedy:
      'Change the object. As the author, add a `message`. [Write an admission policy](../tutorial/write-a-policy.md) shows how to test a policy.',
  }),
  {
    cause: 'validationActions: [Warn]',
    documents: [`${policy('- expression: object.spec.replicas <= 5', BINDING.replace('Deny', 'Warn'))}---\n${DEPLOYMENT}`],
    message:
      "Validation failed for ValidatingAdmissionPolicy 'few' with binding 'everywhere': failed expression: object.spec.replicas <= 5",
    meaning: 'This is a warning: the binding has the action `Warn`, and the request is accepted.',
    remedy: 'Change the object before the binding is changed to `Deny`.',
  },
  ofPolicy('- expression: object.spec.replica <= 5', {
    message: "expression 'object.spec.replica <= 5' resulted in error: no such key: replica",
    meaning:
      'The expression reads a field that the object lacks. The policy has `failurePolicy: Fail`, the default, so the server refuses the request.',
    remedy: 'As the author, correct the name or test the field with `has()`.',
  }),
  ofPolicy('- expression: self.spec.replicas <= 5', {
    message:
      'spec.validations[0].expression: Invalid value: "self.spec.replicas <= 5": compilation failed: ERROR: <input>:1:1: undeclared reference to \'self\'',
    meaning:
      'The server refuses to store the policy. Expressions of policies know `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`.',
    remedy: 'Write `object` instead of `self`.',
  }),
  ofPolicy('- expression: object.spec.replicas', {
    message: 'must evaluate to bool but got dyn',
    meaning: 'The result of a validation must be true or false.',
    remedy: 'Compare the value with something.',
  }),
  {
    cause: 'paramRef: {name: limits, parameterNotFoundAction: Deny}',
    documents: [
      `${policy(
        '- expression: object.spec.replicas <= int(params.data.most)',
        BINDING.replace('}', ', paramRef: {name: limits, parameterNotFoundAction: Deny}}'),
        '  paramKind: {apiVersion: v1, kind: ConfigMap}\n',
      )}---\n${DEPLOYMENT}`,
    ],
    message: 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    meaning: 'The binding names a parameter that does not exist in the namespace of the request.',
    remedy: 'Create the parameter, or set `parameterNotFoundAction: Allow`. In Assay, add the file of the parameter, such as a ConfigMap.',
  },
  {
    cause: 'validationActions: [Deny, Warn]',
    documents: [`${policy('- expression: object.spec.replicas <= 5', BINDING.replace('Deny', 'Deny, Warn'))}---\n${DEPLOYMENT}`],
    message: 'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn',
    meaning:
      'A binding must not have the actions `Deny` and `Warn` together, because the error of a denied request already contains the message.',
    remedy: 'Keep `Deny`, or keep `Warn`.',
  },
  {
    cause: 'replicas: many',
    documents: [`${policy('- expression: object.spec.replicas <= 5')}---\n${DEPLOYMENT.replace('replicas: 9', 'replicas: many')}`],
    message:
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    meaning: 'An object of a built-in kind has a value of the wrong type.',
    remedy: 'Correct the value. The message names the field and its type.',
  },
];

/** Messages that clients of a server produce, because the server answers only `404 page not found`. */
export const CLIENTS: readonly MessageCase[] = [
  {
    cause: 'served: false',
    documents: [yamlDefinition(PLAIN).replace('served: true', 'served: false'), widget('spec: {}')],
    message: 'no matches for kind "Widget" in version "example.com/v1"',
    meaning: 'The definition has no such version, or the version has `served: false`. No client can write or read objects in this version.',
    remedy:
      'Write the objects in a version that is served. `assay what-if` finds the stored objects that a change of the versions affects.',
  },
];

/** Messages that Assay produces and a server does not. */
export const ASSAY: readonly MessageCase[] = [
  {
    cause: 'kind: Gadget # the definition is about Widgets',
    documents: [yamlDefinition(PLAIN), widget('spec: {}').replace('Widget', 'Gadget')],
    message: 'no definition of kind "Gadget" in version "example.com/v1" was given',
    meaning:
      'Assay has no definition of this kind and version, so it did not judge the object. `kubectl` says `no matches for kind` in this case.',
    remedy:
      'Add the file of the definition, name a folder of definitions with `--crds`, or ask a cluster with `--cluster`. Check `apiVersion` and `kind` for typing errors.',
  },
];
