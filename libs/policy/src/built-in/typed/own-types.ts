import {
  floatOf,
  formatDuration,
  formatQuantity,
  formatRfc3339Micro,
  formatRfc3339Nano,
  goTrim,
  isJsonInt,
  parseDuration,
  parseQuantity,
  parseTime,
  RFC3339,
  RFC3339_MICRO,
  writeJson,
} from '#go';
import type { Instant, JsonValue, QuantityRules } from '#go';
import type { OwnTypeName } from '../table/go-type.ts';
import { OwnDecoderError } from './reading-errors.ts';
import type { ReadingErrors } from './reading-errors.ts';

/** Returns the JSON of the zero value of a Go type that has its own JSON decoder, such as `Quantity`. */
export function zeroOfOwn(name: OwnTypeName): JsonValue {
  if (name === 'Quantity') return '0';
  if (name === 'IntOrString') return 0;
  return name === 'Duration' ? '0s' : null;
}

/**
 * Decodes a value of a Go type that has its own JSON decoder, such as `Quantity` or `Time`, and encodes the value again. Quantities and
 * durations become canonical, times are in UTC. Throws {@link OwnDecoderError} if the decoder rejects the value.
 */
export function readOwn(value: JsonValue, name: OwnTypeName, errors: ReadingErrors, quantities: QuantityRules): JsonValue {
  switch (name) {
    case 'Quantity':
      return readQuantity(value, quantities);
    case 'IntOrString':
      return readIntOrString(value, errors);
    case 'Time':
      return readTime(value, RFC3339, (instant) => formatRfc3339Nano({ ...instant, nanos: 0 }), errors);
    case 'MicroTime':
      return readTime(value, RFC3339_MICRO, formatRfc3339Micro, errors);
    case 'Duration':
      return readDuration(value, errors);
    case 'RawExtension':
    case 'FieldsV1':
      return value;
  }
}

/**
 * Decodes a quantity, which may be a string or a number in JSON. Returns its canonical form, or the original text if Go does not change it.
 * The result for null is '0'.
 */
function readQuantity(value: JsonValue, rules: QuantityRules): JsonValue {
  if (value === null) return '0';
  const result = parseQuantity(goTrim(typeof value === 'string' ? value : numberText(value)), rules);
  if (!result.ok) throw new OwnDecoderError(result.error);
  return result.kept ?? formatQuantity(result.quantity);
}

/** Returns the JSON text of a number. For any other value, returns a text that is not a valid quantity. */
function numberText(value: JsonValue): string {
  return isJsonInt(value) || floatOf(value) !== undefined ? writeJson(value) : '{}';
}

function readIntOrString(value: JsonValue, errors: ReadingErrors): JsonValue {
  if (typeof value === 'string') return value;
  if (value === null) return 0;
  if (isJsonInt(value) && value >= -2147483648 && value <= 2147483647) return value;
  throw new OwnDecoderError(errors.mismatchText(value, { kind: 'int32', text: 'int32' }));
}

/** Go's zero time, the first day of the year 1, as seconds relative to 1970. */
const ZERO_TIME = -62135596800;

function readTime(value: JsonValue, layout: string, show: (instant: Instant) => string, errors: ReadingErrors): JsonValue {
  if (value === null) return null;
  const result = parseTime(layout, readText(value, errors));
  if (!result.ok) throw new OwnDecoderError(result.error);
  const { seconds, nanos } = result.instant;
  return seconds === ZERO_TIME && nanos === 0 ? null : show({ seconds, nanos, offset: 0 });
}

function readDuration(value: JsonValue, errors: ReadingErrors): JsonValue {
  const result = parseDuration(value === null ? '' : readText(value, errors));
  if (!result.ok) throw new OwnDecoderError(result.error);
  return formatDuration(result.nanos);
}

function readText(value: JsonValue, errors: ReadingErrors): string {
  if (typeof value === 'string') return value;
  throw new OwnDecoderError(errors.mismatchText(value, { kind: 'string', text: 'string' }));
}
