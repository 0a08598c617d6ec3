import { formatFloat, goQuote, Float, writeJson } from '#go';
import type { FieldPath } from './field-path.ts';
import { pathText } from './field-path.ts';
import type { JsonValue } from '#go';
import { WordedText } from './change.ts';
import type { Change, ErrorDetail } from './change.ts';
import { KUBE_CHANGES, kubeHas, LATEST_MINOR } from './minors.ts';
import type { Minor } from './minors.ts';

/** Types of field errors. The list is complete. Source: k8s.io/apimachinery/pkg/util/validation/field/errors.go (1.38). */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/**
 * Rejected value in a field error, with the way in which the error text prints it. The text leaves out an `omitted` value. It prints a
 * `json` value as Go prints it. It prints a `struct` as JSON with the keys in their own order, like a Go struct. For `go`, it prints the
 * property `text`, which is in Go's syntax.
 */
export type BadValue =
  | { readonly kind: 'omitted' }
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'struct'; readonly value: JsonValue }
  | { readonly kind: 'go'; readonly value: JsonValue; readonly text: string };

/** Field error as structured data. `fieldErrorText` creates its text only when it is needed. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Field path as the API server prints it, or `<nil>` if there is none. */
  readonly field: string;
  readonly badValue: BadValue;
  readonly detail: string;
  /** Differences because of which some Kubernetes versions do not report the error; absent if all report it. */
  readonly because?: readonly Change[] | undefined;
  /** Differences because of which other Kubernetes versions use other words; absent if all use the same words. */
  readonly wordedBy?: readonly Change[] | undefined;
}

/** Text of each error type at the beginning of an error message. */
const TYPE_WORDS: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

/** Error types whose text never contains the bad value. */
const VALUELESS: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

const OMITTED: BadValue = { kind: 'omitted' };

/** Returns true if the text of the error contains its bad value. */
export function showsBadValue(error: FieldError): boolean {
  return !VALUELESS.has(error.type) && error.badValue.kind !== 'omitted';
}

function badValueText(bad: BadValue): string {
  if (bad.kind === 'go') return bad.text;
  if (bad.kind === 'struct') return writeJson(bad.value, { escapeHtml: true, keys: 'own' });
  if (bad.kind === 'omitted') return '';
  const value = bad.value;
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Float) return formatFloat(value.value);
  if (typeof value === 'number') return formatFloatOrInt(value);
  return writeJson(value);
}

function formatFloatOrInt(value: number): string {
  return Number.isInteger(value) ? String(value === 0 ? 0 : value) : formatFloat(value);
}

/** Returns the error without its field: `Invalid value: "x": must be y`. Source: `ErrorBody` in field/errors.go (1.37). */
export function fieldErrorBody(error: FieldError): string {
  let text = TYPE_WORDS[error.type];
  if (showsBadValue(error)) text += `: ${badValueText(error.badValue)}`;
  return error.detail === '' ? text : `${text}: ${error.detail}`;
}

/** Returns the text of an error with its field, such as `spec.a: Invalid value: "x": must be y`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** Marker for a bad value that the error text omits. */
export const OMIT = Symbol('omitted bad value');

/** Bad value as an argument of functions that create errors: a JSON value, a {@link BadValueBox}, or {@link OMIT}. */
export type BadValueInput = JsonValue | typeof OMIT | BadValueBox;

/** Bad value for a field error, wrapped together with the form in which the error message prints the value. */
export class BadValueBox {
  readonly bad: BadValue;
  /** Differences because of which other Kubernetes versions print the value in another form. */
  readonly changes: readonly Change[];
  constructor(bad: BadValue, changes: readonly Change[] = []) {
    this.bad = bad;
    this.changes = changes;
  }
}

/** Wraps a bad value, for a text that prints it in another form in other Kubernetes versions because of the given differences. */
export function wordedValue(value: BadValueInput, ...changes: readonly Change[]): BadValueBox {
  return new BadValueBox(box(value), changes);
}

