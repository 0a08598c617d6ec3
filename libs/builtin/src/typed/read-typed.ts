import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { builtInHas } from '../minors.ts';
import { Steps } from '../steps.ts';
import type { BuiltInKind } from '../table/built-in-kind.ts';
import { OwnDecoderError, ReadingErrors } from './reading-errors.ts';
import { TypedReader } from './typed-reader.ts';

/** An object after its way through its Go type, and what strict decoding has against it; or why it cannot be decoded, in Go's words. */
export type TypedReading =
  | {
      readonly ok: true;
      readonly object: JsonObject;
      /** `unknown field "spec.x"`, `duplicate field "spec.y"`: at most 100, all different. */
      readonly strictErrors: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** The options for reading a document. */
export interface ReadingOptions {
  /** Paths of keys that it had twice, as `readJson` tells them; the value holds the last of each. */
  readonly duplicates?: readonly string[];
  /** Token that stops the reading. */
  readonly token?: CancellationToken;
}

/**
 * Returns an object in the form of its built-in Go type. Unknown fields are removed, structs that are no pointers are
 * added, quantities are canonical. The input stays unchanged. Throws `Cancelled` if the token requests it.
 */
export function readTyped(value: JsonValue, kind: BuiltInKind, minor: Minor, options: ReadingOptions = {}): TypedReading {
  const errors = new ReadingErrors(builtInHas(minor, 'embeddedStructsAreNamed'), options.duplicates ?? []);
  let object: JsonObject;
  try {
    object = new TypedReader(errors, new Steps(options.token)).struct(value, kind.type);
  } catch (error) {
    if (error instanceof OwnDecoderError) return { ok: false, error: error.message };
    throw error;
  }
  if (errors.first !== undefined) return { ok: false, error: errors.first };
  return { ok: true, object, strictErrors: errors.strictErrors };
}
