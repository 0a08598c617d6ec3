import { LATEST_MINOR } from '#kube';
import type { Minor } from '#kube';
import { describe, expect, it } from 'vitest';
import { judgeDefinition } from '../definition/judge-definition.ts';

const HEAD = '"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"';
const BEFORE = 'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal ';

function answer(rest: string, minor: Minor = LATEST_MINOR): string {
  const { status } = judgeDefinition(`{${HEAD},${rest}}`, undefined, { minor });
  expect(status?.code).toBe(400);
  return (status?.message ?? '').replace(BEFORE, '');
}

const schema = (text: string): string => `"spec":{"versions":[{"schema":{"openAPIV3Schema":${text}}}]}`;
const SCHEMA = 'spec.versions.schema.openAPIV3Schema';

// The expected texts come from the oracles: the Go code of Kubernetes 1.30 and 1.37.
describe('a definition that cannot be read', () => {
  it.each([
    [
      schema('{"x-kubernetes-validations":[{"reason":1}]}'),
      `number into Go struct field ValidationRule.${SCHEMA}.x-kubernetes-validations.reason of type v1.FieldValueErrorReason`,
    ],
    [
      '"status":{"conditions":[{"status":true}]}',
      'bool into Go struct field CustomResourceDefinitionCondition.status.conditions.status of type v1.ConditionStatus',
    ],
    [
      '"status":{"conditions":[{"type":[]}]}',
      'array into Go struct field CustomResourceDefinitionCondition.status.conditions.type of type v1.CustomResourceDefinitionConditionType',
    ],
    [
      '"spec":{"conversion":{"strategy":1}}',
      'number into Go struct field CustomResourceConversion.spec.conversion.strategy of type v1.ConversionStrategyType',
    ],
    [
      '"spec":{"conversion":{"webhook":{"clientConfig":{"service":{"port":"x"}}}}}',
      'string into Go struct field ServiceReference.spec.conversion.webhook.clientConfig.service.port of type int32',
    ],
    [
      '"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":1}}}}',
      'number into Go struct field WebhookClientConfig.spec.conversion.webhook.clientConfig.caBundle of type []uint8',
    ],
    [
      '"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":["x"]}}}}',
      'string into Go struct field WebhookClientConfig.spec.conversion.webhook.clientConfig.caBundle of type uint8',
    ],
    [
      '"metadata":{"managedFields":[{"operation":1}]}',
      'number into Go struct field ManagedFieldsEntry.metadata.managedFields.operation of type v1.ManagedFieldsOperationType',
    ],
  ])("has the server's error with the Go type: %s", (rest, text) => {
    expect(answer(rest)).toBe(text);
  });

  it('has only the error that the decoder meets first', () => {
    expect(answer(schema('{"properties":{"a":1},"maxLength":"x"}'))).toContain('number into Go struct field JSONSchemaProps');
    expect(answer(schema('{"maxLength":"x","properties":{"a":1}}'))).toContain(
      `string into Go struct field JSONSchemaProps.${SCHEMA}.maxLength of type int64`,
    );
  });

  it('names the path below items only since 1.35', () => {
    const rest = schema('{"items":{"x-kubernetes-validations":[{"rule":1}]}}');
    expect(answer(rest, '1.34')).toBe(`number into Go struct field JSONSchemaProps.${SCHEMA}.items of type string`);
    expect(answer(rest, '1.35')).toBe(
      `number into Go struct field JSONSchemaProps.${SCHEMA}.items.x-kubernetes-validations.rule of type string`,
    );
  });

  it.each(['9223372036854775808', '18446744073709551615', '-9223372036854775809', '1e30'])(
    'shows the number %s as the JSON spells it',
    (number) => {
      const place = `into Go struct field JSONSchemaProps.${SCHEMA}.maxItems of type int64`;
      expect(answer(schema(`{"maxItems":${number}}`))).toBe(`number ${number} ${place}`);
    },
  );

  it.each([
    ['9223372036854775808', '9223372036854775808'],
    ['18446744073709551615', '18446744073709551615'],
    ['18446744073709551616', '18446744073709552000'],
    ['1e30', '1e+30'],
  ])('shows the number %s of YAML as the JSON spelling to which a server converts it', (number, json) => {
    const body = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: [{schema: {openAPIV3Schema: {maxItems: ${number}}}}]}`;
    const { status } = judgeDefinition(body, undefined, { minor: LATEST_MINOR, contentType: 'application/yaml' });
    expect(status?.message).toBe(`${BEFORE}number ${json} into Go struct field JSONSchemaProps.${SCHEMA}.maxItems of type int64`);
  });

  it("shows Go's error for a time that Go cannot parse", () => {
    expect(answer('"status":{"conditions":[{"lastTransitionTime":"x"}]}')).toContain('parsing time "x" as "2006-01-02T15:04:05Z07:00"');
  });
});
