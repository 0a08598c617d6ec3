import { formatJsonFloat } from '../text/number-text.ts';
import { sortedKeys } from '../sort.ts';
import { Float, SpelledFloat } from './value.ts';
import type { JsonValue } from './value.ts';

/** Options for writing JSON. */
export interface JsonStyle {
  /** True if `<`, `>` and `&` are escaped, as Go's json.Marshal does. */
  readonly escapeHtml: boolean;
  /** Order of keys. `sorted` sorts keys by bytes, as Go writes maps. `own` keeps the order of the object, as Go writes structs. */
  readonly keys: 'sorted' | 'own';
  /** True if a {@link SpelledFloat} is written with its original spelling in the document. */
  readonly spelled?: boolean;
}

const CONTROL = /[\u0000-\u001f\u007f"\\\u2028\u2029<>&]|[\ud800-\udfff]/;

function escapeCharacter(character: string, escapeHtml: boolean): string {
  switch (character) {
    case '"':
      return '\\"';
    case '\\':
      return '\\\\';
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    case '\b':
      return '\\b';
    case '\f':
      return '\\f';
    case '<':
    case '>':
    case '&':
      if (!escapeHtml) return character;
      break;
  }
  const code = character.charCodeAt(0);
  if (code >= 0xd800 && code <= 0xdfff) return character.length === 2 ? character : '\\ufffd';
  if (code < 0x20 || code === 0x2028 || code === 0x2029 || code < 0x7f) return `\\u${code.toString(16).padStart(4, '0')}`;
  return character;
}

/** Returns a string as Go's encoding/json writes it. */
function writeJsonString(text: string, escapeHtml = true): string {
  if (!CONTROL.test(text)) return `"${text}"`;
  let out = '"';
  for (const character of text) out += CONTROL.test(character) ? escapeCharacter(character, escapeHtml) : character;
  return `${out}"`;
}

/**
 * Returns a value as Go's encoding/json writes it: map keys sorted by bytes, integral floats without a point, HTML characters escaped.
 * Source: Go encoding/json/encode.go.
 */
export function writeJson(value: JsonValue, style: JsonStyle = { escapeHtml: true, keys: 'sorted' }): string {
  if (value === null) return 'null';
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof value) {
    case 'string':
      return writeJsonString(value, style.escapeHtml);
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return formatJsonFloat(value === 0 ? 0 : value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, style)).join(',')}]`;
  if (value instanceof Float) return style.spelled && value instanceof SpelledFloat ? value.spelling : formatJsonFloat(value.value);
  const keys = style.keys === 'sorted' ? sortedKeys(value) : Object.keys(value);
  return `{${keys.map((key) => `${writeJsonString(key, style.escapeHtml)}:${writeJson(value[key] as JsonValue, style)}`).join(',')}}`;
}
