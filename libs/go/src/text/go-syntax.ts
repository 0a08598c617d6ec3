import { formatFloat } from './float-text.ts';
import { goQuote } from './quote.ts';
import { compareBytes } from '../json/compare-keys.ts';
import { floatOf, isJsonObject } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';

/** Returns a decoded value as Go's `%#v` writes it. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  const float = floatOf(value);
  if (float !== undefined) return formatFloat(float);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.keys(value)
    .sort(compareBytes)
    .map((key) => `${goQuote(key)}:${goSyntax(value[key] as JsonValue)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}
