import { newJsonObject } from '#go';
import type { JsonObject } from '#go';
import { storedNumbers } from '../schema/stored-numbers.ts';
import { coerceObject, metadataOf } from './write/coerce-object.ts';
import { ensureMetadata } from './write/prepare-object.ts';
import { sentIdentity } from './write/sent-identity.ts';
import { storedRevision } from './write/stored-object.ts';
import type { WriteRequest } from './write-request.ts';

/** Stored object of an update, in the form that the server reads from storage. */
export interface OldObject {
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
export function readOldObject({ version, write }: WriteRequest, requestedObject: JsonObject): OldObject {
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
