import { isJsonObject, readJson, readYaml, utf8Bytes, writeJson } from '#go';
import type { JsonObject } from '#go';
import { LATEST_MINOR } from '#kube';
import { describe, expect, it } from 'vitest';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { compositeMadeInto, definitionsOfComposite } from './composite-definition.ts';
import type { CrossplaneDefinition } from './composite-definition.ts';

/** Returns an XRD of the kind XPool. `spec` is YAML that is added to its spec, and `schema` its schema. */
function xrd(spec = '', { version = 'v1', schema = '{type: object}' }: { version?: string; schema?: string } = {}): JsonObject {
  const text = `
apiVersion: apiextensions.crossplane.io/${version}
kind: CompositeResourceDefinition
metadata: {name: xpools.example.org, labels: {a: b}, annotations: {not: taken}}
spec:
  group: example.org
  names: {kind: XPool, plural: xpools}
  versions: [{name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: ${schema}}}]
  ${spec}
`;
  const reading = readYaml(utf8Bytes(text));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error(`not YAML: ${text}`);
  return reading.value;
}

const plain = (made: CrossplaneDefinition | undefined): unknown => (made?.ok === true ? JSON.parse(writeJson(made.definition)) : made);
const errorOf = (document: JsonObject): string => {
  const made = definitionsOfComposite(document);
  return made.map((one) => (one.ok ? 'made' : one.error)).join('\n');
};
const CLAIM = 'claimNames: {kind: Pool, plural: pools}';

