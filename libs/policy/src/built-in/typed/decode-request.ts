import { goQuote } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { badRequestStatus } from '#kube';
import type { Minor, Status } from '#kube';
import type { BuiltInKind } from '../table/built-in-kind.ts';
import { readTyped } from './read-typed.ts';
import type { TypedReadingOptions } from './read-typed.ts';

/** Options of decoding the body of a request that writes a built-in object. */
export interface RequestDecodingOptions extends TypedReadingOptions {
  readonly minor: Minor;
  /** Treatment of unknown and duplicate fields: `Strict` rejects them, `Warn` returns warnings, and `Ignore` does nothing. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Errors of strict decoding that were found in the document before it was converted to JSON, such as duplicate keys in YAML. */
  readonly strictErrors?: readonly string[];
}

/**
 * Result of decoding a request. On success, it is the object that a server would decode, with the warnings for the client. On failure, it
 * is the Status with which the server rejects the request.
 */
export type DecodingOutcome =
  | { readonly ok: true; readonly object: JsonObject; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly status: Status };

/**
 * Decodes the body of a create or update request for an object of a built-in kind, in the same way as the API server. `body` is the result
 * of parsing the request's JSON. Source: k8s.io/apiserver/pkg/endpoints/handlers/create.go, rest.go `transformDecodeError` (1.37).
 */
export function decodeRequest(body: JsonValue, kind: BuiltInKind, options: RequestDecodingOptions): DecodingOutcome {
  const { minor, fieldValidation, strictErrors = [] } = options;
  const refuse = (why: string): DecodingOutcome => ({
    ok: false,
    status: badRequestStatus(`${kind.kind} in version ${goQuote(kind.version)} cannot be handled as a ${kind.kind}: ${why}`),
  });
  const reading = readTyped(body, kind, minor, options);
  if (!reading.ok) return refuse(reading.error);
  const complaints = [...strictErrors, ...reading.strictErrors];
  if (fieldValidation === 'Strict' && complaints.length > 0) return refuse(`strict decoding error: ${complaints.join(', ')}`);
  return { ok: true, object: reading.object, warnings: fieldValidation === 'Warn' ? complaints : [] };
}
