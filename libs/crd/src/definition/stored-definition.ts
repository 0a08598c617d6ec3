import type { JsonObject, JsonValue } from '#go';
import { encodeDefinition } from '../schema/encode-definition.ts';
import { readStored } from './admission/read-definition.ts';

/**
 * Returns a definition that is stored, as a server shows it: in its v1 form, without what no definition has. One without conditions is taken as established.
 * Undefined where it cannot be read.
 */
export function storedDefinition(document: JsonValue): JsonObject | undefined {
  const definition = readStored(document);
  return definition && encodeDefinition(definition);
}
