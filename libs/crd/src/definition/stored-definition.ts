import type { JsonObject, JsonValue } from '#go';
import { encodeDefinition } from '../schema/encode-definition.ts';
import { readStored } from './admission/read-definition.ts';

/**
 * Returns a stored definition as a server returns it: in v1, and without unknown fields. A definition without conditions is treated as
 * established. Returns undefined if the document cannot be decoded.
 */
export function storedDefinition(document: JsonValue): JsonObject | undefined {
  const definition = readStored(document);
  return definition && encodeDefinition(definition);
}
