import { readYamlBody } from '#crd';
import type { ObjectWrite, ValidationOptions, YamlBody } from '#crd';
import { checkWriteSettings, MAX_ITEM_BYTES, scanMembers, tooLargeProblem, unescapedText } from '#documents';
import type { DocumentSlice, EvaluationOptions, MemberSpan, WriteSettings } from '#documents';
import { isJsonObject, readJson, refuseRest, writeJson } from '#go';
import type { CancellationToken, JsonObject, JsonReading, YamlReading } from '#go';
import { badRequestStatus, invalidJson, MAX_BODY_BYTES, uninterpreted, versionOf } from '#kube';
import type { Minor, Status } from '#kube';
import { isList } from './cut-documents.ts';
import { doubledMemberStatus, doubledYamlStatus } from './doubled-keys.ts';
import { isRecordOf, readRecord } from './recorded-write.ts';

/** Parsed item of an evaluation request: the type and the bytes of the object to write, and the settings of the write request. */
export interface ItemWrite {
  readonly apiVersion: string;
  readonly kind: string;
  readonly body: Uint8Array;
  readonly contentType: 'application/json' | 'application/yaml';
  /** Body parsed as YAML; absent if the body is JSON. */
  readonly yaml?: YamlBody;
  readonly oldObject: JsonObject | undefined;
  readonly settings: WriteSettings;
  /**
   * Error Status for an item that is a list object with a duplicate key, or that consists of two YAML documents without a separator. The
   * item is rejected with this Status only if there is no definition of its kind.
   */
  readonly doubled?: Status | undefined;
}

/**
 * Result of parsing an item of an evaluation. On success, it is the write request that the item describes. On failure, it is the Status of
 * an item that cannot be read or contains no write request.
 */
export type ReadItem =
  | { readonly ok: true; readonly write: ItemWrite }
  | { readonly ok: false; readonly outcome: 'rejected' | 'notEvaluated'; readonly status: Status };

/**
 * Parses one item of an evaluation's object list, and returns the write request that it describes. An item is a bare object, `{object,
 * oldObject, operation, subresource, fieldValidation}`, an audit event or an AdmissionReview. An item above the maximum size is rejected
 * without parsing. Throws `Cancelled` if the token requests cancellation.
 *
 * @param minor Kubernetes minor version whose errors about invalid JSON are returned
 */
export function readItem(item: DocumentSlice, minor: Minor, token: CancellationToken): ReadItem {
  const tooLarge = item.bytes.length > MAX_ITEM_BYTES ? tooLargeProblem('the object', item.bytes.length) : undefined;
  if (tooLarge) return { ok: false, outcome: 'rejected', status: tooLarge };
  if (item.notation === 'unread') return refused(UTF_8.decode(item.bytes));
  return item.notation === 'yaml' ? readYamlItem(item.bytes, minor, token) : readJsonItem(item.bytes, minor, token);
}

function readJsonItem(bytes: Uint8Array, minor: Minor, token: CancellationToken): ReadItem {
  const scan = scanMembers(bytes);
  if (!scan.ok) return unreadable(bytes, scan.problem, minor, token);
  const member = (key: string): MemberSpan | undefined => scan.spans.findLast((span) => span.key === key);
  const slice = (span: MemberSpan): Uint8Array => bytes.subarray(span.start, span.end);
  const object = member('object');
  if (!object || member('kind') || member('apiVersion')) {
    const meta = typeMeta(textOf(member('apiVersion')), textOf(member('kind')));
    if (isRecordOf(meta)) return readRecordItem(readJson(bytes, token));
    return sized(bytes, {
      ...meta,
      body: bytes,
      contentType: 'application/json',
      doubled: meta.kind.endsWith('List') && member('items') ? doubledMemberStatus(scan.spans) : undefined,
      oldObject: undefined,
      settings: {},
    });
  }
  const rest: Record<string, unknown> = {};
  for (const span of scan.spans) if (span.key !== 'object' && span.key !== 'oldObject') rest[span.key] = plain(slice(span));
  const checked = checkWriteSettings(rest);
  if (!checked.ok) return refused(checked.error);
  const body = slice(object);
  const inner = scanMembers(body);
  if (!inner.ok) return unreadable(body, inner.problem, minor, token);
  const innerText = (key: string): string => {
    const span = inner.spans.findLast((candidate) => candidate.key === key);
    return span ? textAt(body, span) : '';
  };
  const old = member('oldObject');
  const oldReading = old ? readJson(slice(old), token) : undefined;
  if (oldReading && !oldReading.ok) return refused(`oldObject: ${oldReading.error}`);
  const oldObject = oldReading?.value;
  if (oldObject !== undefined && oldObject !== null && !isJsonObject(oldObject)) return refused('oldObject: must be an object');
  return sized(body, {
    ...typeMeta(innerText('apiVersion'), innerText('kind')),
    body,
    contentType: 'application/json',
    oldObject: oldObject ?? undefined,
    settings: checked.settings,
  });

  function textOf(span: MemberSpan | undefined): string {
    return span ? textAt(bytes, span) : '';
  }
}

