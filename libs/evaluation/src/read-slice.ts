import { readJson, readYaml } from '#go';
import type { CancellationToken, JsonReading, YamlReading } from '#go';
import type { DocumentSlice } from './item.ts';

/** Reads a document in its own notation. Throws `Cancelled` when the token asks for it. */
export function readSlice({ bytes, notation }: DocumentSlice, token?: CancellationToken): JsonReading | YamlReading {
  return notation === 'yaml' ? readYaml(bytes, token) : readJson(bytes, token);
}
