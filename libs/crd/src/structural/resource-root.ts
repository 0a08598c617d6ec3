import type { Structural } from './structural.ts';

/** The three fields that every resource has. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A root schema as that of a resource: an embedded resource, whatever it says itself. */
export function asResourceRoot(schema: Structural): Structural {
  return schema.embeddedResource ? schema : { ...schema, embeddedResource: true };
}
