import { describe, expect, it } from 'vitest';
import { definitionOfSchema, definitionWith } from '../../testing/definition-fixture.ts';
import { conditionLines } from '../../testing/outcomes.ts';

const approved = (annotation?: string) =>
  definitionWith(
    { group: 'sigs.k8s.io' },
    { name: 'widgets.sigs.k8s.io', annotations: annotation === undefined ? {} : { 'api-approved.kubernetes.io': annotation } },
  );

// The expected lines come from the oracle of 1.37.
describe('conditions of a definition', () => {
  it.each([
    ['nothing', definitionWith({}), []],
    [
      'a field without a type',
      definitionOfSchema({ type: 'object', properties: { spec: {} } }),
      [
        'NonStructuralSchema=True Violations: spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
      ],
    ],
    [
      'two faults',
      definitionOfSchema({ type: 'object', properties: { spec: {}, status: { type: 'array', items: {} } } }),
      [
        'NonStructuralSchema=True Violations: [spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields, spec.versions[0].schema.openAPIV3Schema.properties[status].items.type: Required value: must not be empty for specified array items]',
      ],
    ],
    [
      'a schema that cannot be converted',
      definitionOfSchema({ type: 'object', id: 'x' }),
      [
        "NonStructuralSchema=Unknown StructuralError: failed to check validation schema for version v1: OpenAPIV3Schema 'id' is not supported",
      ],
    ],
    [
      'unknown fields preserved',
      definitionWith({ preserveUnknownFields: true }),
      ['NonStructuralSchema=True Violations: spec.preserveUnknownFields: Invalid value: true: must be false'],
    ],
    [
      'a group of the community',
      approved(),
      [
        'KubernetesAPIApprovalPolicyConformant=False MissingAnnotation: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    [
      'the same, unapproved',
      approved('unapproved, a test'),
      ['KubernetesAPIApprovalPolicyConformant=False UnapprovedAnnotation: not approved: "unapproved, a test"'],
    ],
    [
      'the same, approved',
      approved('https://github.com/kubernetes/kubernetes/pull/1'),
      ['KubernetesAPIApprovalPolicyConformant=True ApprovedAnnotation: approved in https://github.com/kubernetes/kubernetes/pull/1'],
    ],
    [
      'the same, with a word',
      approved('yes'),
      [
        'KubernetesAPIApprovalPolicyConformant=False InvalidAnnotation: protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
  ])('%s', (_, document, lines) => {
    expect(conditionLines(document)).toEqual(lines);
  });
});
