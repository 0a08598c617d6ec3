import { readJson, readYaml, utf8Text } from '#go';
import type { CancellationToken, JsonReading, YamlReading } from '#go';
import type { DocumentSlice } from './item.ts';

/** Parses a document as JSON or YAML, according to its notation. Throws `Cancelled` if the token is cancelled. */
export function readSlice({ bytes, notation }: DocumentSlice, token?: CancellationToken): JsonReading | YamlReading {
  if (notation === 'unread') return { ok: false, error: utf8Text(bytes), line: 0 };
  return notation === 'yaml' ? readYaml(bytes, token) : readJson(bytes, token);
}
