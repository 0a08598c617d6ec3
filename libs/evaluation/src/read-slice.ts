import { readJson, readYaml } from '#go';
import type { CancellationToken, JsonReading, YamlReading } from '#go';
import type { DocumentSlice } from './item.ts';

/** Parses a document as JSON or YAML, according to its notation. Throws `Cancelled` if the token is cancelled. */
export function readSlice({ bytes, notation }: DocumentSlice, token?: CancellationToken): JsonReading | YamlReading {
  return notation === 'yaml' ? readYaml(bytes, token) : readJson(bytes, token);
}