/**
 * Wraps the invalid value of a field error, so that the error message prints `text` (in the syntax of Go) in place of the value. `changes`
 * are the differences because of which other Kubernetes versions print the value in another form.
 */
export function goBadValue(value: JsonValue, text: string, ...changes: readonly Change[]): BadValueBox {
  return new BadValueBox({ kind: 'go', value, text }, changes);
}

/**
 * Wraps the invalid value of a field error, so that the error message prints it like a Go struct. It is printed as JSON with the keys in
 * their present order.
 */
export function structValue(value: JsonValue): BadValueBox {
  return new BadValueBox({ kind: 'struct', value });
}

function box(value: BadValueInput): BadValue {
  if (value === OMIT) return OMITTED;
  return value instanceof BadValueBox ? value.bad : { kind: 'json', value };
}

/** Location of an error: a field path, or the text of a field path. */
export type ErrorPlace = FieldPath | string | undefined;

function placeText(place: ErrorPlace): string {
  return typeof place === 'string' ? place : pathText(place);
}

function make(type: FieldErrorType, place: ErrorPlace, value: BadValueInput, detail: ErrorDetail): FieldError {
  const words = detail instanceof WordedText ? detail : undefined;
  return {
    type,
    field: placeText(place),
    badValue: box(value),
    detail: words?.text ?? (detail as string),
    because: undefined,
    wordedBy: together(value instanceof BadValueBox && !VALUELESS.has(type) ? value.changes : undefined, words?.changes),
  };
}

function together(some: readonly Change[] | undefined, others: readonly Change[] | undefined): readonly Change[] | undefined {
  const all = some === undefined || others === undefined ? (some ?? others) : [...some, ...others];
  return all?.length === 0 ? undefined : all;
}

/** Returns an error that some Kubernetes versions do not report, because of the given differences. */
export function reportedBecauseOf(error: FieldError, ...changes: readonly Change[]): FieldError {
  return changes.length === 0 ? error : { ...error, because: together(error.because, changes) };
}

/** Returns an error whose words differ between Kubernetes versions because of the given differences. */
export function wordedBecauseOf(error: FieldError, ...changes: readonly Change[]): FieldError {
  return changes.length === 0 ? error : { ...error, wordedBy: together(error.wordedBy, changes) };
}

/** Returns the error for an invalid value. */
export function invalid(place: ErrorPlace, value: BadValueInput, detail: ErrorDetail): FieldError {
  return make('FieldValueInvalid', place, value, detail);
}

/** Returns the error for a value of the wrong type. Its text has the same form as in {@link invalid}. */
export function typeInvalid(place: ErrorPlace, value: BadValueInput, detail: ErrorDetail): FieldError {
  return make('FieldValueTypeInvalid', place, value, detail);
}

/** Returns the error for a missing value. */
export function required(place: ErrorPlace, detail: ErrorDetail): FieldError {
  return make('FieldValueRequired', place, '', detail);
}

/** Returns the error for a field that must not be set. */
export function forbidden(place: ErrorPlace, detail: ErrorDetail): FieldError {
  return make('FieldValueForbidden', place, '', detail);
}

/** Returns the error for a value that refers to something that does not exist. */
export function notFound(place: ErrorPlace, value: BadValueInput): FieldError {
  return make('FieldValueNotFound', place, value, '');
}

/** Returns the error for a value that occurs more than once. */
export function duplicate(place: ErrorPlace, value: BadValueInput): FieldError {
  return make('FieldValueDuplicate', place, value, '');
}

/** Returns the error for a value that is not in `supported`. The error lists the supported values in the given order. */
export function notSupported(place: ErrorPlace, value: BadValueInput, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return make('FieldValueNotSupported', place, value, detail);
}

