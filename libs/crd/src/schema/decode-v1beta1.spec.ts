import { newJsonObject, readJson, writeJson } from '#go';
import { LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import { describe, expect, it } from 'vitest';
import { NODE_ENGINE } from '#runner/linker';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import { validateObject } from '../object/validate-object.ts';
import { decodeStoredDefinition } from './decode-definition.ts';
import { encodeDefinition } from './encode-definition.ts';

function json(value: unknown): JsonObject {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value as JsonObject;
}

function document(spec: unknown): JsonObject {
  return json({ apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'CustomResourceDefinition', spec });
}

/** Decodes a v1beta1 document with this spec, and returns the definition in v1 format as JSON. */
function inV1(spec: unknown): { spec: unknown; status: unknown } {
  const reading = decodeStoredDefinition(document(spec));
  if (!reading.ok) throw new Error(reading.error);
  return JSON.parse(writeJson(encodeDefinition(reading.definition))) as { spec: unknown; status: unknown };
}

const OLD = {
  group: 'example.com',
  names: { plural: 'widgets', kind: 'Widget' },
  version: 'v1',
  validation: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } } },
};
const named = (spec: unknown): JsonObject => Object.assign(document(spec), { metadata: json({ name: 'widgets.example.com' }) });

describe('a definition of v1beta1', () => {
  // The cases come from Kubernetes' pkg/apis/apiextensions/v1beta1/defaults_test.go and v1/conversion_test.go (1.37).
  it.each([
    ['nothing', {}, { scope: 'Namespaced', conversion: { strategy: 'None' }, preserveUnknownFields: true, versions: null }],
    [
      'a conversion',
      { conversion: { strategy: 'Webhook', webhookClientConfig: { service: {} } } },
      {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { service: { namespace: '', name: '', port: 443 } }, conversionReviewVersions: ['v1beta1'] },
        },
      },
    ],
    ['only a version', { version: 'v1' }, { versions: [{ name: 'v1', served: true, storage: true }] }],
    [
      'a version beside versions',
      { version: 'v1', versions: [{ name: 'v2', served: true, storage: true }] },
      { versions: [{ name: 'v2', served: true, storage: true }] },
    ],
    [
      'parts for all versions',
      {
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v2', served: true, storage: false },
        ],
        validation: { openAPIV3Schema: { type: 'object' } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }],
        selectableFields: [{ jsonPath: '.spec.x' }],
      },
      {
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v2', served: true, storage: false },
        ].map((version) => ({
          ...version,
          schema: { openAPIV3Schema: { type: 'object' } },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }],
          selectableFields: [{ jsonPath: '.spec.x' }],
        })),
      },
    ],
    [
      'parts in versions',
      { preserveUnknownFields: false, scope: 'Cluster', versions: [{ name: 'v1', served: true, storage: true, schema: {} }] },
      { scope: 'Cluster', versions: [{ name: 'v1', served: true, storage: true, schema: {} }] },
    ],
    ['names', { names: { kind: 'Widget' } }, { names: { plural: '', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' } }],
  ])('with %s gets its defaults and becomes v1', (_, spec, wanted) => {
    expect(inV1(spec).spec).toMatchObject(wanted);
  });

  it('does not preserve unknown fields if it sets preserveUnknownFields to false', () => {
    expect(inV1({ preserveUnknownFields: false }).spec).not.toHaveProperty('preserveUnknownFields');
    expect(inV1({ preserveUnknownFields: null }).spec).toHaveProperty('preserveUnknownFields', true);
  });

  it('lists its storage version as the only stored version', () => {
    const versions = ['v1', 'v2', 'v3'].map((name) => ({ name, storage: name === 'v2', served: true }));
    expect(inV1({ versions }).status).toMatchObject({ storedVersions: ['v2'] });
    expect(inV1({ version: 'v1' }).status).toMatchObject({ storedVersions: ['v1'] });
  });

  it('permits on update what v1 forbids in a new definition, if the old definition has it', () => {
    const changed = widgetDefinition({ type: 'object' });
    const spec = changed['spec'] as JsonObject;
    spec['preserveUnknownFields'] = true;
    expect(judgeDefinition(changed, undefined, { minor: LATEST_MINOR }).accepted).toBe(false);
    expect(judgeDefinition(changed, named(OLD), { minor: LATEST_MINOR }).accepted).toBe(true);
    expect(judgeDefinition(changed, named({ ...OLD, preserveUnknownFields: false }), { minor: LATEST_MINOR }).accepted).toBe(false);
  });

  it('validates objects without pruning them', () => {
    const outcome = compileStoredDefinition(named(OLD), { minor: LATEST_MINOR, engine: NODE_ENGINE });
    if (!outcome.ok) throw new Error(outcome.status.message);
    const write = (spec: unknown): unknown =>
      validateObject(outcome.definition, { operation: 'CREATE', fieldValidation: 'Warn', body: widget(spec) });
    expect(write({ size: 1, more: 2 })).toMatchObject({ accepted: true, object: { spec: { size: 1, more: 2 } } });
    expect(write({ size: 'x' })).toMatchObject({ accepted: false });
  });

  it('is rejected with 400 on create, and the message names decoding errors first', () => {
    const answer = (
      spec: unknown,
      fieldValidation: 'Warn' | 'Strict' = 'Warn',
    ): { message: string | undefined; warnings: readonly string[] } => {
      const verdict = judgeDefinition(named(spec), undefined, { minor: LATEST_MINOR, fieldValidation });
      expect(verdict.status?.code).toBe(400);
      return { message: verdict.status?.message, warnings: verdict.warnings };
    };
    expect(answer({ ...OLD, more: 1 })).toEqual({
      message:
        'the API version in the data (apiextensions.k8s.io/v1beta1) does not match the expected API version (apiextensions.k8s.io/v1)',
      warnings: ['unknown field "spec.more"'],
    });
    expect(answer({ ...OLD, more: 1 }, 'Strict').message).toContain('in version "v1beta1" cannot be handled as');
    expect(answer({ versions: newJsonObject() }).message).toContain(
      'cannot unmarshal object into Go struct field CustomResourceDefinitionSpec.spec.versions of type []v1beta1.CustomResourceDefinitionVersion',
    );
  });
});
