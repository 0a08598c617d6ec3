import type { JsonObject } from '#go';
import type { FieldError, Status } from '#kube';

/** Answer to a write request that the server ends before it validates the object, with the Status in the answer. */
export interface EarlyAnswer {
  readonly kind: 'answered';
  readonly status: Status;
}

/** Object that was read from a create or update request, or the answer that ends the request before validation. */
export type ReadObject = { readonly kind: 'read'; readonly object: JsonObject } | EarlyAnswer;

/** Errors that validation found, and the object's name for the Status that reports these errors. */
export interface Invalid {
  readonly kind: 'invalid';
  readonly errors: readonly FieldError[];
  readonly name: string;
}

/** Result of a successful write: the object in the form in which the server stores it. */
export interface Stored {
  readonly kind: 'stored';
  readonly object: JsonObject;
}

/**
 * Result of a create or update request: the object to store, the validation errors, or the answer that ended the request before validation.
 */
export type WriteOutcome = Stored | Invalid | EarlyAnswer;

/** Returns the outcome of a create or update that ends before validation and is answered with `status`. */
export const earlyAnswer = (status: Status): EarlyAnswer => ({ kind: 'answered', status });
