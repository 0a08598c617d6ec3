/** What a definition of one version is about. */
export interface DefinitionParts<Schema extends object> {
  /** Default: example.com. */
  readonly group?: string;
  /** Its plural is this in small letters with an s. */
  readonly kind: string;
  /** The schema of the whole object, as JSON. */
  readonly schema: Schema;
  /** Default: Namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Default: none. */
  readonly subresources?: object;
}

/** A CustomResourceDefinition with one version, v1, as plain JSON. */
export function customDefinition<Schema extends object>({
  group = 'example.com',
  kind,
  schema,
  scope = 'Namespaced',
  subresources,
}: DefinitionParts<Schema>) {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, ...(subresources && { subresources }), schema: { openAPIV3Schema: schema } }],
    },
  };
}
