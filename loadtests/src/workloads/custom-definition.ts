/** What a definition of one version is about. */
export interface DefinitionParts {
  readonly group: string;
  /** Its plural is this in small letters with an s. */
  readonly kind: string;
  /** The schema of the whole object, as JSON. */
  readonly schema: object;
  /** Default: Namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
}

/** A CustomResourceDefinition with one version, v1, as plain JSON. */
export function customDefinition({ group, kind, schema, scope = 'Namespaced' }: DefinitionParts) {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}
