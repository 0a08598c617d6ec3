export { CancellationToken, Cancelled } from './cancellation.ts';
export type { BadValue, FieldError, FieldErrorType } from './field-error.ts';
export { Float, floatOf, floatValue, intValue, isInt, isJsonObject, newJsonObject } from './json/value.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { isMinor, LATEST_MINOR, minorNumber, MINORS } from './minor.ts';
export type { Minor } from './minor.ts';
