import type { JsonValue } from '#go';

/** Why an operation does not apply. */
export type PatchFailure =
  | { readonly kind: 'failed'; readonly error: string }
  /** A `test` that did not hold: the patch as a whole changes nothing and is no error. */
  | { readonly kind: 'test-failed' }
  /** Go code that ran into a nil value. A server answers such a request with its handler for panics. */
  | { readonly kind: 'panicked'; readonly error: string };

/** The result of applying a patch. */
export type PatchOutcome = PatchFailure | { readonly kind: 'patched'; readonly document: JsonValue };

/** Returns a failure that says which known error is behind it, in the library's form `text: cause`. */
export const failed = (text: string, cause: string): PatchFailure => ({ kind: 'failed', error: `${text}: ${cause}` });

/** Returns a failure with more said in front of it. */
export const failedIn = (text: string, failure: PatchFailure): PatchFailure =>
  failure.kind === 'failed' ? failed(text, failure.error) : failure;

/** The panic of a nil node. */
export const NIL_NODE: PatchFailure = { kind: 'panicked', error: 'runtime error: invalid memory address or nil pointer dereference' };

/** The panic of writing to an object that was null. */
export const NIL_MAP: PatchFailure = { kind: 'panicked', error: 'assignment to entry in nil map' };

/** The library's error for what is not there. */
export const MISSING = 'missing value';

/** The library's error for an index beyond a list. */
export const INVALID_INDEX = 'invalid index referenced';
