/** The parts of a definition that has one version. */
export interface DefinitionParts<Schema extends object> {
  /** API group; the default is example.com. */
  readonly group?: string;
  /** Kind of the resource. The plural is the kind in lowercase with an `s`. */
  readonly kind: string;
  /** The schema of the whole object, as JSON. */
  readonly schema: Schema;
  /** Name of the version; the default is v1. */
  readonly version?: string;
  /** Scope of the resource; the default is Namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Subresources of the version; the default is none. */
  readonly subresources?: object;
}

/** Returns a CustomResourceDefinition with one version, as plain JSON. */
export function customDefinition<Schema extends object>({
  group = 'example.com',
  kind,
  schema,
  version = 'v1',
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
      versions: [
        { name: version, served: true, storage: true, ...(subresources && { subresources }), schema: { openAPIV3Schema: schema } },
      ],
    },
  };
}
