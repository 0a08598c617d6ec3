import type { JsonObject } from '#go';
import type { PolicyRefusal } from '../../validate/verdict.ts';

/** Result of one mutation: the patched object, an error, a refusal of the request, or a panic. */
export type MutationOutcome =
  | { readonly kind: 'patched'; readonly object: JsonObject }
  /** Error of the mutation. The failure policy decides if the error rejects the request. */
  | { readonly kind: 'failed'; readonly error: string }
  /** Refusal that ends the request, whatever the failure policy is. */
  | { readonly kind: 'refused'; readonly refusal: PolicyRefusal }
  | { readonly kind: 'panicked'; readonly error: string };

/** Returns the result of a mutation that failed with `error`. */
export const mutationFailed = (error: string): MutationOutcome => ({ kind: 'failed', error });

/** Returns the refusal with code 500 and the message `Internal error occurred: …`. */
export const patchInternalError = (error: string): PolicyRefusal => ({
  code: 500,
  reason: 'InternalError',
  message: `Internal error occurred: ${error}`,
  causes: [error],
});
