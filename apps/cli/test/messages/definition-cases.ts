import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { ofLine, ofSchema, PLAIN, widget } from './message-case.ts';
import type { MessageCase } from './message-case.ts';

/** Schema with rules over rows of numbers. Each rule is so expensive that twelve rows spend more than half of an object's cost budget. */
const ROWS = `type: object
properties:
  rows:
    type: array
    maxItems: 12
    items:
      type: object
      properties: {cells: {type: array, maxItems: 280, items: {type: integer}}}
      x-kubernetes-validations:
      - rule: self.cells.all(a, self.cells.all(b, a >= b || b >= a))
      - rule: self.cells.all(a, self.cells.all(b, a <= b || b <= a))`;
const CELLS = Array.from({ length: 280 }, (_, i) => i).join(', ');

/** Messages about rules that cost too much. */
export const COSTS: readonly MessageCase[] = [
  ofSchema(
    `type: object
properties:
  names: {type: array, items: {type: string}}
x-kubernetes-validations:
- rule: self.names.all(a, self.names.exists_one(b, a == b))`,
    {
      message:
        'Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      meaning:
        'The server estimates the cost of a rule from the largest object that the schema allows. A rule may cost at most 10,000,000 units. Without bounds, the server assumes lists, maps and strings that fill a request of 3 MiB.',
      remedy:
        'Add `maxItems`, `maxProperties` or `maxLength` to the fields that the rule reads. `assay explain --fix crd.yaml` prints bounds that suffice, as a patch for `git apply`. [A rule that is too expensive](../tutorial/a-rule-that-is-too-expensive.md) explains the cost of such a rule.',
    },
  ),
  ofSchema(
    `type: object
properties:
  names: {type: array, maxItems: 3000, items: {type: string, maxLength: 10}}
x-kubernetes-validations:
- rule: self.names.all(a, self.names.exists_one(b, a == b))`,
    {
      message: 'Forbidden: estimated rule cost exceeds budget by factor of 7.2x',
      meaning:
        'The estimated cost of the rule is above the limit of 10,000,000 units. If the factor is at most 100, the message contains it.',
      remedy:
        'Reduce bounds such as `maxItems`. The cost of two nested loops grows with the square of the length of the list, so a third of the elements costs a ninth. `x-kubernetes-list-type: set` demands unique elements without any rule.',
    },
  ),
  ofSchema(
    `type: object
properties:
  names: {type: array, items: {type: string}}
x-kubernetes-validations:
- rule: self.names.all(a, self.names.exists_one(b, a == b)) # too expensive
- rule: self.names.all(a, a != '')`,
    {
      message:
        'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      meaning: 'The estimated costs of all rules of a version exceed 100,000,000 units together.',
      remedy:
        'List the rules by cost with `assay explain crd.yaml`, and reduce the cost of the most expensive rule first. One rule over fields without bounds is often the only cause.',
    },
  ),
  ofSchema(
    `type: object
properties:
  names: {type: array, items: {type: string}}
x-kubernetes-validations:
- rule: self.names.all(a, self.names.all(b, a <= b))`,
    {
      message: 'Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      meaning: 'The estimated costs of all rules exceed the limit of the schema together, and this rule is among the most expensive.',
      remedy: 'Reduce the costs of the rules with this message. The message disappears when the total is below the limit.',
    },
  ),
  ofSchema(
    `type: object
properties:
  name: {type: string}
x-kubernetes-validations:
- rule: self.name != ''
  messageExpression: self.name.split('.').map(part, part + self.name).join(',')`,
    {
      message: 'messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x',
      meaning: 'A `messageExpression` has the same cost limit as a rule.',
      remedy: 'Add bounds as for a rule, or use a fixed `message`.',
    },
  ),
  {
    cause: `- rule: self.numbers.all(a, self.numbers.all(b, a >= b || b >= a))`,
    documents: [
      yamlDefinition(`type: object
properties:
  numbers: {type: array, maxItems: 1000, items: {type: integer}}
x-kubernetes-validations:
- rule: self.numbers.all(a, self.numbers.all(b, a >= b || b >= a))`),
      widget(`spec: {numbers: [${Array.from({ length: 1000 }, (_, i) => i).join(', ')}]}`),
    ],
    message: 'no further validation rules will be run due to call cost exceeds limit for rule',
    meaning:
      'The estimated cost of this rule was low enough, but its actual cost for this object exceeds 1,000,000 units, the limit of one evaluation. The server refuses the object.',
    remedy:
      'Reduce `maxItems`, or avoid the nested loop. `assay bench` finds the length of a list at which a server refuses objects ([benchmark a rule](../tutorial/benchmark-a-rule.md)).',
  },
  {
    cause: `- rule: self.cells.all(a, self.cells.all(b, a >= b || b >= a))
- rule: self.cells.all(a, self.cells.all(b, a <= b || b <= a))`,
    documents: [yamlDefinition(ROWS), widget(`spec: {rows: [${Array.from({ length: 12 }, () => `{cells: [${CELLS}]}`).join(', ')}]}`)],
    message: 'validation failed due to running out of cost budget, no further validation rules will be run',
    meaning:
      'The actual costs of all rules for one object exceed 10,000,000 units together, the budget of an object. The remaining rules do not run.',
    remedy:
      'Shorten the lists of the object. As the author, reduce `maxItems`, or avoid nested loops. To see the cost of each rule, run `assay explain` with the files of the definition and the object.',
  },
];

