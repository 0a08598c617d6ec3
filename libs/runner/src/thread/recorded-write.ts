import { isJsonObject, newJsonObject, writeJson } from '#go';
import { checkUserInfo } from '#documents';
import type { WriteSettings } from '#documents';
import type { JsonObject, JsonValue } from '#go';

/** Write to an API server, as recorded in its audit log or as sent to an admission webhook. */
interface RecordedWrite {
  readonly object: JsonObject;
  readonly oldObject?: JsonObject;
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly subresource?: 'status';
  /** User who sent the request. Only an AdmissionReview contains the user. */
  readonly userInfo?: WriteSettings['userInfo'];
}

/**
 * Result of reading a document as the record of a create or update request: an audit event or an AdmissionReview. The result is the
 * request, or `none` with the reason if the record contains no such request or no content. Undefined if the document is not a record.
 */
export type RecordReading =
  | { readonly kind: 'write'; readonly write: RecordedWrite }
  | { readonly kind: 'none'; readonly why: string }
  | undefined;

/** Verbs of audit events by which objects are written. */
const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'apply']);

/** Returns true if a document of this type may record a create or update request: an audit event or an AdmissionReview. */
export function isRecordOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  if (kind !== 'Event' && kind !== 'AdmissionReview') return false;
  return apiVersion.split('/')[0] === (kind === 'Event' ? 'audit.k8s.io' : 'admission.k8s.io');
}

/**
 * Returns true for an audit event of a request that does not write or is not answered yet. Such events are skipped, because an audit log
 * contains the events of all requests.
 */
export function isSkippedEvent({ apiVersion, kind, verb, stage }: JsonObject): boolean {
  const isEvent = kind === 'Event' && typeof apiVersion === 'string' && isRecordOf({ apiVersion, kind });
  return isEvent && (!WRITING.has(String(verb)) || (stage !== undefined && stage !== 'ResponseComplete'));
}

/**
 * Returns the create or update that an audit event (`audit.k8s.io` Event) or an `AdmissionReview` records, or the reason why it records
 * none. Returns undefined for any other document.
 */
export function readRecord(document: JsonObject): RecordReading {
  const { apiVersion, kind } = document;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isRecordOf({ apiVersion, kind })) return undefined;
  return kind === 'Event' ? auditedWrite(document) : reviewedWrite(document);
}

/**
 * Reads an audit event. The event contains the body of the request and the response, but not the previously stored object. An update is
 * therefore treated as a create of the sent object, and a patch as a create of its result. For a write of the status, all other fields are
 * taken from the response.
 */
function auditedWrite(event: JsonObject): RecordReading {
  const verb = String(event['verb']);
  const requestObject = objectIn(event['requestObject']);
  const stored = objectIn(event['responseObject']);
  if (!WRITING.has(verb)) return none(`the audit event tells of ${JSON.stringify(verb)}, which writes no object`);
  const isWhole = verb === 'create' || verb === 'update';
  const object = isWhole ? (requestObject ?? stored) : stored;
  if (object === undefined || object['kind'] === 'Status')
    return none('the audit event holds no object: its policy must be of the level Request, or RequestResponse for patches');
  const subresource = objectIn(event['objectRef'])?.['subresource'];
  if (subresource === undefined || subresource === '') return { kind: 'write', write: { object, operation: 'CREATE' } };
  if (subresource !== 'status') return none(`the audit event is about the subresource ${JSON.stringify(subresource)}`);
  const oldObject = Object.assign(newJsonObject(), stored ?? object);
  delete oldObject['status'];
  return {
    kind: 'write',
    write: { object: withoutRevision(object), oldObject: withoutRevision(oldObject), operation: 'UPDATE', subresource },
  };
}

/** Returns a copy of an object without `metadata.resourceVersion`, because the response has a newer version than the request. */
function withoutRevision(object: JsonObject): JsonObject {
  const metadata = Object.assign(newJsonObject(), objectIn(object['metadata']));
  delete metadata['resourceVersion'];
  return Object.assign(newJsonObject(), object, { metadata });
}

function reviewedWrite(review: JsonObject): RecordReading {
  const request = objectIn(review['request']);
  const operation = request?.['operation'];
  const object = objectIn(request?.['object']);
  const subresource = request?.['subResource'];
  if (request === undefined) return none('the AdmissionReview holds no request');
  if (operation !== 'CREATE' && operation !== 'UPDATE')
    return none(`the AdmissionReview is about ${JSON.stringify(operation ?? '')}, which writes no object`);
  if (object === undefined) return none('the AdmissionReview holds no object');
  if (subresource !== undefined && subresource !== '' && subresource !== 'status')
    return none(`the AdmissionReview is about the subresource ${JSON.stringify(subresource)}`);
  const oldObject = objectIn(request['oldObject']);
  return {
    kind: 'write',
    write: {
      object,
      ...(oldObject && { oldObject }),
      operation,
      ...(subresource === 'status' && { subresource }),
      ...userOf(request['userInfo']),
    },
  };
}

function userOf(recorded: JsonValue | undefined): Pick<RecordedWrite, 'userInfo'> {
  const user = isJsonObject(recorded) ? checkUserInfo(JSON.parse(writeJson(recorded))) : undefined;
  return user === undefined ? {} : { userInfo: user };
}

const none = (why: string): RecordReading => ({ kind: 'none', why });
const objectIn = (value: JsonValue | undefined): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
