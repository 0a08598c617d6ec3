import type { JsonObject, JsonValue } from '#go';

/** Fields of an OwnerReference that are validated. Absent strings are empty, as in Go. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean | undefined;
  readonly blockOwnerDeletion: boolean | undefined;
}

/** Fields of a ManagedFieldsEntry that are validated. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: string;
  readonly fieldsType: string;
  readonly subresource: string;
}

/**
 * Valid values of the field `operation` in managedFields. Source: k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go
 * `ValidateManagedFields` (1.37).
 */
export const OPERATIONS: readonly string[] = ['Apply', 'Update'];

/** Fields of metav1.ObjectMeta in the form that validation uses. Absent strings are empty, and absent maps and lists have no entries. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number | bigint;
  /** Time of creation as RFC 3339 text. Undefined if the field is absent. */
  readonly creationTimestamp: string | undefined;
  readonly deletionTimestamp: string | undefined;
  readonly deletionGracePeriodSeconds: number | bigint | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly ownerReferences: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly managedFields: readonly ManagedFieldsEntry[];
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const integer = (value: JsonValue | undefined): number | bigint | undefined =>
  typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
const flag = (value: JsonValue | undefined): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
const object = (value: JsonValue | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

const NO_STRINGS: ReadonlyMap<string, string> = new Map();
const NONE: readonly never[] = [];

function strings(value: JsonValue | undefined): ReadonlyMap<string, string> {
  const map = object(value);
  if (map === undefined) return NO_STRINGS;
  return new Map(Object.keys(map).map((key) => [key, text(map[key])]));
}

function list<T>(value: JsonValue | undefined, read: (item: JsonValue) => T): readonly T[] {
  return Array.isArray(value) ? value.map(read) : NONE;
}

/** Converts one owner reference from JSON. The field types of the metadata were already coerced. */
function readOwnerReference(value: JsonValue): OwnerReference {
  const item = object(value);
  return {
    apiVersion: text(item?.['apiVersion']),
    kind: text(item?.['kind']),
    name: text(item?.['name']),
    uid: text(item?.['uid']),
    controller: flag(item?.['controller']),
    blockOwnerDeletion: flag(item?.['blockOwnerDeletion']),
  };
}

function readManagedFields(value: JsonValue): ManagedFieldsEntry {
  const item = object(value);
  return {
    manager: text(item?.['manager']),
    operation: text(item?.['operation']),
    fieldsType: text(item?.['fieldsType']),
    subresource: text(item?.['subresource']),
  };
}

/**
 * Converts `metadata` from JSON to an `ObjectMeta`. Expects metadata that coercion already processed. Treats a value of a wrong type as
 * absent.
 */
export function readObjectMeta(metadata: JsonObject): ObjectMeta {
  return {
    name: text(metadata['name']),
    generateName: text(metadata['generateName']),
    namespace: text(metadata['namespace']),
    uid: text(metadata['uid']),
    resourceVersion: text(metadata['resourceVersion']),
    generation: integer(metadata['generation']) ?? 0,
    creationTimestamp: text(metadata['creationTimestamp']) || undefined,
    deletionTimestamp: text(metadata['deletionTimestamp']) || undefined,
    deletionGracePeriodSeconds: integer(metadata['deletionGracePeriodSeconds']),
    labels: strings(metadata['labels']),
    annotations: strings(metadata['annotations']),
    ownerReferences: list(metadata['ownerReferences'], readOwnerReference),
    finalizers: list(metadata['finalizers'], text),
    managedFields: list(metadata['managedFields'], readManagedFields),
  };
}
