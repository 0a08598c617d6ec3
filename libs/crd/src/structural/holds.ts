import { writeJson } from '#go';
import type { Structural } from './structural.ts';

/**
 * Returns a function that is true if a property holds for a schema or any schema below it. It computes each node once.
 * Walks skip the subtrees for which it is false.
 */
function remembered(isSaid: (schema: Structural) => boolean): (schema: Structural) => boolean {
  const known = new WeakMap<Structural, boolean>();
  const holds = (schema: Structural): boolean => {
    let found = known.get(schema);
    if (found === undefined) {
      found = isSaid(schema) || (schema.items !== undefined && holds(schema.items));
      found ||= schema.additionalProperties !== undefined && holds(schema.additionalProperties);
      for (const property of schema.properties?.values() ?? []) found ||= holds(property);
      known.set(schema, found);
    }
    return found;
  };
  return holds;
}

/** True when the schema holds an embedded resource somewhere, be it itself; most do not, and walks for their sake turn back. */
export const hasEmbedded = remembered(({ embeddedResource }) => embeddedResource);

/** True when the schema holds a list of type set or map somewhere. */
export const hasListTypes = remembered(({ listType }) => listType === 'set' || listType === 'map');

/** True when the schema holds a default somewhere, be it its own. */
export const hasDefaults = remembered((schema) => schema.default !== undefined);

/** True when a default somewhere holds a character of two UTF-16 units, as a value or as a key. */
export const hasWideDefaults = remembered((schema) => schema.default !== undefined && /[\ud800-\udfff]/.test(writeJson(schema.default)));
