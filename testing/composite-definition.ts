/**
 * Returns a CompositeResourceDefinition of Crossplane for the kinds XPool and Pool (its claim). `spec` replaces members of its spec. Each object has
 * the field `spec.size`, which must not exceed 10.
 */
export function compositeDefinition(spec: object = {}): object {
  const size = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self <= 10', message: 'too large' }] };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { size } } } };
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: { name: 'xpools.example.org' },
    spec: {
      group: 'example.org',
      names: { kind: 'XPool', plural: 'xpools' },
      claimNames: { kind: 'Pool', plural: 'pools' },
      versions: [{ name: 'v1', served: true, referenceable: true, schema: { openAPIV3Schema } }],
      ...spec,
    },
  };
}

/** Returns an object of the composite resource, or of its claim, with a size. */
export const pool = (kind: 'XPool' | 'Pool', size: number): object => ({
  apiVersion: 'example.org/v1',
  kind,
  metadata: { name: 'a' },
  spec: { size },
});
