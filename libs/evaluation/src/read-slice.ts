import { readJson, readYaml } from '#kube';
import type { JsonReading, YamlReading } from '#kube';
import type { DocumentSlice } from './item.ts';

/** Reads a document in its own notation. */
export function readSlice({ bytes, notation }: DocumentSlice): JsonReading | YamlReading {
  return notation === 'yaml' ? readYaml(bytes) : readJson(bytes);
}
