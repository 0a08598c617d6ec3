import { memoizeWeak } from '#go';
import type { Structural } from './structural.ts';

/** The three fields that every resource has. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns a root schema marked as an embedded resource, even if the schema itself has no such mark. The result is always the same object
 * for the same schema, so that caches by schema work.
 */
export function asResourceRoot(schema: Structural): Structural {
  return schema.embeddedResource ? schema : markedRoot(schema);
}

const markedRoot = memoizeWeak((schema: Structural): Structural => ({ ...schema, embeddedResource: true }));
