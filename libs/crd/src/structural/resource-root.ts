import type { Structural } from './structural.ts';

/** The three fields that every resource has. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

const roots = new WeakMap<Structural, Structural>();

/** Returns a root schema as that of a resource: an embedded resource, whatever it says itself. One for each schema, so that what is known of it is known the next time. */
export function asResourceRoot(schema: Structural): Structural {
  if (schema.embeddedResource) return schema;
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const root = { ...schema, embeddedResource: true };
  roots.set(schema, root);
  return root;
}
