import { writeJson, memoizeWeak } from '#go';
import type { Structural } from './structural.ts';

/**
 * Returns a function that tests if `isSaid` is true for a schema or any schema below it. The function caches its result for each node.
 * Traversals skip a subtree if the function returns false for it.
 */
function remembered(isSaid: (schema: Structural) => boolean): (schema: Structural) => boolean {
  const holds: (schema: Structural) => boolean = memoizeWeak((schema) => {
    if (isSaid(schema) || (schema.items !== undefined && holds(schema.items))) return true;
    if (schema.additionalProperties !== undefined && holds(schema.additionalProperties)) return true;
    return [...(schema.properties?.values() ?? [])].some(holds);
  });
  return holds;
}

/**
 * Returns true if the schema or any schema below it is an embedded resource. Most schemas have none, so traversals for embedded resources
 * can end early.
 */
export const hasEmbedded = remembered(({ embeddedResource }) => embeddedResource);

/** Returns true if the schema or any schema below it is a list of type `set` or `map`. */
export const hasListTypes = remembered(({ listType }) => listType === 'set' || listType === 'map');

/** Returns true if the schema or any schema below it has a default. */
export const hasDefaults = remembered((schema) => schema.default !== undefined);

/** Returns true if any default in a schema contains a character of two UTF-16 code units, in a value or in a key. */
export const hasWideDefaults = remembered((schema) => schema.default !== undefined && /[\ud800-\udfff]/.test(writeJson(schema.default)));
