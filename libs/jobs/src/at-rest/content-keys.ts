import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseSecrets } from './parse-secrets.ts';

/** Length of an AES-256 key in bytes. */
const KEY_BYTES = 32;

const contentKey = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be 1 to 63 letters, digits, ".", "_" or "-"'),
  key: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(({ length }) => length === KEY_BYTES, `must be ${KEY_BYTES} bytes in base64`),
});

const contentKeys = z
  .array(contentKey)
  .min(1, 'must hold at least one key')
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'two keys have one id');

/**
 * Key that encrypts data of clients (definitions, objects and results) before the data is stored. The id of the key is stored with the
 * data.
 */
export type ContentKey = z.infer<typeof contentKey>;

/**
 * Reads the keys that encrypt the stored content of clients from `file`. Returns an empty list if no file is specified. Throws an error
 * with the problems and their locations in the file. The error never contains a value from the file.
 */
export function readContentKeys(file: string | undefined): readonly ContentKey[] {
  if (file === undefined || file === '') return [];
  const result = contentKeys.safeParse(parsed(file));
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }) => `ASSAY_ENCRYPTION_KEYS_FILE: ${['keys', ...path.map(String)].join('.')}: ${message}`,
  );
  throw new Error(problems.join('\n'));
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`ASSAY_ENCRYPTION_KEYS_FILE: ${file} cannot be read`, { cause: error });
  }
  const parsing = parseSecrets(text);
  if (!parsing.ok) throw new Error(`ASSAY_ENCRYPTION_KEYS_FILE: ${file} is neither YAML nor JSON`);
  return parsing.value;
}