/** Messages about rules that do not compile. */
export const RULES: readonly MessageCase[] = [
  ofSchema(
    `type: object
properties: {low: {type: integer}}
x-kubernetes-validations:
- rule: self.hihg > 0`,
    {
      message: "compilation failed: ERROR: <input>:1:5: undefined field 'hihg'",
      meaning: 'The rule reads a field that the schema does not declare. The numbers are line and column within the rule.',
      remedy:
        'Correct the name, or declare the field. Fields below `x-kubernetes-preserve-unknown-fields` are not visible for rules unless they are declared. If CEL reserves a name, such as `in`, write `__in__`.',
    },
  ),
  {
    cause: `x-kubernetes-validations: [{rule: self.metadata.namespace != ''}]`,
    documents: [
      yamlDefinition(PLAIN).replace(
        'type: object',
        "type: object\n        x-kubernetes-validations: [{rule: self.metadata.namespace != ''}]",
      ),
    ],
    message: "undefined field 'namespace'",
    meaning: 'Of `metadata`, rules see `name` and `generateName` only. Labels, annotations and the namespace are not visible.',
    remedy: 'Copy the value to a field of `spec`, or write a ValidatingAdmissionPolicy, which sees the whole object.',
  },
  ofSchema(
    `type: object
properties: {low: {type: integer}}
x-kubernetes-validations:
- rule: low > 0`,
    {
      message: "undeclared reference to 'low' (in container '')",
      meaning: 'The rule uses a name that is not a variable. Rules know `self` and `oldSelf`, and the variables of their own loops.',
      remedy: 'Write `self.low`. In a policy, write `object.spec.low`.',
    },
  ),
  ofSchema(
    `type: object
properties: {address: {type: string, maxLength: 45}}
x-kubernetes-validations:
- rule: isIP(self.address)`,
    {
      message: "undeclared reference to 'isIP' (in container '')",
      meaning:
        'Servers of this Kubernetes version do not accept the function in new rules. This message comes from Kubernetes 1.30, and new rules may use `isIP` from 1.31 on.',
      remedy: '[Functions](functions.md) lists the versions of each function. `assay explain --oldest 1.30 crd.yaml` finds such functions.',
    },
    { kubernetesVersion: '1.30' },
  ),
  ofSchema(
    `type: object
properties: {port: {type: integer}}
x-kubernetes-validations:
- rule: self.port == '80'`,
    {
      message: "found no matching overload for '_==_' applied to '(int, string)'",
      meaning: 'The operator or function does not accept operands of these types together. CEL does not convert types by itself.',
      remedy: "Compare values of one type, such as `self.port == 80`, or convert: `string(self.port) == '80'`.",
    },
  ),
  ofSchema(
    `type: object
properties: {port: {type: integer}}
x-kubernetes-validations:
- rule: self.port + 1`,
    {
      message: 'cel expression must evaluate to a bool',
      meaning: 'The result of a rule must be true or false.',
      remedy: 'Compare the value with something, such as `self.port + 1 < 65536`.',
    },
  ),
  ofSchema(
    `type: object
properties: {port: {type: integer}}
x-kubernetes-validations:
- rule: 'self.port >'`,
    {
      message: "Syntax error: mismatched input '<EOF>' expecting",
      meaning: 'The rule is not a complete expression. `<EOF>` is the end of the rule.',
      remedy:
        'Complete the expression. In YAML, quote a rule that contains `: ` or ` #`, or begins with `!`. Otherwise YAML cuts or changes the rule.',
    },
  ),
  ofSchema(
    `type: object
properties:
  ports:
    type: array
    items:
      type: object
      properties: {number: {type: integer}}
      x-kubernetes-validations: [{rule: self.number >= oldSelf.number}]`,
    {
      message: 'oldSelf cannot be used on the uncorrelatable portion of the schema within',
      meaning:
        'A rule that reads `oldSelf` is a transition rule. It needs the old value of the same element. A server cannot find this value in an atomic list or a set.',
      remedy:
        'Make the list `x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys`, or move the rule to the list itself and compare `self` with `oldSelf` there.',
    },
  ),
  ofSchema(
    `type: object
properties: {port: {type: integer}}
x-kubernetes-validations:
- rule: self.port > 1
  fieldPath: .prt`,
    {
      message: 'fieldPath: Invalid value: ".prt": must be a valid path',
      meaning: '`fieldPath` names a field that the schema does not declare below the rule.',
      remedy: 'Correct the path. A path begins with a dot, and is relative to the place of the rule.',
    },
  ),
];

