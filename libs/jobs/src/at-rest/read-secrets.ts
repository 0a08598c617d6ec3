import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { z } from 'zod';

/**
 * Content of a text with secrets. If the text is neither YAML nor JSON, `line` is the line of the fault, from 1; undefined if it is not known.
 * No part of the text is in such a result.
 */
export type ParsedSecrets = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly line: number | undefined };

/**
 * Parses one YAML or JSON document that contains secrets. Unknown tags, keys that occur twice and an empty text are faults. Prints nothing,
 * because the warnings and errors of the parser quote the text.
 */
export function parseSecrets(text: string): ParsedSecrets {
  const document = parseDocument(text, { logLevel: 'error' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined || document.contents === null) return { ok: false, line: fault?.linePos?.[0].line };
  try {
    return { ok: true, value: document.toJS() };
  } catch {
    // `toJS` throws if an alias has no anchor, or if repeated aliases would make the value huge.
    return { ok: false, line: undefined };
  }
}

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
