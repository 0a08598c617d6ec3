import { base64Text, Float } from '#go';
import { CelError, isList, isMap, Optional, toText, Uint } from '#cel';
import type { CelValue } from '#cel';
import type { VerdictValue } from '../canonical-text.ts';

/** Returns a CEL value in the form in which the oracle writes it: as JSON if possible, otherwise as text. */
export function celJson(value: CelValue): VerdictValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : goInfinity(value);
  if (value instanceof Float) return value;
  if (value instanceof Uint) return value.value;
  if (value instanceof Uint8Array) return base64Text(value);
  if (value instanceof Optional) return { optional: value.value === undefined ? 'none' : celJson(value.value) };
  if (isList(value)) return Array.from({ length: value.size }, (_, index) => celJson(value.at(index)));
  if (isMap(value)) return Object.fromEntries([...value.keys()].map((key) => [keyText(key), celJson(value.get(key) ?? null)]));
  const text = toText(value);
  return typeof text === 'string' ? text : text instanceof CelError ? String(value) : celJson(text);
}

/** Returns a key as Go's `fmt.Sprint` prints it. */
function keyText(key: CelValue): string {
  if (isList(key) || isMap(key)) return goText(key);
  const text = toText(key);
  return key === null ? 'NULL_VALUE' : typeof text === 'string' ? text : String(key);
}

/** Returns the text of a list or map inside a key, as Go's `%v` prints a slice or a map. The keys of a map are sorted. */
function goText(value: CelValue): string {
  if (isList(value)) return `[${Array.from({ length: value.size }, (_, index) => goText(value.at(index))).join(' ')}]`;
  if (!isMap(value)) return keyText(value);
  const entries = [...value.keys()].map((key) => `${goText(key)}:${goText(value.get(key) ?? null)}`);
  return `map[${entries.sort().join(' ')}]`;
}

function goInfinity(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
