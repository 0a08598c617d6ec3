import type { BadValue, FieldError } from './field-error.ts';
import { goQuote } from './go-quote.ts';
import { formatFloat } from './go-number.ts';
import { compareBytes } from './json/compare-keys.ts';
import { Float, isJsonObject } from './json/value.ts';
import type { JsonObject, JsonValue } from './json/value.ts';
import { minorNumber } from './minor.ts';
import type { Minor } from './minor.ts';

/**
 * Minor from which errors show values as JSON. Before, objects and lists stand in Go's syntax and nothing stands as the text "null".
 * Source: `ErrorBody` in k8s.io/apimachinery/pkg/util/validation/field/errors.go (1.33, 1.34).
 */
const JSON_SINCE = 34;

/** Errors about decoded objects as a minor words them. Only their texts differ; to be shown, not to be compared. */
export function wordedErrors(errors: readonly FieldError[], minor: Minor): readonly FieldError[] {
  if (minorNumber(minor) >= JSON_SINCE) return errors;
  return errors.map((error) => (error.badValue.kind === 'json' ? { ...error, badValue: before134(error.badValue.value) } : error));
}

/** Errors about definitions as a minor words them: nothing, and rules. Other structs are still shown as JSON (docs/roadmap.md). */
export function wordedDefinitionErrors(errors: readonly FieldError[], minor: Minor): readonly FieldError[] {
  if (minorNumber(minor) >= JSON_SINCE) return errors;
  return errors.map((error) => {
    const { badValue } = error;
    if (badValue.kind === 'json' && badValue.value === null) return { ...error, badValue: before134(null) };
    if (badValue.kind !== 'struct' || !isJsonObject(badValue.value) || !('Rule' in badValue.value)) return error;
    return { ...error, badValue: { kind: 'go', value: badValue.value, text: ruleSyntax(badValue.value) } };
  });
}

/** A rule as Go writes the struct. What a pointer points at is not shown, only where that lies: an address that is different every time. */
function ruleSyntax(rule: JsonObject): string {
  const text = (field: string): string => `${field}:${goSyntax(rule[field] ?? '')}`;
  const pointer = (field: string, type: string): string =>
    `${field}:(*${type})(${(rule[field] ?? null) === null ? 'nil' : '0xc000000000'})`;
  const reason = pointer('Reason', 'apiextensions.FieldValueErrorReason');
  const fields = [text('Rule'), text('Message'), text('MessageExpression'), reason, text('FieldPath'), pointer('OptionalOldSelf', 'bool')];
  return `apiextensions.ValidationRule{${fields.join(', ')}}`;
}

function before134(value: JsonValue): BadValue {
  if (value === null) return { kind: 'go', value, text: '"null"' };
  return Array.isArray(value) || isJsonObject(value) ? { kind: 'go', value, text: goSyntax(value) } : { kind: 'json', value };
}

/** A decoded value as Go's `%#v` writes it. */
function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Float) return formatFloat(value.value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.keys(value)
    .sort(compareBytes)
    .map((key) => `${goQuote(key)}:${goSyntax(value[key] as JsonValue)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}
