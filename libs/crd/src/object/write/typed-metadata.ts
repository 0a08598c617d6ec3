import { compareBytes, formatRfc3339Nano, isJsonInt, isJsonObject, newJsonObject, parseTime, readJson, RFC3339, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { Decoder } from '../../schema/decoder.ts';
import { storedNumbers } from '../../schema/stored-numbers.ts';

/**
 * Result of decoding metadata as metav1.ObjectMeta and encoding it again, which drops unknown and empty fields. If decoding fails, the
 * result contains Go's decode error.
 */
export type MetadataResult =
  | { readonly ok: true; readonly metadata: JsonObject; readonly unknownFields: readonly string[] }
  | { readonly ok: false; readonly error: string };

type Kind = 'string' | 'int64' | 'time' | 'bool' | 'strings' | 'stringMap' | 'owners' | 'managedFields' | 'raw';

/**
 * JSON fields of an object's metadata and the kind of value that each field has. Source: k8s.io/apimachinery/pkg/apis/meta/v1/types.go
 * `ObjectMeta` (1.37).
 */
const OBJECT_META: ReadonlyMap<string, Kind> = new Map([
  ['name', 'string'],
  ['generateName', 'string'],
  ['namespace', 'string'],
  ['selfLink', 'string'],
  ['uid', 'string'],
  ['resourceVersion', 'string'],
  ['generation', 'int64'],
  ['creationTimestamp', 'time'],
  ['deletionTimestamp', 'time'],
  ['deletionGracePeriodSeconds', 'int64'],
  ['labels', 'stringMap'],
  ['annotations', 'stringMap'],
  ['ownerReferences', 'owners'],
  ['finalizers', 'strings'],
  ['managedFields', 'managedFields'],
]);
const OWNER_REFERENCE: ReadonlyMap<string, Kind> = new Map([
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['name', 'string'],
  ['uid', 'string'],
  ['controller', 'bool'],
  ['blockOwnerDeletion', 'bool'],
]);
const MANAGED_FIELDS: ReadonlyMap<string, Kind> = new Map([
  ['manager', 'string'],
  ['operation', 'string'],
  ['apiVersion', 'string'],
  ['time', 'time'],
  ['fieldsType', 'string'],
  ['fieldsV1', 'raw'],
  ['subresource', 'string'],
]);
const FIELD_NAMES = new Map([OBJECT_META, OWNER_REFERENCE, MANAGED_FIELDS].map((fields) => [fields, new Set(fields.keys())] as const));
/** Fields of an owner reference that are written even if they are empty. */
const ALWAYS_WRITTEN: readonly string[] = ['apiVersion', 'kind', 'name', 'uid'];

/** Returns the Go type into which a JSON value is decoded if no type is declared. */
function goTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return isJsonInt(value) ? 'int64' : 'float64';
}

/** Returns the Go type of the string field at `path`, as decode errors show it. */
function stringType(path: string): string {
  if (path === 'uid' || path.endsWith('.uid')) return 'types.UID';
  return path.endsWith('.operation') ? 'v1.ManagedFieldsOperationType' : 'string';
}

class MetadataReader {
  readonly decoder = new Decoder('ObjectMeta');
  readonly #untyped: boolean;

  constructor(untyped: boolean) {
    this.#untyped = untyped;
  }

  read(value: JsonValue, path: string, fields: ReadonlyMap<string, Kind>, goType: string): JsonObject {
    const out = newJsonObject();
    const json = this.decoder.fields(value, path, goType, FIELD_NAMES.get(fields) as ReadonlySet<string>);
    if (json === undefined) return out;
    for (const key of Object.keys(json)) {
      const kind = fields.get(key);
      if (kind === undefined) continue;
      const field = this.#field(json[key] as JsonValue, path === '' ? key : `${path}.${key}`, kind);
      if (field !== undefined) out[key] = field;
    }
    return out;
  }