/** Returns the error for a string that is longer than `limit`. `words` creates the sentence about the limit. */
export function tooLong(place: ErrorPlace, limit: number, words: TooLongWords = tooLongWords(LATEST_MINOR)): FieldError {
  return make('FieldValueTooLong', place, '<value omitted>', limit < 0 ? 'value is too long' : words(limit));
}

/** Returns the error for a string with fewer than `limit` characters. Source: field/errors.go `TooShort` (1.38). */
export function tooShort(place: ErrorPlace, value: string, limit: number | bigint): FieldError {
  return make('FieldValueTooShort', place, value, `must be at least ${limit} ${Number(limit) === 1 ? 'character' : 'characters'}`);
}

/** Returns the error for a list or map with fewer than `limit` entries: `actual`. Source: field/errors.go `TooFew` (1.38). */
export function tooFew(place: ErrorPlace, actual: number, limit: number | bigint): FieldError {
  return make('FieldValueTooFew', place, actual, `must have at least ${limit} ${Number(limit) === 1 ? 'item' : 'items'}`);
}

/**
 * Returns the error for a list or map with more than `limit` entries. If `actual`, the number of entries, is undefined, the error does not
 * show it.
 */
export function tooMany(
  place: ErrorPlace,
  actual: number | undefined,
  limit: number,
  words: TooManyWords = tooManyWords(LATEST_MINOR),
): FieldError {
  return make('FieldValueTooMany', place, actual ?? OMIT, limit < 0 ? 'has too many items' : words(limit));
}

/** Returns the error for an internal failure of the validation or a defect of the definition. */
export function internalError(place: ErrorPlace, detail: string): FieldError {
  return make('InternalError', place, '', detail);
}

/**
 * Function that returns the sentence about a length limit. The sentence depends on the Kubernetes minor version (see {@link tooLongWords}).
 */
export type TooLongWords = (limit: number) => WordedText;
/**
 * Function that returns the sentence about a limit for the number of entries. The sentence depends on the Kubernetes minor version (see
 * {@link tooManyWords}).
 */
export type TooManyWords = (limit: number) => WordedText;

/** Returns the function that creates the sentence about the limit in {@link tooLong} errors of a Kubernetes minor version. */
export function tooLongWords(minor: Minor): TooLongWords {
  const { lengthsAreMost } = KUBE_CHANGES;
  if (!kubeHas(minor, 'lengthsAreMost')) return (limit) => new WordedText(`may not be longer than ${limit}`, [lengthsAreMost]);
  return (limit) => new WordedText(`may not be more than ${limit} ${unit('byte', limit, minor)}`, [lengthsAreMost, ...unitChanges(limit)]);
}

/**
 * Returns the function that creates the sentence about the limit in {@link tooMany} errors (too many entries) of a Kubernetes minor
 * version.
 */
export function tooManyWords(minor: Minor): TooManyWords {
  return (limit) => new WordedText(`must have at most ${limit} ${unit('item', limit, minor)}`, unitChanges(limit));
}

/** Returns the singular or plural of `word` for a count. Before Kubernetes 1.34, the result is always the plural. */
const unit = (word: string, count: number, minor: Minor): string => (count === 1 && kubeHas(minor, 'onesAreSingular') ? word : `${word}s`);

/** Returns the difference that decides about the words for a count. */
const unitChanges = (count: number): readonly Change[] => (count === 1 ? [KUBE_CHANGES.onesAreSingular] : []);

/**
 * Returns several errors as one text. One error becomes its text. Several errors become `[e1, e2]`, in which each text occurs once. Returns
 * undefined if there are no errors. Source: `ErrorList.ToAggregate` and util/errors `aggregate.Error` (1.37).
 */
export function aggregateText(errors: readonly FieldError[]): string | undefined {
  return aggregatedTexts(errors.map(fieldErrorText));
}

/** Joins error texts in the same way as {@link aggregateText}. */
export function aggregatedTexts(all: readonly string[]): string | undefined {
  const texts = [...new Set(all)];
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
}