/** Returns a member's value as text: the content of a string, or another value converted by `String()`. */
function textAt(bytes: Uint8Array, { start, end }: MemberSpan): string {
  const known = bytes[start] === QUOTE ? unescapedText(bytes, start + 1, end - 1) : undefined;
  return known ?? String(plain(bytes.subarray(start, end)) ?? '');
}

function readYamlItem(bytes: Uint8Array, minor: Minor, token: CancellationToken): ReadItem {
  const yaml = readYamlBody(bytes, token);
  const reading = refuseRest(yaml.reading);
  if (!reading.ok) return refused(reading.error);
  const value = reading.value;
  if (!isJsonObject(value)) return refused('the document is not an object');
  if (isRecordOf(typeMeta(value['apiVersion'], value['kind']))) return readRecordItem(reading);
  if (isJsonObject(value['object']) && value['kind'] === undefined)
    return readJsonItem(new TextEncoder().encode(writeJson(value)), minor, token);
  return sized(bytes, {
    ...typeMeta(value['apiVersion'], value['kind']),
    body: bytes,
    contentType: 'application/yaml',
    yaml,
    doubled: doubledYamlStatus(reading, isList(value) ? 'list' : 'other'),
    oldObject: undefined,
    settings: {},
  });
}

/** Reads an audit event or an AdmissionReview and returns the write that it records. */
function readRecordItem(reading: JsonReading | YamlReading): ReadItem {
  if (!reading.ok) return refused(reading.error);
  const record = isJsonObject(reading.value) ? readRecord(reading.value) : undefined;
  if (record === undefined) return refused('the document is not an object');
  if (record.kind === 'none') return { ok: false, outcome: 'notEvaluated', status: badRequestStatus(record.why) };
  const { object, oldObject, ...settings } = record.write;
  const body = new TextEncoder().encode(writeJson(object));
  const meta = typeMeta(object['apiVersion'], object['kind']);
  return sized(body, { ...meta, body, contentType: 'application/json', oldObject, settings });
}

function typeMeta(apiVersion: unknown, kind: unknown): { apiVersion: string; kind: string } {
  return { apiVersion: typeof apiVersion === 'string' ? apiVersion : '', kind: typeof kind === 'string' ? kind : '' };
}

function sized(body: Uint8Array, write: ItemWrite): ReadItem {
  const tooLarge = body.length > MAX_BODY_BYTES ? tooLargeProblem('the object', body.length) : undefined;
  return tooLarge ? { ok: false, outcome: 'rejected', status: tooLarge } : { ok: true, write };
}

const QUOTE = 0x22;

/** Decoder that keeps a byte order mark. JSON must not contain a byte order mark, so the item is refused. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Parses a small member as a plain JavaScript value. Returns undefined if the member is not JSON. */
function plain(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Returns the server's error for JSON that cannot be read. If the JSON can be read, `problem` is the error, because only locating its
 * members failed.
 */
function unreadable(bytes: Uint8Array, problem: string, minor: Minor, token: CancellationToken): ReadItem {
  const reading = readJson(bytes, token);
  if (!reading.ok) return refused(invalidJson(bytes, minor));
  return refused(uninterpreted(isJsonObject(reading.value) ? problem : 'the document is not an object'));
}

function refused(message: string): ReadItem {
  return { ok: false, outcome: 'rejected', status: badRequestStatus(message) };
}

/**
 * Converts a parsed item of an evaluation request to the create or update of an object. `options` contains the values for settings that the
 * item does not contain.
 */
export function objectWrite(
  { settings, oldObject, body, contentType, yaml, apiVersion }: ItemWrite,
  options: EvaluationOptions,
): ObjectWrite {
  return {
    operation: settings.operation ?? (oldObject || settings.subresource ? 'UPDATE' : 'CREATE'),
    ...(settings.subresource && { subresource: settings.subresource }),
    body,
    contentType,
    ...(yaml && { yaml }),
    ...(oldObject && { oldObject }),
    fieldValidation: settings.fieldValidation ?? options.fieldValidation,
    ownedFields: ownedFields(options.asSent),
    version: versionOf(apiVersion),
  };
}

/**
 * Returns the option of a write request for the fields that a server sets itself, such as resourceVersion. `asSent`: the fields are
 * validated with the values in the request. `takenOff`: the fields may be removed first, so that a dump of another cluster is not rejected
 * because of them.
 */
export const ownedFields = (asSent: boolean): NonNullable<ObjectWrite['ownedFields']> => (asSent ? 'asSent' : 'takenOff');

/** Returns the cost limits for the evaluation of one object. */
export function validationLimits({
  costLimits: { perCall, perObject },
}: EvaluationOptions): Pick<ValidationOptions, 'costLimit' | 'budget'> {
  return { ...(perCall !== undefined && { costLimit: units(perCall) }), ...(perObject !== undefined && { budget: units(perObject) }) };
}

const units = (limit: number | 'unlimited'): number => (limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : limit);
