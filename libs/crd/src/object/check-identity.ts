import type { JsonObject, JsonValue } from '#go';
import { badRequestStatus, conflictStatus } from '#kube';
import type { Status } from '#kube';
import type { SentIdentity } from '../verdict.ts';
import type { ServedVersion } from './served-version.ts';
import { badRevisionStatus, isOtherRevision, OPTIMISTIC_LOCK, otherUid } from './write/stored-object.ts';

/**
 * Returns the 400 Status of an update in which the object's name is missing or differs from the name in the URL. Source: apiserver
 * pkg/endpoints/handlers/rest.go `checkName` (1.37).
 */
export function nameRefusal(requested: JsonValue | undefined, name: string): Status | undefined {
  if (requested === undefined || requested === '')
    return badRequestStatus(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  return requested === name
    ? undefined
    : badRequestStatus(`the name of the object (${String(requested)}) does not match the name on the URL (${name})`);
}

/**
 * Returns the 400 Status of an update in which the object's namespace or name differs from the URL. Source: apiserver
 * pkg/endpoints/handlers/update.go, rest.go `checkName` (1.37).
 */
export function checkName(version: ServedVersion, metadata: JsonObject, oldMetadata: JsonObject): Status | undefined {
  const namespace = metadata['namespace'];
  return version.namespaced && namespace !== undefined && namespace !== oldMetadata['namespace']
    ? badRequestStatus('the namespace of the provided object does not match the namespace sent on the request')
    : nameRefusal(metadata['name'], String(oldMetadata['name']));
}

/**
 * Returns the 409 Status of an update whose uid or resourceVersion differs from the stored object. Returns a 500 Status if the
 * resourceVersion is not a number. Source: registry/generic/registry/store.go `Update` (1.37).
 */
export function checkRevision(version: ServedVersion, metadata: JsonObject, oldMetadata: JsonObject): Status | undefined {
  const name = String(oldMetadata['name']);
  const of = { group: version.group, resource: version.plural };
  const uid = metadata['uid'];
  if (uid !== undefined && oldMetadata['uid'] !== undefined && uid !== oldMetadata['uid']) {
    const place = `/${version.group}/${version.plural}/${version.namespaced ? `${String(oldMetadata['namespace'])}/` : ''}${name}`;
    return conflictStatus(of, name, otherUid(place, String(uid), String(oldMetadata['uid'])));
  }
  const stored = String(oldMetadata['resourceVersion']);
  const revision = metadata['resourceVersion'] ?? stored;
  if (typeof revision !== 'string' || !/^\d+$/.test(revision)) return badRevisionStatus(String(revision));
  return isOtherRevision(revision, stored) ? conflictStatus(of, name, OPTIMISTIC_LOCK) : undefined;
}

/** Returns the name and namespace in `metadata`. A value that is empty or not a string is left out of the result. */
export function sentIdentity(metadata: JsonObject | undefined): SentIdentity {
  const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const [name, namespace] = [text(metadata?.['name']), text(metadata?.['namespace'])];
  return { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
}
