import type { JsonValue } from './json/value.ts';

/** The closed set of field error types. Source: k8s.io/apimachinery/pkg/util/validation/field/errors.go (1.37). */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/** The value that an error complains about. `omitted` prints nothing; `json` prints as Go prints the value; `go` is text already rendered as Go would. */
export type BadValue = { readonly kind: 'omitted' } | { readonly kind: 'json'; readonly value: JsonValue } | { readonly kind: 'go'; readonly text: string };

/** One field error, as data. Its text is made by `fieldErrorText` only when someone reads it. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The field path as upstream prints it; `<nil>` when there is none. */
  readonly field: string;
  readonly badValue: BadValue;
  readonly detail: string;
}
