import { deepEqualJson, floatOf, isJsonInt, writeJson } from '#go';
import { notSupported } from '#kube';
import type { JsonValue } from '#go';
import { toInt64 } from './go-integers.ts';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Returns true if a value equals an enum element after conversion to the element's type, as Go's reflection converts it. null equals
 * nothing.
 */
function matches(value: JsonValue, element: JsonValue): boolean {
  if (value === null || element === null) return false;
  if (typeof element === 'string') {
    if (typeof value === 'string') return value === element;
    // Go converts an integer to the string of that code point.
    return isJsonInt(value) && element === codePoint(value);
  }
  if (isJsonInt(element)) {
    const float = floatOf(value);
    return float === undefined ? value === element : toInt64(float) === BigInt(element);
  }
  const float = floatOf(element);
  if (float !== undefined) return (isJsonInt(value) ? Number(value) : floatOf(value)) === float;
  return deepEqualJson(value, element);
}

function codePoint(value: number | bigint): string {
  const code = Number(value);
  return code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
}

/** Returns the elements of an enum as Go's `%v` prints a slice. The text only serves to distinguish findings. */
function listText(elements: readonly JsonValue[]): string {
  return `[${elements.map((element) => (typeof element === 'string' ? element : writeJson(element))).join(' ')}]`;
}

/**
 * Returns a function that checks if a value is one of `elements`, the values of the keyword `enum`. Source: kube-openapi
 * pkg/validation/validate/validator.go `basicCommonValidator`.
 */
export function enumCheck(elements: readonly JsonValue[]): (value: JsonValue, walk: SchemaWalk) => void {
  const strings = new Set(elements.filter((element) => typeof element === 'string'));
  const supported = elements.map((element) => (typeof element === 'string' ? element : writeJson(element)));
  return (value, walk) => {
    if (typeof value === 'string' ? strings.has(value) : elements.some((element) => matches(value, element))) return;
    const name = walk.name;
    const text = `${name} in body should be one of ${listText(elements)}`;
    walk.add({ text, name, toError: (field) => notSupported(field, value, supported) });
  };
}
