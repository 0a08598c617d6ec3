import { aggregatedTexts, fieldErrorBody } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { goQuote } from '#go';

/** One reason in a Status. `reason` is a field error type or a cause type; all are optional as on the wire. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** Details of a Status: the object or resource that it is about, and the causes. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** metav1.Status of a failure. The fields have the order of the JSON form. Source: k8s.io/apimachinery/pkg/apis/meta/v1/types.go (1.37). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details?: StatusDetails;
  /** The HTTP status code. */
  readonly code: number;
}

function failure(code: number, reason: string, message: string, details?: StatusDetails): Status {
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason } as const;
  return details === undefined ? { ...head, code } : { ...head, details, code };
}

/** A kind with its group. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A resource (plural) with its group. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** Returns a kind as text: `Kind.group`, or `Kind` in the core group. */
function groupKindText(of: GroupKind): string {
  return of.group === '' ? of.kind : `${of.kind}.${of.group}`;
}

function resourceText(of: GroupResource): string {
  return of.group === '' ? of.resource : `${of.resource}.${of.group}`;
}

/**
 * Maximum size of the fields and messages of all causes of one Status, in UTF-16 code units. A list with n unknown keys is quoted
 * completely in n errors, so causes can become very large. A server returns all of them as long as it has memory.
 */
const MAX_CAUSES = 4 * 1024 * 1024;

/** Returns the Status 422: the object is invalid. Causes keep duplicates, the message does not. Source: api/errors/errors.go `NewInvalid` (1.37). */
export function invalidStatus(of: GroupKind, name: string, errors: readonly FieldError[]): Status {
  const causes: { reason: string; message: string; field: string }[] = [];
  let size = 0;
  for (const error of errors) {
    const message = fieldErrorBody(error);
    size += error.field.length + message.length;
    if (size > MAX_CAUSES && causes.length > 0) break;
    causes.push({ reason: error.type, message, field: error.field });
  }
  const aggregate = aggregatedTexts(causes.map(({ field, message }) => `${field}: ${message}`));
  const omitted = errors.length - causes.length;
  const rest = omitted === 0 ? '' : ` (and ${omitted} more errors, left out since the texts of all together are too long)`;
  const what = `${groupKindText(of)} ${goQuote(name)} is invalid`;
  return failure(422, 'Invalid', aggregate === undefined ? what : `${what}: ${aggregate}${rest}`, {
    name,
    group: of.group,
    kind: of.kind,
    causes,
  });
}

/** Returns the Status 400: the request cannot be understood. */
export function badRequestStatus(message: string): Status {
  return failure(400, 'BadRequest', message);
}

/** Returns the Status 401: the client is not authenticated. Source: api/errors/errors.go `NewUnauthorized` (1.37), with the text of the server's authentication filter. */
export function unauthorizedStatus(): Status {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

/** Returns Status 404 for an object or resource that does not exist. */
export function notFoundStatus(of: GroupResource, name: string): Status {
  return failure(404, 'NotFound', `${resourceText(of)} ${goQuote(name)} not found`, { name, group: of.group, kind: of.resource });
}

/** Returns the Status 403: the request was understood, and is not permitted. */
export function forbiddenStatus(message: string): Status {
  return failure(403, 'Forbidden', message);
}

/** Returns Status 404 for an unknown URL path. */
export function pathNotFoundStatus(): Status {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/**
 * Returns the Status 405: the path is there, and does not take the request's method.
 * Source: api/errors/errors.go `NewGenericServerResponse` (1.37), the words that clients of a server make of its 405.
 */
export function methodNotAllowedStatus(): Status {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** Returns a Status without a reason for an HTTP status code for which the API server defines no Status. */
export function protocolErrorStatus(code: 417 | 431, message: string): Status {
  return failure(code, '', message);
}

/** Returns the Status 406: none of the client's media types can be served. */
export function notAcceptableStatus(message: string): Status {
  return failure(406, 'NotAcceptable', message);
}

/** Returns the Status 409: the object changed meanwhile. */
export function conflictStatus(of: GroupResource, name: string, why: string): Status {
  const details = { name, group: of.group, kind: of.resource };
  return failure(409, 'Conflict', `Operation cannot be fulfilled on ${resourceText(of)} ${goQuote(name)}: ${why}`, details);
}

/** Returns the Status 413: the body exceeds a limit. */
export function tooLargeStatus(why: string): Status {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`);
}

/** Returns Status 415 for a body with an unsupported media type. */
export function unsupportedMediaTypeStatus(message: string): Status {
  return failure(415, 'UnsupportedMediaType', message);
}

/** Returns Status 429 for a request that the client should repeat after `retryAfterSeconds` seconds. */
export function tooManyRequestsStatus(message: string, retryAfterSeconds: number): Status {
  return failure(429, 'TooManyRequests', message, { retryAfterSeconds });
}

/** Returns Status 500 for an internal error of this program. */
export function internalErrorStatus(why: string): Status {
  return failure(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

/** Returns the Status 500: an error of the storage, which upstream passes on without a reason. */
export function storageErrorStatus(message: string): Status {
  return failure(500, '', message);
}

/**
 * Returns Status 503 if the service cannot respond now. If `retryAfterSeconds` is given, the client may retry after this number of seconds.
 */
export function serviceUnavailableStatus(message: string, retryAfterSeconds?: number): Status {
  return failure(503, 'ServiceUnavailable', message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}

/** Returns Status 504 for work that was stopped because it took too long. The code is 408 if the deadline of the client itself passed. */
export function timeoutStatus(why: string, retryAfterSeconds = 0, code: 408 | 504 = 504): Status {
  return failure(code, 'Timeout', `Timeout: ${why}`, { retryAfterSeconds });
}