  /** Decodes the value of a field. Returns undefined if the value is empty, because Go does not write empty fields. */
  #field(value: JsonValue, path: string, kind: Kind): JsonValue | undefined {
    const { decoder } = this;
    switch (kind) {
      case 'string':
        return decoder.string(value, path, stringType(path)) || undefined;
      case 'int64':
        return decoder.int64(this.#untyped ? storedNumbers(value) : value, path);
      case 'bool':
        return decoder.optionalBool(value, path);
      case 'raw':
        return value ?? undefined;
      case 'time': {
        const text = decoder.timeText(value, path);
        if (text === undefined) return undefined;
        const time = parseTime(RFC3339, text);
        if (time.ok) return formatRfc3339Nano({ seconds: time.instant.seconds, nanos: 0, offset: 0 });
        decoder.endWith(path, time.error);
        return undefined;
      }
      case 'strings':
        return nonEmpty(decoder.strings(value, path));
      case 'stringMap': {
        const map = decoder.map(value, path, 'map[string]string', (item, at) => decoder.string(item, at));
        if (map === undefined || map.size === 0) return undefined;
        const out = newJsonObject();
        for (const [key, item] of map) out[key] = item;
        return out;
      }
      case 'owners':
        return nonEmpty(
          decoder.list(value, path, '[]v1.OwnerReference', (item, at) => {
            const owner = this.read(item, at, OWNER_REFERENCE, 'v1.OwnerReference');
            for (const key of ALWAYS_WRITTEN) owner[key] ??= '';
            return owner;
          }),
        );
      case 'managedFields':
        return nonEmpty(
          decoder.list(value, path, '[]v1.ManagedFieldsEntry', (item, at) => this.read(item, at, MANAGED_FIELDS, 'v1.ManagedFieldsEntry')),
        );
    }
  }
}

function nonEmpty<T extends JsonValue>(list: T[] | undefined): T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/**
 * Decodes metadata into the fields of metav1.ObjectMeta. Malformed metadata is an error if `malformed` is `reject`. With `drop`, only the
 * malformed fields are dropped, as for objects read from storage. Source: apiextensions-apiserver
 * pkg/apiserver/schema/objectmeta/coerce.go (1.37).
 *
 * @param form `untyped` if the metadata belongs to an untyped object. Its numbers are encoded and decoded once more, so `1.0` counts as an
 * integer.
 * @param keys `sorted` if the keys are in the order in which Go writes maps
 */
export function coerceMetadata(
  value: JsonValue,
  malformed: 'drop' | 'reject',
  form: 'untyped' | 'typed' = 'untyped',
  keys: 'asSent' | 'sorted' = 'asSent',
): MetadataResult {
  const reader = new MetadataReader(form === 'untyped');
  const metadata = value === null ? newJsonObject() : reader.read(value, '', OBJECT_META, 'v1.ObjectMeta');
  if (metadata['generation'] === 0) delete metadata['generation'];
  const { unknownFields } = reader.decoder;
  if (form === 'untyped' && keys === 'asSent' && (unknownFields.length > 1 || reader.decoder.failed)) {
    // Kubernetes writes untyped metadata as JSON with sorted keys and decodes this JSON. So it finds errors in the order of the sorted
    // keys.
    const written = readJson(writeJson(value));
    if (written.ok) return coerceMetadata(written.value, malformed, form, 'sorted');
  }
  const error = reader.decoder.firstError(value);
  if (error === undefined) return { ok: true, metadata, unknownFields };
  if (malformed === 'reject') return { ok: false, error };
  if (!isJsonObject(value)) return { ok: false, error: `invalid metadata: expected object, got ${goTypeOf(value)}` };
  const kept = newJsonObject();
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    const single = newJsonObject();
    single[key] = value[key] as JsonValue;
    const result = coerceMetadata(single, 'reject', form);
    if (!result.ok) continue;
    Object.assign(kept, result.metadata);
    unknown.push(...result.unknownFields);
  }
  return { ok: true, metadata: kept, unknownFields: unknown.sort(compareBytes) };
}
