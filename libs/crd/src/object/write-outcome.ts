import type { JsonObject } from '#go';
import type { FieldError, Status } from '#kube';

/** A write that is answered before or instead of validation, with the Status that says so. */
export interface EarlyAnswer {
  readonly kind: 'answered';
  readonly status: Status;
}

/** An object that a write goes on with, or the server's answer to one that cannot be. */
export type ReadObject = { readonly kind: 'read'; readonly object: JsonObject } | EarlyAnswer;

/** The errors that validation found, and the object name that their Status shows. */
export interface Invalid {
  readonly kind: 'invalid';
  readonly errors: readonly FieldError[];
  readonly name: string;
}

/** The object as it is handed to storage. */
export interface Stored {
  readonly kind: 'stored';
  readonly object: JsonObject;
}

/** What a write comes to. */
export type WriteOutcome = Stored | Invalid | EarlyAnswer;

/** An early answer. */
export const earlyAnswer = (status: Status): EarlyAnswer => ({ kind: 'answered', status });
