import { deepEqualJson, newJsonObject, copyJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { metadataOf } from './coerce-object.ts';

/** Placeholder for the random end of a generated name. */
const GENERATED = 'xxxxx';
/** Maximum length of the part of a generated name that comes from `generateName`. */
const MAX_GENERATED_BASE = 63 - 5;

/** Metadata fields that only the server sets. They are removed from the object of a create. */
const SYSTEM_FIELDS = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'];

/** Returns a generated name in which a placeholder replaces the random end. */
function generatedName(base: string): string {
  return (base.length > MAX_GENERATED_BASE ? base.slice(0, MAX_GENERATED_BASE) : base) + GENERATED;
}

/** Returns the metadata of an object. If the object has no metadata, an empty metadata object is added first. */
export function ensureMetadata(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  if (metadata !== undefined) return metadata;
  const made = newJsonObject();
  object['metadata'] = made;
  return made;
}

/**
 * Prepares, in place, the metadata of a new object, so that they can be validated. Sets the name from `generateName` if the name is absent,
 * and sets the generation to 1. Also sets the namespace, or removes it for a cluster-scoped object.
 */
export function prepareNewMetadata(metadata: JsonObject, namespaced: boolean): void {
  for (const field of SYSTEM_FIELDS) delete metadata[field];
  const generateName = metadata['generateName'];
  if (metadata['name'] === undefined && typeof generateName === 'string') metadata['name'] = generatedName(generateName);
  if (namespaced) metadata['namespace'] ??= 'default';
  else delete metadata['namespace'];
  metadata['generation'] = 1;
}

/** Sets a field to a value, or removes the field if the value is undefined. */
export function setOrDelete(object: JsonObject, field: string, value: JsonValue | undefined): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}

/** Returns the object of a status update: the old object with the requested status. */
export function withStatus(old: JsonObject, requested: JsonObject): JsonObject {
  const updated = copyJson(old);
  setOrDelete(updated, 'status', requested['status']);
  return updated;
}

/**
 * Prepares the object of an update that is not a status update, in place. Keeps the old status if status is a subresource (`hasStatus`).
 * Increases the generation if a field outside metadata changed.
 *
 * @returns Name of a field outside metadata that changed, or undefined if there is none.
 */
export function keepStatusAndCount(updated: JsonObject, old: JsonObject, hasStatus: boolean): string | undefined {
  if (hasStatus) setOrDelete(updated, 'status', old['status'] === undefined ? undefined : copyJson(old['status']));
  const changed = [...new Set([...Object.keys(updated), ...Object.keys(old)])].find((key) => {
    const before = old[key];
    const after = updated[key];
    return key !== 'metadata' && (before === undefined || after === undefined || !deepEqualJson(before, after));
  });
  if (changed === undefined) return undefined;
  const generation = metadataOf(old)?.['generation'];
  const next = typeof generation === 'number' ? generation + 1 : 1;
  setOrDelete(ensureMetadata(updated), 'generation', next === 0 ? undefined : next);
  return changed;
}

/**
 * Restores `creationTimestamp` and `deletionTimestamp` from the old object. Also restores `uid` and the deletion grace period if the update
 * omits them.
 */
export function keepSystemFields(metadata: JsonObject, old: JsonObject): void {
  if (metadata['uid'] === undefined) setOrDelete(metadata, 'uid', old['uid']);
  if (old['creationTimestamp'] !== undefined) metadata['creationTimestamp'] = old['creationTimestamp'];
  else delete metadata['creationTimestamp'];
  if (old['deletionTimestamp'] !== undefined) metadata['deletionTimestamp'] = old['deletionTimestamp'];
  if (old['deletionGracePeriodSeconds'] !== undefined) metadata['deletionGracePeriodSeconds'] ??= old['deletionGracePeriodSeconds'];
}
