import { isPrintable } from '#go';

/**
 * Result of quoting a text as a Go string and parsing that string as JSON. It contains the text, or an error if Go's quoting uses an escape
 * sequence that JSON does not define.
 */
export type QuotedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

const SUSPECT = /[\u0000-\u001f\u007f]|[\u{10000}-\u{10ffff}]/gu;

/**
 * Returns the letter of the escape sequence that strconv.Quote writes for `rune`. Returns undefined if there is no escape sequence or if
 * JSON defines it.
 */
function foreignEscape(rune: string): string | undefined {
  const code = rune.codePointAt(0) ?? 0;
  if (code > 0xffff) return isPrintable(rune) ? undefined : 'U';
  if (code === 0x07) return 'a';
  if (code === 0x0b) return 'v';
  return '\b\f\n\r\t'.includes(rune) ? undefined : 'x';
}

/**
 * Returns `text` as the patch library reads it. The API server quotes the text as a Go string, and the library parses this string as JSON.
 * Fails if Go's quoting uses an escape sequence that JSON does not define. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go (1.37).
 */
export function throughGoQuotes(text: string): QuotedText {
  for (const [rune] of text.matchAll(SUSPECT)) {
    const letter = foreignEscape(rune);
    if (letter !== undefined) return { ok: false, error: `invalid character '${letter}' in string escape code` };
  }
  return { ok: true, text };
}
