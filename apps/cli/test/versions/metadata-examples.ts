import type { KUBE_DIFFERENCES } from '#kube';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { update, widget } from '../messages/message-case.ts';
import { exampleOfDefinition, ofMetadata, ofWidget, properties, valueOf } from './example.ts';
import type { ExamplesOf } from './example.ts';

const OWNER = 'name: a, namespace: default, ownerReferences: [{apiVersion: v1, kind: Pod, uid: u}]';
/** Schema of an object within an object. A server does not change the metadata of the inner object before it validates them. */
const EMBEDDED = properties('part: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}');
const withGeneration = (generation: number, spec: string): string =>
  widget(`spec: ${spec}`).replace('name: a,', `name: a, generation: ${generation},`);

/** Examples of the differences in errors, metadata, JSON and quantities. */
export const METADATA_EXAMPLES: ExamplesOf<typeof KUBE_DIFFERENCES> = {
  lengthsAreMost: ofWidget(properties('text: {type: string, maxLength: 5}'), 'spec: {text: abcdef}'),
  oneTooLong: ofWidget(
    EMBEDDED,
    `spec: {part: {apiVersion: v1, kind: Part, metadata: {managedFields: [{operation: Apply, fieldsType: FieldsV1, manager: ${'m'.repeat(129)}}]}}}`,
  ),
  onesAreSingular: ofWidget(properties('list: {type: array, maxItems: 1, items: {type: string}}'), 'spec: {list: [a, b]}'),
  errorsAreTerse: ofMetadata(OWNER),
  valuesAreJson: exampleOfDefinition('type: object\nenum: [{a: 1}]\ndefault: {a: 2}'),
  labelsAreContent: ofMetadata(`name: a, namespace: default, labels: {a: ${'x'.repeat(64)}}`),
  ownersAreIndexed: ofMetadata(OWNER),
  metadataIsDeclarative: ofWidget(
    EMBEDDED,
    'spec: {part: {apiVersion: v1, kind: Part, metadata: {managedFields: [{operation: Change, fieldsType: FieldsV1}]}}}',
  ),
  metadataRulesAreEnforced: ofMetadata(OWNER),
  generationIsKept: {
    documents: [
      yamlDefinition(properties('text: {type: string}')),
      update(withGeneration(-1, '{text: b}'), withGeneration(-1, '{text: a}')),
    ],
    cause: 'metadata: {name: a, generation: -1, namespace: default} # the stored object, before a change of its spec',
  },
  jsonErrorsShowRunes: {
    documents: [yamlDefinition('type: object'), '{"apiVersion": "example.com/v1", "kind": "Widget" é}'],
    cause: '{"apiVersion": "example.com/v1", "kind": "Widget" é}',
  },
  quantitiesAreBounded: valueOf("isQuantity('1e-2147483648')"),
};
