import { deepEqualJson, Float, isJsonInt } from '#go';
import type { JsonValue } from '#go';
import type { Structural } from '../structural/structural.ts';

/**
 * Returns values that can replace a scalar when small edits of an object are tried. These are other enum values, the negated boolean, or a
 * nearby number or text. The values that are most likely valid come first. The caller must check whether they are valid.
 */
export function otherValues(value: JsonValue, schema: Structural | undefined): JsonValue[] {
  const words = (schema?.enum ?? []).filter((word) => !deepEqualJson(word, value));
  if (words.length > 0) return words.slice(0, 2);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return otherTexts(value);
  if (value instanceof Float) return [new Float(value.value + 1), new Float(value.value - 1)];
  if (isJsonInt(value)) return typeof value === 'bigint' ? [value - 1n] : [value + 1, value - 1];
  return [];
}

/**
 * Returns similar texts: with another last character, one character longer, and one character shorter. At least one of them usually meets
 * the length, pattern and format.
 */
function otherTexts(text: string): string[] {
  const last = text.at(-1) ?? '';
  const neighbour = /[0-8a-y]/i.test(last) ? String.fromCharCode(last.charCodeAt(0) + 1) : /[9z]/i.test(last) ? '0' : 'a';
  return [text.slice(0, -1) + neighbour, `${text}a`, text.slice(0, -1)];
}

/** Returns a value with which an edit can add an absent scalar field. Returns undefined if the field is no scalar or has a default. */
export function firstValue({ default: declared, enum: words, type, minLength, props }: Structural): JsonValue | undefined {
  const { minimum } = props;
  const [word] = words ?? [];
  if (declared !== undefined) return undefined;
  if (word !== undefined) return word;
  if (type === 'boolean') return true;
  if (type === 'integer') return Math.ceil(minimum ?? 1);
  if (type === 'number') return new Float(minimum ?? 1);
  return type === 'string' ? 'a'.repeat(Math.max(1, minLength ?? 1)) : undefined;
}