/** Messages about schemas that a server refuses. */
export const SCHEMAS: readonly MessageCase[] = [
  ofSchema(
    `type: object
properties:
  port:
    anyOf: [{type: string}, {type: integer}]`,
    {
      message: 'anyOf[0].type: Forbidden: must be empty to be structural',
      meaning:
        'A schema must be *structural*: each type is declared outside `anyOf`, `oneOf`, `allOf` and `not`. Inside these keywords, a schema may only restrict values further.',
      remedy:
        'For a number or a text use `x-kubernetes-int-or-string: true`. For other alternatives, declare all fields outside, and keep `required` and bounds in `anyOf`.',
    },
  ),
  ofSchema(
    `type: object
properties: {zone: {type: string}}
anyOf:
- properties: {zone: {description: a zone, default: a}}`,
    {
      message: 'anyOf[0].properties[zone].default: Forbidden: must be undefined to be structural',
      meaning: 'Defaults, descriptions and nullable are forbidden within `anyOf`, `oneOf`, `allOf` and `not`.',
      remedy: 'Move them to the schema that contains the `anyOf`.',
    },
  ),
  ofSchema(`properties: {zone: {type: string}}`, {
    message: 'type: Required value: must not be empty for specified object fields',
    meaning: 'A schema without a type is not structural.',
    remedy:
      'Add `type`. For a value of any type use `x-kubernetes-preserve-unknown-fields: true`, for a number or a text `x-kubernetes-int-or-string: true`.',
  }),
  ofSchema(`type: object\nproperties: {zones: {type: array}}`, {
    message: 'items: Required value: must be specified',
    meaning: 'A list needs a schema for its items.',
    remedy: 'Add `items`, such as `items: {type: string}`.',
  }),
  ofSchema(`type: object\nproperties: {zone: {type: string}}\nadditionalProperties: {type: string}`, {
    message: 'additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    meaning: 'A schema describes either an object with named fields, or a map.',
    remedy: 'Move `additionalProperties` to a field of its own.',
  }),
  ofLine('scope: Namespaced', 'scope: Namespaced\n  preserveUnknownFields: true', {
    message:
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    meaning: 'The field of the old API v1beta1 switched pruning off for the whole object. Version v1 refuses it.',
    remedy: 'Remove the field. Set `x-kubernetes-preserve-unknown-fields: true` at the fields that keep unknown content.',
  }),
  ofSchema(`type: object\nproperties: {note: {type: object, x-kubernetes-preserve-unknown-fields: false}}`, {
    message: 'x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
    meaning: 'The keyword can only be `true`.',
    remedy: 'Remove the keyword. By default, the server removes unknown fields.',
  }),
  ofSchema(
    `type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
    additionalProperties: {type: string}`,
    {
      message: 'additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set',
      meaning: 'An embedded resource is an object with `apiVersion`, `kind` and `metadata`, not a map.',
      remedy: 'Remove `additionalProperties`, or remove `x-kubernetes-embedded-resource`.',
    },
  ),
  {
    cause: 'additionalProperties: {type: string}',
    documents: [
      yamlDefinition(PLAIN).replace('        type: object\n', '        type: object\n        additionalProperties: {type: string}\n'),
    ],
    message: 'additionalProperties: Forbidden: must not be used at the root',
    meaning: 'The root of a schema describes an object with `spec`, `status` and other named fields.',
    remedy: 'Move the map to a field of `spec`.',
  },
  ofSchema(`type: object\nproperties: {count: {type: int}}`, {
    message: 'Unsupported value: "int": supported values: "array", "boolean", "integer", "number", "object", "string"',
    meaning: 'The type does not exist.',
    remedy: 'Use a type that the message lists.',
  }),
  ofSchema(`type: object\nproperties: {zones: {type: array, uniqueItems: true, items: {type: string}}}`, {
    message: 'uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    meaning: 'Definitions do not support this keyword.',
    remedy: 'Use `x-kubernetes-list-type: set`.',
  }),
  ofSchema(`type: object\nproperties: {zone: {$ref: '#/definitions/zone'}}`, {
    message: '$ref: Forbidden: $ref is not supported',
    meaning: 'The schema of a definition is self-contained.',
    remedy: 'Write the whole schema at each place. Generators such as controller-gen do this for you.',
  }),
  ofSchema(`type: object\nproperties: {zone: {type: string, pattern: '(?=x)'}}`, {
    message: "must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
    meaning: 'Patterns have the syntax of RE2. It has no look-ahead and no back references.',
    remedy: 'Rewrite the pattern, or write a rule instead.',
  }),
  ofSchema(`type: object\nproperties: {count: {type: integer, default: many}}`, {
    message: 'default: Invalid value: "string":  in body must be of type integer: "string"',
    meaning: 'The schema of the field does not accept the default.',
    remedy: 'Correct the default, or the schema.',
  }),
  ofSchema(
    `type: object
properties:
  ports: {type: array, x-kubernetes-list-type: map, items: {type: object, properties: {name: {type: string}}}}`,
    {
      message: 'x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
      meaning: 'The list type `map` needs the names of the fields that identify an item.',
      remedy: 'Add `x-kubernetes-list-map-keys`, such as `[name]`.',
    },
  ),
  ofSchema(
    `type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items: {type: object, properties: {name: {type: string}}}`,
    {
      message: 'Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      meaning: 'The server identifies an item by its key, so each item needs one.',
      remedy: 'Add the key to `required` of the items, or give the key a default.',
    },
  ),
  {
    cause: 'metadata: {type: object, properties: {labels: {type: object}}}',
    documents: [
      yamlDefinition(PLAIN).replace(
        'properties:\n',
        'properties:\n          metadata: {type: object, properties: {labels: {type: object}}}\n',
      ),
    ],
    message: 'must not specify anything other than name and generateName, but metadata is implicitly specified',
    meaning: 'Kubernetes defines the schema of `metadata`.',
    remedy: 'Restrict `name` only. For labels and annotations use an admission policy.',
  },
];

