import type { CRD_DIFFERENCES, SCHEME_LINE_DIFFERENCES } from '#crd';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { exampleOfDefinition, ofWidget, properties } from './example.ts';
import type { DocumentsExample, ExamplesOf } from './example.ts';

/** Definition whose objects have a status, in YAML. */
const WITH_STATUS = yamlDefinition('type: object')
  .replace('    storage: true\n', '    storage: true\n    subresources: {status: {}}\n')
  .replace(
    '          spec:\n',
    '          status: {type: object, properties: {count: {type: integer, maximum: 5}, ready: {type: boolean}}}\n          spec:\n',
  );
const HEAD = 'apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: a, namespace: default}\n';

/** Returns an example of a write of the status. `before` and `after` are values of the status in YAML. */
const ofStatus = (before: string, after: string): DocumentsExample => ({
  documents: [WITH_STATUS, `oldObject:\n  ${HEAD}  status: ${before}\nobject:\n  ${HEAD}  status: ${after}\nsubresource: status\n`],
  cause: `status: {type: object, properties: {count: {type: integer, maximum: 5}, ready: {type: boolean}}}\n---\nstatus: ${before} # the stored object\n---\nstatus: ${after}`,
});

/** Returns an example of an update of a stored definition, of which the page shows the lines `cause`. */
const ofUpdate = (stored: string, changed: string, cause: string): DocumentsExample => ({ stored, documents: [changed], cause });

const ESTABLISHED = `status:
  conditions: [{type: Established, status: 'True'}, {type: NamesAccepted, status: 'True'}]
  acceptedNames: {plural: widgets, kind: Widget}
  storedVersions: [v1]
`;
const webhook = (config: string): string => `  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {${config}}}
`;
const messageExpression = `type: object
x-kubernetes-validations:
- rule: 'true'
  messageExpression: "format.dns1123Label().validate('a').hasValue() ? 'a' : 'b'"`;

const FIELDS = Array.from({ length: 9 }, (_, index) => `f${index}`);
const SELECTABLE = `selectableFields: [${FIELDS.map((field) => `{jsonPath: .spec.${field}}`).join(', ')}]`;
const SELECTED = yamlDefinition(properties(...FIELDS.map((field) => `${field}: {type: string}`))).replace(
  '    schema:\n',
  `    ${SELECTABLE}\n    schema:\n`,
);

/** Examples of the differences in definitions and objects. */
export const CRD_EXAMPLES: ExamplesOf<typeof CRD_DIFFERENCES> = {
  statusIsNamed: ofStatus('{count: 1}', '{count: 9}'),
  statusRatchets: ofStatus('{count: 9}', '{count: 9, ready: true}'),
  scalarsAreShown: ofWidget(properties('count: {type: integer, x-kubernetes-validations: [{rule: self > 5}]}'), 'spec: {count: 1}'),
  numbersAreTyped: ofWidget(properties('count: {type: integer, format: int32}'), 'spec: {count: 2147483648}'),
  integersAreRounded: ofWidget(properties('port: {x-kubernetes-int-or-string: true}'), 'spec: {port: 2.9999999999}'),
  shortagesAreTyped: ofWidget(
    properties('text: {type: string, minLength: 1}', 'list: {type: array, minItems: 1, items: {type: string}}'),
    "spec: {text: '', list: []}",
  ),
  nestedClosedMapsAreIgnored: exampleOfDefinition('type: object\nallOf: [{additionalProperties: false}]'),
  bundlesAreChecked: ofUpdate(
    yamlDefinition('type: object') + ESTABLISHED,
    yamlDefinition('type: object') + webhook("url: 'https://a.example.com/', caBundle: YQ==") + ESTABLISHED,
    webhook("url: 'https://a.example.com/', caBundle: YQ==").trimEnd(),
  ),
  oldMessagesAreKept: ofUpdate(
    yamlDefinition(messageExpression),
    yamlDefinition(`${messageExpression}\ndescription: changed`),
    `${messageExpression}\ndescription: changed`,
  ),
  storedVersionsHaveHistory: ofUpdate(
    yamlDefinition('type: object'),
    yamlDefinition('type: object').replace('name: v1', 'name: v2'),
    '- name: v2 # the stored definition has v1',
  ),
  textsAreBare: {
    documents: [yamlDefinition('type: object').replace(/ {4}schema:\n[^]*/, '')],
    cause: 'versions:\n- name: v1\n  served: true\n  storage: true',
  },
  formatsAreWarned: exampleOfDefinition(properties('number: {type: string, format: phone}')),
  selectableFieldsRatchet: ofUpdate(SELECTED, SELECTED.replace('kind: Widget}', 'kind: Widget, shortNames: [w]}'), SELECTABLE),
  generationsAreObserved: {
    documents: [`${yamlDefinition('type: object')}status: {observedGeneration: 1}\n`],
    cause: 'status: {observedGeneration: 1}',
  },
  formatsAreTyped: exampleOfDefinition(properties('number: {type: integer, format: phone}')),
  documentationIsStructural: exampleOfDefinition(
    properties('port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer, example: 1}, {type: string}]}'),
  ),
  setsAreWarned: exampleOfDefinition(
    properties('set: {type: array, x-kubernetes-list-type: set, items: {type: object, x-kubernetes-map-type: atomic}}'),
  ),
  decodingKeepsPaths: exampleOfDefinition(properties('list: {type: array, items: {type: string, maxLength: many}}')),
};

const UNKNOWN_KIND: DocumentsExample = {
  documents: [yamlDefinition('type: object').replace('apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v2')],
  cause: 'apiVersion: apiextensions.k8s.io/v2\nkind: CustomResourceDefinition',
};

/** Examples of the differences in line numbers within errors. */
export const SCHEME_LINE_EXAMPLES: ExamplesOf<typeof SCHEME_LINE_DIFFERENCES> = {
  schemeLineIs110: UNKNOWN_KIND,
  schemeLineIs111: UNKNOWN_KIND,
  schemeLineIs110Again: UNKNOWN_KIND,
};
