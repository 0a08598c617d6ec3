import type { Structural } from './structural.ts';

/** The three fields that every resource has. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

const roots = new WeakMap<Structural, Structural>();

/**
 * Returns a root schema marked as an embedded resource, even if the schema itself has no such mark. The result is always the same object
 * for the same schema, so that caches by schema work.
 */
export function asResourceRoot(schema: Structural): Structural {
  if (schema.embeddedResource) return schema;
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const root = { ...schema, embeddedResource: true };
  roots.set(schema, root);
  return root;
}
