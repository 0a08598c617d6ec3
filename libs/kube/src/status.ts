import { describeRuneError, describeSyntaxError, goQuote } from '#go';
import { aggregatedTexts, fieldErrorBody } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { kubeHas } from './minors.ts';
import type { Minor } from './minors.ts';

/** One cause of a failure in a Status. `reason` is a field error type or a cause type. All properties are optional in the JSON form. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** Details of a Status: the object or resource that the failure concerns, and the causes. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/**
 * Status of a failed request (metav1.Status). The properties have the same order as in the JSON form. Source:
 * k8s.io/apimachinery/pkg/apis/meta/v1/types.go (1.37).
 */
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

/** Name of a kind and its API group. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Plural name of a resource and its API group. */
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
 * Maximum size of the fields and messages of all causes of one Status, in UTF-16 code units. Further causes are left out, and the message
 * states their number. If a list has n unknown keys, each of n errors quotes the whole list. Causes can therefore become very large. A
 * server has no such limit except its memory.
 */
const MAX_CAUSES = 4 * 1024 * 1024;

/**
 * Returns the Status 422 for an invalid object. The causes include duplicate errors, but the message contains each error only once. Source:
 * api/errors/errors.go `NewInvalid` (1.37).
 */
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

/**
 * Returns the Status 401 for a client that is not authenticated. Source: api/errors/errors.go `NewUnauthorized` (1.37), with the text of
 * the server's authentication filter.
 */
export function unauthorizedStatus(): Status {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

/** Returns Status 404 for an object or resource that does not exist. */
export function notFoundStatus(of: GroupResource, name: string): Status {
  return failure(404, 'NotFound', `${resourceText(of)} ${goQuote(name)} not found`, { name, group: of.group, kind: of.resource });
}

/**
 * Returns the Status 404 for an object whose kind the server does not serve in the version that the object states. A server answers
 * `404 page not found`. Clients find the same in discovery, and word it so. Source: api/meta/errors.go `NoKindMatchError` (1.37).
 */
export function noMatchStatus(apiVersion: string, kind: string): Status {
  return failure(404, 'NotFound', `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`, {});
}

/** Returns the Status 403 for a valid request that is not permitted. */
export function forbiddenStatus(message: string): Status {
  return failure(403, 'Forbidden', message);
}

/** Returns Status 404 for an unknown URL path. */
export function pathNotFoundStatus(): Status {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/**
 * Returns the Status 405 for a path that exists but does not support the method of the request. Source: api/errors/errors.go
 * `NewGenericServerResponse` (1.37), the text that kubectl prints for a 405.
 */
export function methodNotAllowedStatus(): Status {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** Returns a Status without a reason, for an HTTP status code to which the API server assigns no reason. */
export function protocolErrorStatus(code: 417 | 431, message: string): Status {
  return failure(code, '', message);
}

/** Returns the Status 406 for a request that accepts only media types that the server cannot produce. */
export function notAcceptableStatus(message: string): Status {
  return failure(406, 'NotAcceptable', message);
}

/** Returns the Status 409 for a write of an object that was changed in the meantime. */
export function conflictStatus(of: GroupResource, name: string, why: string): Status {
  const details = { name, group: of.group, kind: of.resource };
  return failure(409, 'Conflict', `Operation cannot be fulfilled on ${resourceText(of)} ${goQuote(name)}: ${why}`, details);
}

/** Returns the Status 413 for a request body that exceeds a size limit. */
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

/** Returns the Status 500 for a storage error. As in the API server, this Status has no reason. */
export function storageErrorStatus(message: string): Status {
  return failure(500, '', message);
}

/**
 * Returns Status 503 if the service cannot respond now. If `retryAfterSeconds` is given, the client may retry after this number of seconds.
 */
export function serviceUnavailableStatus(message: string, retryAfterSeconds?: number): Status {
  return failure(503, 'ServiceUnavailable', message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}

/**
 * Returns Status 504 for work that was stopped because it took too long. Pass 408 as `code` if the work exceeded the deadline that the
 * client set.
 */
export function timeoutStatus(why: string, retryAfterSeconds = 0, code: 408 | 504 = 504): Status {
  return failure(code, 'Timeout', `Timeout: ${why}`, { retryAfterSeconds });
}

/**
 * Returns the error of a server that looks for the apiVersion and kind of a JSON document and finds the error `problem`. Source:
 * k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go `Interpret` (1.37).
 */
export function uninterpreted(problem: string): string {
  return `couldn't get version/kind; json parse error: ${problem}`;
}

/**
 * Returns the error of a server that looks for the apiVersion and kind of a document that is no JSON. The bytes must be known to be invalid
 * JSON.
 */
export function invalidJson(bytes: Uint8Array, minor: Minor): string {
  return uninterpreted(kubeHas(minor, 'jsonErrorsShowRunes') ? describeRuneError(bytes) : describeSyntaxError(bytes));
}

/**
 * Returns the error of a server that looks for the apiVersion and kind of a YAML document that nests too deep. `problem` is the error of
 * Go's older encoding/json about the JSON of the document.
 */
export function nestedTooDeep(problem: string, minor: Minor): string {
  return uninterpreted(kubeHas(minor, 'jsonErrorsShowRunes') ? 'exceeded max depth' : problem);
}
