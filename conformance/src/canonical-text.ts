import { Float, isJsonObject } from '#go';
import type { JsonValue } from '#go';

/** Verdict or a part of it: lossless JSON that was read, or plain objects that Assay's code created. Absent fields are left out. */
export type VerdictValue = JsonValue | undefined | readonly VerdictValue[] | { readonly [key: string]: VerdictValue };

/** Part of a verdict that is an object. */
export type VerdictObject = { readonly [key: string]: VerdictValue };

/** Returns true if a part of a verdict is an object. */
export function isVerdictObject(value: VerdictValue): value is VerdictObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}

/**
 * Returns a text that is equal for equal verdicts. Keys are sorted, absent fields are left out, and numbers are written by value. The
 * random number that every compilation adds to the name of a root type is masked.
 */
export function canonicalText(value: VerdictValue): string {
  if (typeof value === 'string') return JSON.stringify(value.replace(/selfType\d+/g, 'selfType#'));
  if (value instanceof Float) return numberText(value.value);
  if (typeof value === 'number') return numberText(value);
  // The oracle records numbers beyond int64 as doubles.
  if (typeof value === 'bigint') return value < 2n ** 63n ? String(value) : numberText(Number(value));
  if (Array.isArray(value)) return `[${(value as readonly VerdictValue[]).map(canonicalText).join(',')}]`;
  if (!isVerdictObject(value)) return value === undefined ? 'absent' : String(value);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`)
    .join(',')}}`;
}

const numberText = (value: number): string => (Object.is(value, -0) ? '0' : String(value));

/**
 * Returns a verdict as one line of JSON. Numbers of type int64 and uint64 are written with all digits. Integral floats are written without
 * a decimal point, as Go writes them.
 */
export function verdictText(value: VerdictValue): string {
  if (value instanceof Float) return numberText(value.value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly VerdictValue[]).map((element) => verdictText(element ?? null)).join(',')}]`;
  if (isVerdictObject(value)) {
    const members = Object.keys(value).flatMap((key) =>
      value[key] === undefined ? [] : `${JSON.stringify(key)}:${verdictText(value[key])}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Returns a member of an object; undefined if the value is not an object or has no such member. */
export function member(value: VerdictValue, key: string): VerdictValue {
  return isVerdictObject(value) || isJsonObject(value as JsonValue) ? (value as VerdictObject)[key] : undefined;
}
