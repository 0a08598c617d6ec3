import { readJson } from '#go';
import type { JsonValue } from '#go';

/** Returns the value of a JSON text; undefined if the bytes are no JSON. */
export function parsedJson(bytes: Uint8Array): JsonValue | undefined {
  const reading = readJson(bytes);
  return reading.ok ? reading.value : undefined;
}
