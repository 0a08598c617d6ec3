import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { quantityRules } from '#kube';
import type { Minor } from '#kube';
import { builtInHas } from '../minors.ts';
import { Steps } from '../steps.ts';
import type { BuiltInKind } from '../table/built-in-kind.ts';
import { OwnDecoderError, ReadingErrors } from './reading-errors.ts';
import { TypedReader } from './typed-reader.ts';

/** Result of decoding an object into its Go type: the object and the errors of strict decoding, or Go's message if it cannot be decoded. */
export type TypedReading =
  | {
      readonly ok: true;
      readonly object: JsonObject;
      /**
       * Errors of strict decoding without repetitions, such as `unknown field "spec.x"` and `duplicate field "spec.y"`. At most 100 errors
       * are reported.
       */
      readonly strictErrors: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** Options of decoding a document. */
export interface TypedReadingOptions {
  /**
   * Paths of keys that occurred twice in the document, in the form that `readJson` returns. The value contains the last member for each of
   * these keys.
   */
  readonly duplicates?: readonly string[];
  /** Token by which the caller can cancel the reading. */
  readonly token?: CancellationToken;
}

/**
 * Decodes an object into its built-in Go type and returns the JSON encoding of the result. This encoding has no unknown fields, contains
 * all structs that are not pointers, and has canonical quantities. The input is not changed. Throws `Cancelled` if the token is cancelled.
 */
export function readTyped(value: JsonValue, kind: BuiltInKind, minor: Minor, options: TypedReadingOptions = {}): TypedReading {
  const errors = new ReadingErrors(builtInHas(minor, 'embeddedStructsAreNamed'), options.duplicates ?? []);
  let object: JsonObject;
  try {
    object = new TypedReader(errors, new Steps(options.token), quantityRules(minor)).struct(value, kind.type);
  } catch (error) {
    if (error instanceof OwnDecoderError) return { ok: false, error: error.message };
    throw error;
  }
  if (errors.first !== undefined) return { ok: false, error: errors.first };
  return { ok: true, object, strictErrors: errors.strictErrors };
}
