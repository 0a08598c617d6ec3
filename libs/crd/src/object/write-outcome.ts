import type { JsonObject } from '#go';
import type { FieldError, Status } from '#kube';

/** A write that is answered before or instead of validation, with the Status that says so. */
export interface EarlyAnswer {
  readonly kind: 'answered';
  readonly status: Status;
}

/** An object with which a write continues, or the server's early answer. */
export type ReadObject = { readonly kind: 'read'; readonly object: JsonObject } | EarlyAnswer;

/** The errors that validation found, and the object name that their Status shows. */
export interface Invalid {
  readonly kind: 'invalid';
  readonly errors: readonly FieldError[];
  readonly name: string;
}

/** An object in the form that storage receives. */
export interface Stored {
  readonly kind: 'stored';
  readonly object: JsonObject;
}

/** The result of a write. */
export type WriteOutcome = Stored | Invalid | EarlyAnswer;

/** Returns an early answer. */
export const earlyAnswer = (status: Status): EarlyAnswer => ({ kind: 'answered', status });