describe('definitionsOfComposite', () => {
  it('returns a cluster-scoped definition for an XRD of v1, and a namespaced one for its claim', () => {
    const [composite, claim] = definitionsOfComposite(xrd(CLAIM)).map(plain);
    expect(composite).toMatchObject({
      metadata: { name: 'xpools.example.org', labels: { a: 'b' } },
      spec: {
        scope: 'Cluster',
        names: { kind: 'XPool', categories: ['composite'] },
        versions: [{ storage: true, subresources: { status: {} } }],
      },
    });
    expect(composite).not.toHaveProperty('metadata.annotations');
    expect(Object.keys(propertiesOf(composite, 'spec'))).toEqual(
      expect.arrayContaining(['claimRef', 'compositionRef', 'resourceRefs', 'writeConnectionSecretToRef']),
    );
    expect(Object.keys(propertiesOf(composite, 'status'))).toEqual(['claimConditionTypes', 'conditions', 'connectionDetails']);
    expect(propertiesOf(composite, 'spec')).toHaveProperty('compositionUpdatePolicy.default', 'Automatic');
    expect(claim).toMatchObject({
      metadata: { name: 'pools.example.org' },
      spec: { scope: 'Namespaced', names: { kind: 'Pool', categories: ['claim'] } },
    });
    expect(propertiesOf(claim, 'spec')).toHaveProperty('compositeDeletePolicy.default', 'Background');
    expect(propertiesOf(claim, 'spec')).not.toHaveProperty('compositionUpdatePolicy.default');
  });

  it.each([
    ['v2', '', 'Namespaced'],
    ['v2', 'scope: Cluster', 'Cluster'],
    ['v1', 'scope: Namespaced', 'Namespaced'],
  ])('puts the fields that Crossplane adds under spec.crossplane: %s %s', (version, spec, scope) => {
    const [made, ...others] = definitionsOfComposite(xrd(spec, { version })).map(plain);
    expect(others).toEqual([]);
    expect(made).toHaveProperty('spec.scope', scope);
    expect(Object.keys(propertiesOf(made, 'spec'))).toEqual(['crossplane']);
    expect(Object.keys(propertiesOf(made, 'status'))).toEqual(['conditions']);
    const items = 'crossplane.properties.resourceRefs.items.properties.namespace';
    if (scope === 'Cluster') expect(propertiesOf(made, 'spec')).toHaveProperty(items);
    else expect(propertiesOf(made, 'spec')).not.toHaveProperty(items);
  });

  it('copies the keywords of the root, spec and status that Crossplane copies, and no others', () => {
    const schema = `{type: object, description: d, required: [status], x-kubernetes-validations: [{rule: 'true'}], properties: {
      metadata: {type: object, properties: {name: {type: string, maxLength: 20, pattern: '^a'}}}, other: {type: string},
      spec: {type: object, required: [a], minProperties: 1, allOf: [{required: [b]}], oneOf: [{required: [a]}], exampel: 1,
        x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string, unknown: x}, compositionRef: {type: string}}},
      status: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}}}}}`;
    const [made] = definitionsOfComposite(xrd('', { schema })).map(plain);
    const root = schemaOf(made);
    expect(root).toMatchObject({ description: 'd', required: ['spec'], 'x-kubernetes-validations': [{ rule: 'true' }] });
    expect(Object.keys(root['properties'] as object)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
    expect(root).toHaveProperty('properties.metadata', { type: 'object', properties: { name: { type: 'string', maxLength: 20 } } });
    const { properties, ...spec } = (root['properties'] as Record<string, object>)['spec'] as Record<string, unknown>;
    expect(spec).toEqual({ type: 'object', required: ['a'], oneOf: [{ required: ['a'] }], 'x-kubernetes-preserve-unknown-fields': true });
    expect(properties).toMatchObject({ a: { type: 'string' }, compositionRef: { type: 'object' } });
    expect(properties).not.toHaveProperty('a.unknown');
    expect(root).not.toHaveProperty('properties.status.x-kubernetes-preserve-unknown-fields');
  });

  it('copies scale, deprecation, columns and metadata', () => {
    const document = xrd('metadata: {labels: {c: d}, annotations: {e: f}}');
    const [version] = (document['spec'] as { versions: JsonObject[] }).versions;
    const added = `{"deprecated":true,"deprecationWarning":"old","additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":".a"}],
      "subresources":{"scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}}}`;
    const reading = readJson(utf8Bytes(added));
    Object.assign(version as JsonObject, reading.ok ? reading.value : {});
    const [made] = definitionsOfComposite(document).map(plain);
    expect(made).toMatchObject({
      metadata: { labels: { a: 'b', c: 'd' }, annotations: { e: 'f' } },
      spec: {
        versions: [{ deprecated: true, deprecationWarning: 'old', subresources: { status: {}, scale: { specReplicasPath: '.spec.n' } } }],
      },
    });
    const columns = (made as { spec: { versions: { additionalPrinterColumns: { name: string }[] }[] } }).spec.versions[0];
    expect(columns?.additionalPrinterColumns.map(({ name }) => name)).toEqual([
      'A',
      'SYNCED',
      'READY',
      'COMPOSITION',
      'COMPOSITIONREVISION',
      'AGE',
    ]);
  });

  it('returns definitions that a server accepts, labelled with the name of their XRD', () => {
    for (const document of [xrd(CLAIM), xrd('', { version: 'v2' }), xrd('scope: Cluster')])
      for (const made of definitionsOfComposite(document)) {
        if (!made.ok) throw new Error(made.error);
        const body = utf8Bytes(writeJson(made.definition));
        const { accepted, status, warnings } = judgeDefinition(body, undefined, { minor: LATEST_MINOR, fieldValidation: 'Strict' });
        expect([accepted, status?.message, warnings]).toEqual([true, undefined, []]);
        expect(compositeMadeInto(made.definition)).toBe('xpools.example.org');
      }
    expect(compositeMadeInto(xrd())).toBeUndefined();
  });

  it.each([
    ['spec: 3', (document: JsonObject) => ({ ...document, spec: 3 }), 'spec: Required value: must be an object'],
    ['no group', without('group'), 'spec.group: Required value: must be a string'],
    ['no versions', without('versions'), 'spec.versions: Required value: must be a list'],
    ['v3', (document: JsonObject) => ({ ...document, apiVersion: 'apiextensions.crossplane.io/v3' }), 'apiVersion: Unsupported value'],
    ['a version that is text', withSpec({ versions: ['v1'] }), 'spec.versions[0]: must be an object'],
    ['no schema', withVersion({ schema: undefined }), 'spec.versions[0].schema: custom resource validation cannot be nil'],
    ['an empty schema', withVersion({ schema: {} }), 'spec.versions[0].schema.openAPIV3Schema: Required value: must be an object'],
    [
      'no referenceable',
      withVersion({ referenceable: undefined }),
      'spec.versions[0].referenceable: Required value: must be true or false',
    ],
    [
      'a list of properties',
      withVersion({ schema: { openAPIV3Schema: { properties: [] } } }),
      'spec.versions[0].schema.openAPIV3Schema.properties: Invalid value: must be an object',
    ],
    ['an unknown scope', withSpec({ scope: 'Galaxy' }), 'spec.scope: Unsupported value: supported values: "LegacyCluster"'],
    ['an unknown policy', withSpec({ defaultCompositionUpdatePolicy: 'Never' }), 'spec.defaultCompositionUpdatePolicy: Unsupported value'],
  ])('reports the error in %s', (_, broken, text) => {
    const beginning = `Crossplane makes no definition of the CompositeResourceDefinition "xpools.example.org": ${text}`;
    expect(errorOf(broken(xrd()) as JsonObject).slice(0, beginning.length)).toBe(beginning);
  });

  it('rejects scope LegacyCluster and claims in v2, and claims of scope Cluster in v1', () => {
    expect(errorOf(xrd('scope: LegacyCluster', { version: 'v2' }))).toContain('supported values: "Namespaced", "Cluster"');
    expect(errorOf(xrd(CLAIM, { version: 'v2' }))).toContain("Claims aren't supported in apiextensions.crossplane.io/v2");
    expect(errorOf(xrd(`scope: Cluster\n  ${CLAIM}`))).toContain('Only LegacyCluster composite resources can offer claims');
  });

  it('reports an error for a claim with the kind of its composite resource', () => {
    expect(errorOf(xrd('claimNames: {kind: XPool, plural: pools}'))).toMatch(
      /^made\nCrossplane makes no definition of the claim of .*: invalid resource claim names: "XPool" conflicts with composite resource name$/,
    );
  });
});

function schemaOf(made: unknown): Record<string, unknown> {
  const { versions } = (made as { spec: { versions: { schema: { openAPIV3Schema: Record<string, unknown> } }[] } }).spec;
  return versions[0]?.schema.openAPIV3Schema ?? {};
}

function propertiesOf(made: unknown, part: 'spec' | 'status'): object {
  const { properties } = schemaOf(made) as { properties: Record<string, { properties: object }> };
  return properties[part]?.properties ?? {};
}

function withSpec(changed: object): (document: JsonObject) => unknown {
  return (document) => ({ ...document, spec: { ...(document['spec'] as object), ...changed } });
}

function without(key: string): (document: JsonObject) => unknown {
  return withSpec({ [key]: undefined });
}

function withVersion(changed: object): (document: JsonObject) => unknown {
  return (document) => {
    const { versions } = document['spec'] as unknown as { versions: readonly object[] };
    return withSpec({ versions: versions.map((version) => ({ ...version, ...changed })) })(document);
  };
}
