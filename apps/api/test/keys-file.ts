import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the SHA-256 digest of a token, as the keys file contains it. */
export const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Writes a text to a new file and returns its path. */
export function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-keys-')), 'keys.yaml');
  writeFileSync(file, text);
  return file;
}

/** Writes entries as JSON to a new keys file and returns its path. */
export const keysFile = (entries: readonly unknown[]): string => fileOf(JSON.stringify(entries));
