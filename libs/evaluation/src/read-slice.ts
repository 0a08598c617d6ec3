import { readJson, readYaml } from '#go';
import type { JsonReading, YamlReading } from '#go';
import type { DocumentSlice } from './item.ts';

/** Reads a document in its own notation. */
export function readSlice({ bytes, notation }: DocumentSlice): JsonReading | YamlReading {
  return notation === 'yaml' ? readYaml(bytes) : readJson(bytes);
}
