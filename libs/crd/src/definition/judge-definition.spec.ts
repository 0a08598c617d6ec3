import { featureGates, fieldErrorText, LATEST_MINOR } from '#kube';
import type { Minor } from '#kube';
import { describe, expect, it } from 'vitest';
import { judgeDefinition } from './judge-definition.ts';
import { widgetDefinition, definitionOfSchema, definitionWith } from '../testing/definition-fixture.ts';
import { conditionLines } from '../testing/outcomes.ts';

const errorsOf = (document: ReturnType<typeof widgetDefinition>, minor: Minor = LATEST_MINOR): string[] =>
  judgeDefinition(document, undefined, { minor }).errors.map(fieldErrorText);

describe('a definition', () => {
  it('is stored with its defaults', () => {
    const verdict = judgeDefinition(widgetDefinition({ type: 'object' }), undefined, { minor: LATEST_MINOR });
    expect(verdict.errors).toEqual([]);
    expect(verdict.stored).toMatchObject({
      spec: { names: { singular: 'widget', listKind: 'WidgetList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    });
  });

  it.each([
    [{}, 'spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields'],
    [{ type: 'array' }, 'spec.validation.openAPIV3Schema.properties[spec].items: Required value: must be specified'],
    [
      { type: 'string', pattern: '(' },
      'spec.validation.openAPIV3Schema.properties[spec].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    ],
    [
      { type: 'integer', default: 'x' },
      'spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: "string":  in body must be of type integer: "string"',
    ],
  ])('with the spec %j is rejected', (spec, error) => {
    expect(errorsOf(widgetDefinition(spec))).toEqual([error]);
  });

  it('is rejected if its rules do not compile or cost too much', () => {
    const broken = errorsOf(widgetDefinition({ type: 'string', 'x-kubernetes-validations': [{ rule: 'self.foo' }] }));
    expect(broken).toHaveLength(1);
    expect(broken[0]).toContain("type 'string' does not support field selection");
    const list = { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.matches("^a*$")' }] } };
    expect(errorsOf(widgetDefinition({ type: 'array', items: list })).join('\n')).toContain('exceeds budget by factor of more than 100x');
  });

  it('comes with the cost and the number of evaluations of each rule', () => {
    const rules = [{ rule: 'self.size() < 5' }];
    const spec = { type: 'array', maxItems: 4, items: { type: 'string', maxLength: 10, 'x-kubernetes-validations': rules } };
    const [cost] = judgeDefinition(widgetDefinition(spec), undefined, { minor: LATEST_MINOR }).rules;
    expect(cost).toMatchObject({ version: 'v1', path: 'properties[spec].items.x-kubernetes-validations[0]', cardinality: 4n });
    expect(cost?.totalCost).toBe((cost?.maxCost ?? 0n) * 4n);
  });

  it('may use only the CEL functions of the Kubernetes version', () => {
    const document = widgetDefinition({ type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'isIP(self)' }] });
    expect(errorsOf(document, '1.30')[0]).toContain("undeclared reference to 'isIP'");
    expect(errorsOf(document, '1.32')).toEqual([]);
  });

  it('is rejected if an update changes its scope', () => {
    const old = widgetDefinition({ type: 'object', properties: { a: { type: 'string' } } });
    const renamed = widgetDefinition({ type: 'object' });
    (renamed['spec'] as { scope: string }).scope = 'Cluster';
    const verdict = judgeDefinition(renamed, old, { minor: LATEST_MINOR });
    expect(verdict.errors.map(fieldErrorText)).toEqual(['spec.scope: Invalid value: "Cluster": field is immutable']);
  });
});

describe('a feature gate', () => {
  const gated = (minor: Minor, chosen: Record<string, boolean>) => {
    const found = featureGates(minor, chosen);
    if (!found.ok) throw new Error(found.error);
    return { minor, gates: found.gates };
  };

  it('decides whether selectable fields are stored: in 1.30 (off by default), only if the old definition has them', () => {
    const selectable = widgetDefinition({ type: 'object', properties: { a: { type: 'string' } } });
    const [version] = (selectable['spec'] as unknown as { versions: Record<string, unknown>[] }).versions;
    (version as Record<string, unknown>)['selectableFields'] = [{ jsonPath: '.spec.a' }];
    const stored = (server: { minor: Minor }, old?: typeof selectable): unknown =>
      (judgeDefinition(selectable, old, server).stored as { spec: { versions: { selectableFields?: unknown }[] } }).spec.versions[0]
        ?.selectableFields;
    expect(stored({ minor: '1.30' })).toBeUndefined();
    expect(stored({ minor: '1.30' }, selectable)).toHaveLength(1);
    expect(stored(gated('1.30', { CustomResourceFieldSelectors: true }))).toHaveLength(1);
    expect(stored(gated('1.31', { CustomResourceFieldSelectors: false }))).toBeUndefined();
  });

  it('decides whether oldSelf is an optional: without CRDValidationRatcheting, hasValue() is unknown', () => {
    const rule = { rule: 'oldSelf.hasValue() || self == 1', optionalOldSelf: true };
    const document = widgetDefinition({ type: 'integer', 'x-kubernetes-validations': [rule] });
    expect(judgeDefinition(document, undefined, { minor: '1.32' }).errors).toEqual([]);
    const errors = judgeDefinition(document, undefined, gated('1.32', { CRDValidationRatcheting: false })).errors.map(fieldErrorText);
    expect(errors).toHaveLength(1);
    // The oracle (the Go code of Kubernetes) gives this error if the gate is off.
    expect(errors[0]).toContain("found no matching overload for 'hasValue' applied to 'int.()'");
  });
});

const approved = (annotation?: string) =>
  definitionWith(
    { group: 'sigs.k8s.io' },
    { name: 'widgets.sigs.k8s.io', annotations: annotation === undefined ? {} : { 'api-approved.kubernetes.io': annotation } },
  );

// The expected lines come from the oracle: the Go code of Kubernetes 1.37.
describe('the conditions in the status of a definition', () => {
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
  ])('are those of a server for %s', (_, document, lines) => {
    expect(conditionLines(document)).toEqual(lines);
  });
});
