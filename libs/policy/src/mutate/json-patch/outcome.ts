import type { JsonValue } from '#go';

/** Reason why an operation of a JSON patch cannot be applied. */
export type PatchFailure =
  | { readonly kind: 'failed'; readonly error: string }
  /** Failure of a `test` operation. The whole patch then changes nothing, but this is no error. */
  | { readonly kind: 'test-failed' }
  /** Panic of the Go code because of a nil value. A server answers such a request with its handler for panics. */
  | { readonly kind: 'panicked'; readonly error: string };

/** Result of applying a JSON patch: the patched document or a failure. */
export type PatchOutcome = PatchFailure | { readonly kind: 'patched'; readonly document: JsonValue };

/**
 * Returns a failure with the error text `text: cause`, as the Go library for JSON patches writes it. `cause` is an error text of this
 * library, such as {@link MISSING}.
 */
export const failed = (text: string, cause: string): PatchFailure => ({ kind: 'failed', error: `${text}: ${cause}` });

/** Returns `failure` with `text: ` before its error text. Failures whose kind is not `failed` are returned unchanged. */
export const failedIn = (text: string, failure: PatchFailure): PatchFailure =>
  failure.kind === 'failed' ? failed(text, failure.error) : failure;

/** Panic of Go's JSON Patch library when it dereferences a nil node. */
export const NIL_NODE: PatchFailure = { kind: 'panicked', error: 'runtime error: invalid memory address or nil pointer dereference' };

/** Panic of Go's JSON Patch library when a patch sets a member of an object that is null in the document. */
export const NIL_MAP: PatchFailure = { kind: 'panicked', error: 'assignment to entry in nil map' };

/** Error text of Go's JSON Patch library if the patched document does not have a member that the patch needs. */
export const MISSING = 'missing value';

/** Error text of the Go library for an index that lies outside a list. */
export const INVALID_INDEX = 'invalid index referenced';