/** Messages about parts of definitions, other than rules and schemas, that a server refuses. */
export const DEFINITIONS: readonly MessageCase[] = [
  ofLine('metadata: {name: widgets.example.com}', 'metadata: {name: widget.example.com}', {
    message: 'metadata.name: Invalid value: "widget.example.com": must be spec.names.plural+"."+spec.group',
    meaning: 'The name of a definition must be its plural, a dot, and its group.',
    remedy: 'Rename the definition, or correct the plural.',
  }),
  ofLine('    storage: true', '    storage: false', {
    message: 'must have exactly one version marked as storage version',
    meaning: 'No version, or more than one, has `storage: true`.',
    remedy: 'Set `storage: true` for the one version in which objects are stored.',
  }),
  {
    cause: 'versions:\n- name: v1\n  served: true\n  storage: true # and nothing more',
    documents: [yamlDefinition(PLAIN).replace(/    schema:[^]*/, '')],
    message: 'spec.versions[0].schema.openAPIV3Schema: Required value',
    meaning: 'Each version needs a schema.',
    remedy:
      'Add a schema. The shortest schema without pruning is `openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}`.',
  },
  ofLine('apiVersion: apiextensions.k8s.io/v1\n', 'apiVersion: apiextensions.k8s.io/v1beta1\n', {
    message: 'the API version in the data (apiextensions.k8s.io/v1beta1) does not match the expected API version (apiextensions.k8s.io/v1)',
    meaning: 'Servers from 1.22 on do not know v1beta1 definitions.',
    remedy: 'Convert the definition to v1: each version has its own schema, and the schema must be structural.',
  }),
  ofLine('scope: Namespaced', 'scope: Namespaced\n  conversion: {strategy: Webhook}', {
    message: 'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
    meaning: 'The definition does not say which webhook converts objects between versions.',
    remedy: 'Add `conversion.webhook` with `clientConfig` and `conversionReviewVersions`, or use the strategy `None`.',
  }),
  {
    cause: 'group: widgets.k8s.io',
    documents: [yamlDefinition(PLAIN).replaceAll('example.com', 'widgets.k8s.io')],
    message:
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    meaning: 'Groups below `k8s.io` and `kubernetes.io` belong to the Kubernetes project.',
    remedy: 'Use a group below a domain of your own.',
  },
  ofSchema(`type: object\nproprties: {zone: {type: string}}`, {
    message: 'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.proprties"',
    meaning: 'The definition has a field that servers do not know. `kubectl` refuses the definition, and other clients get this warning.',
    remedy: 'Correct the name of the keyword. [Keywords](keywords.md) lists all of them.',
  }),
  {
    cause: 'scope: Cluster # was Namespaced',
    documents: [yamlDefinition(PLAIN).replace('Namespaced', 'Cluster')],
    stored: yamlDefinition(PLAIN),
    message: 'spec.scope: Invalid value: "Cluster": field is immutable',
    meaning: 'A definition cannot change its scope.',
    remedy: 'Create a new definition with another group or plural, and move the objects.',
  },
  {
    cause: '- name: v2 # was v1',
    documents: [`${yamlDefinition(PLAIN).replace('name: v1', 'name: v2')}status: {storedVersions: [v1]}\n`],
    stored: `${yamlDefinition(PLAIN)}status: {storedVersions: [v1]}\n`,
    message:
      'missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    meaning: 'Objects may still be stored in the version that you removed.',
    remedy:
      'Keep the version with `served: false`. Rewrite all objects, remove the version from `status.storedVersions`, and only then from the definition.',
  },
];
