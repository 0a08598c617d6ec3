import { parseDocument } from 'yaml';

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
    // An alias has no anchor, or repeated aliases would make the value huge.
    return { ok: false, line: undefined };
  }
}
