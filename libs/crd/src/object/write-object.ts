import { newJsonObject } from '#go';
import type { JsonObject } from '#go';
import { readObjectMeta, storageErrorStatus, validateObjectMeta, validateObjectMetaUpdate } from '#kube';
import { storedNumbers } from '../schema/stored-numbers.ts';
import { checkName, checkRevision, sentIdentity } from './check-identity.ts';
import { earlyAnswer, METADATA } from './write-request.ts';
import type { WriteOutcome, WriteRequest } from './write-request.ts';
import { metadataOf, coerceObject } from './write/coerce-object.ts';
import {
  ensureMetadata,
  prepareNewMetadata,
  keepStatusAndCount,
  keepSystemFields,
  setOrDelete,
  withStatus,
} from './write/prepare-object.ts';
import { claimsRevision, REVISION_ON_CREATE, storedRevision } from './write/stored-object.ts';

/**
 * Creates an object. Steps: mutating admission → prepare the metadata → validate → check the properties that every resource must have →
 * validating admission. Source: registry/rest/create.go `BeforeCreate`, registry/generic/registry/store.go `Create` (1.37).
 */
export function createObject(request: WriteRequest, requested: JsonObject): WriteOutcome {
  const mutated = request.mutate(requested, undefined);
  if (mutated.kind === 'answered') return mutated;
  const { object } = mutated;
  const metadata = prepareMetadata(request, object);
  request.takeOffRevision(metadata);
  request.dedupOwners(metadata);
  const meta = readObjectMeta(metadata);
  const errors = request.validate({ object, old: undefined, meta, update: undefined });
  if (errors.length > 0) return { kind: 'invalid', errors, name: meta.name };
  const generic = validateObjectMeta(meta, request.metadataRules, METADATA);
  if (generic.length > 0) return { kind: 'invalid', errors: generic, name: meta.name };
  request.warnOfFinalizers(meta.finalizers, []);
  const admitted = request.admit(object, undefined);
  // In a create, only the storage checks the resource version. So this check comes after all others.
  return admitted.kind === 'stored' && claimsRevision(meta.resourceVersion)
    ? earlyAnswer(storageErrorStatus(REVISION_ON_CREATE))
    : admitted;
}

function prepareMetadata({ version }: WriteRequest, object: JsonObject): JsonObject {
  const metadata = ensureMetadata(object);
  prepareNewMetadata(metadata, version.namespaced);
  if (version.hasStatus) delete object['status'];
  return metadata;
}

/**
 * Updates an object or its status. Steps: read the stored object → mutate → check identity → keep unchangeable fields → validate → admit.
 * Source: registry/generic/registry/store.go `Update`, registry/rest/update.go `BeforeUpdate` (1.37).
 */
export function updateObject(request: WriteRequest, requested: JsonObject, statusOnly: boolean): WriteOutcome {
  const { version } = request;
  const { old, unreadable } = readOldObject(request, requested);
  const mutated = request.mutate(requested, old);
  if (mutated.kind === 'answered') return mutated;
  const { object } = mutated;
  const oldMetadata = metadataOf(old) as JsonObject;
  const metadata = ensureMetadata(object);
  const misnamed = checkName(version, metadata, oldMetadata);
  if (misnamed) return earlyAnswer(misnamed);
  if (unreadable !== undefined) return earlyAnswer(storageErrorStatus(unreadable));
  const conflict = checkRevision(version, metadata, oldMetadata);
  if (conflict) return earlyAnswer(conflict);
  setOrDelete(metadata, 'resourceVersion', oldMetadata['resourceVersion']);
  request.dedupOwners(metadata);
  if (version.namespaced) setOrDelete(metadata, 'namespace', metadata['namespace'] ?? oldMetadata['namespace']);
  else delete metadata['namespace'];
  setOrDelete(metadata, 'generation', oldMetadata['generation']);
  const { updated, changed } = keepUnchangeable(request, object, old, statusOnly);
  const meta = readObjectMeta(ensureMetadata(updated));
  const oldMeta = readObjectMeta(oldMetadata);
  const errors = [
    ...validateObjectMeta(meta, request.metadataRules, METADATA),
    ...validateObjectMetaUpdate(meta, oldMeta, request.metadataRules, METADATA),
    ...request.validate({ object: updated, old, meta, update: { oldMeta, statusOnly, changed } }),
  ];
  if (errors.length > 0) return { kind: 'invalid', errors, name: meta.name };
  if (!statusOnly) request.warnOfFinalizers(meta.finalizers, oldMeta.finalizers);
  return request.admit(updated, old);
}

/**
 * Returns the object of an update. Timestamps that the server sets, and a status that is a subresource, keep their old values. A status
 * update keeps all old fields except the status. Also returns `changed`, the name of a field that differs from the old object, or undefined
 * if no such field is known.
 */
function keepUnchangeable({ version }: WriteRequest, object: JsonObject, old: JsonObject, statusOnly: boolean) {
  const updated = statusOnly ? withStatus(old, object) : object;
  const changed = statusOnly ? undefined : keepStatusAndCount(updated, old, version.hasStatus);
  const metadata = ensureMetadata(updated);
  delete metadata['managedFields'];
  keepSystemFields(metadata, metadataOf(old) as JsonObject);
  return { updated, changed };
}

/** Stored object of an update, in the form that the server reads from storage. */
interface OldObject {
  readonly old: JsonObject;
  /** Reason why the stored object cannot be read; undefined if it can be read. */
  readonly unreadable: string | undefined;
}

/**
 * Reads the stored object of an update. Like a read from storage, prunes, coerces and defaults the object.
 *
 * Missing parts of the stored object's identity are copied from the sent object, because both objects have the same URL. If neither object
 * has a name, the name is empty.
 */
function readOldObject({ version, write }: WriteRequest, requestedObject: JsonObject): OldObject {
  const old = storedNumbers(write.oldObject ?? newJsonObject()) as JsonObject;
  old['apiVersion'] ??= version.apiVersion;
  old['kind'] ??= version.kind;
  const metadata = ensureMetadata(old);
  const requested = metadataOf(requestedObject);
  const identity = { ...sentIdentity(requested), ...sentIdentity(metadata) };
  metadata['name'] = identity.name ?? '';
  if (version.namespaced) metadata['namespace'] = identity.namespace ?? 'default';
  const uid = requested?.['uid'];
  if (typeof uid === 'string') metadata['uid'] ??= uid;
  const coerced = coerceObject(old, version, 'storage');
  const kept = ensureMetadata(old);
  kept['resourceVersion'] = storedRevision(kept['resourceVersion'], requested?.['resourceVersion']);
  return { old, unreadable: coerced.ok ? undefined : coerced.error };
}
