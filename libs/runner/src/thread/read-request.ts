import { isJsonObject, newJsonObject, readJson, readYaml, writeJson } from '#go';
import { badRequestStatus } from '#kube';
import { checkRequestSettings, scanMembers } from '#documents';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { Status } from '#kube';
import type { DocumentSlice, RequestSettings } from '#documents';

/** Admission request that does not write a whole object: a deletion, a connection, or a write of a subresource. */
interface ItemRequest {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly operation: RequestSettings['operation'];
  readonly userInfo: RequestSettings['userInfo'];
  /** All other fields of the request. `options` has the form in which it was sent. */
  readonly description: Omit<RequestSettings['request'], 'options'> & { readonly options: JsonObject | undefined };
}

/**
 * Result of reading one entry of a batch as a request to which only admission policies apply, such as a deletion. It is the request, or the
 * error Status if the request cannot be read. Undefined if the entry is not such a request.
 */
export type RequestReading =
  | { readonly ok: true; readonly request: ItemRequest }
  | { readonly ok: false; readonly status: Status }
  | undefined;

/** Operations of requests that do not write an object. */
const NOT_WRITING: ReadonlySet<unknown> = new Set(['DELETE', 'CONNECT']);

/**
 * Reads an item of an evaluation that describes an admission request instead of an object. Such an item is `{operation, request, object,
 * oldObject, userInfo}`, or an AdmissionReview. Only admission policies apply to it. Returns undefined for any other item.
 */
export function readRequest(item: DocumentSlice, token: CancellationToken): RequestReading {
  if (item.notation === 'unread') return undefined;
  if (item.notation === 'json' && !mayBeRequest(item.bytes)) return undefined;
  const reading = item.notation === 'json' ? readJson(item.bytes, token) : readYaml(item.bytes, token);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { kind, apiVersion, request, operation } = reading.value;
  if (kind === 'AdmissionReview') return isJsonObject(request) ? reviewed(request) : undefined;
  const isRequest = kind === undefined && apiVersion === undefined && (request !== undefined || NOT_WRITING.has(operation));
  return isRequest ? described(reading.value) : undefined;
}

/** Returns true if a JSON object has a top-level member `operation` or `request`. Does not parse the values of its members. */
function mayBeRequest(bytes: Uint8Array): boolean {
  const scan = scanMembers(bytes);
  return scan.ok && scan.spans.some(({ key }) => key === 'operation' || key === 'request');
}

function described({ object, oldObject, ...rest }: JsonObject): RequestReading {
  const checked = checkRequestSettings(plain(rest));
  if (!checked.ok) return refused(checked.error);
  for (const [name, value] of [
    ['object', object],
    ['oldObject', oldObject],
  ] as const)
    if (value !== undefined && value !== null && !isJsonObject(value)) return refused(`${name}: must be an object`);
  const { operation, userInfo, request } = checked.settings;
  const options = isJsonObject(rest['request']) ? objectIn(rest['request']['options']) : undefined;
  const description = { ...request, options };
  return { ok: true, request: { object: objectIn(object), oldObject: objectIn(oldObject), operation, userInfo, description } };
}

/**
 * Reads the request in an AdmissionReview. Returns undefined if the request is the write of an object. Source: k8s.io/api/admission/v1
 * `AdmissionRequest` (1.37).
 */
function reviewed(review: JsonObject): RequestReading {
  const { operation, subResource, kind, resource, name, namespace, dryRun, options, userInfo, object, oldObject } = review;
  const isWrite = !NOT_WRITING.has(operation) && (subResource === undefined || subResource === '' || subResource === 'status');
  if (isWrite) return undefined;
  const request = given({ kind, resource, subresource: subResource, name, namespace, dryRun, options: options ?? undefined });
  return described(given({ operation, request, userInfo, object, oldObject }));
}

/** Returns an object with only the members whose value is not undefined. */
function given(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.assign(newJsonObject(), Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));
}

const plain = (value: JsonObject): unknown => JSON.parse(writeJson(value)) as unknown;
const objectIn = (value: JsonValue | undefined): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
const refused = (message: string): RequestReading => ({ ok: false, status: badRequestStatus(message) });
