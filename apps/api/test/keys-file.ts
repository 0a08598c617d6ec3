import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the entry of the keys file for a token. */
export const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns a file of its own with this text. */
export function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-keys-')), 'keys.yaml');
  writeFileSync(file, text);
  return file;
}

/** Returns a keys file with these entries, as JSON. */
export const keysFile = (entries: readonly unknown[]): string => fileOf(JSON.stringify(entries));
