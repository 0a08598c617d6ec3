import { goQuote } from '#go';
import { storageErrorStatus } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { Status } from '#kube';

/**
 * Message of a conflict of resourceVersions. Source: k8s.io/apiserver/pkg/registry/generic/registry/store.go
 * `OptimisticLockErrorMsg` (1.37).
 */
export const OPTIMISTIC_LOCK = 'the object has been modified; please apply your changes to the latest version and try again';

/** The refusal of a create that names a resourceVersion. Source: k8s.io/apiserver/pkg/storage/errors.go (1.37). */
export const REVISION_ON_CREATE = 'resourceVersion should not be set on objects to be created';

/** Returns the digits of a number without leading zeros; none of zero. */
const significant = (digits: string): string => digits.replace(/^0+/, '');

/** Returns true if storage accepts a text as the resourceVersion of an object. */
export function claimsRevision(revision: JsonValue | undefined): revision is string {
  return typeof revision === 'string' && /^\d+$/.test(revision) && significant(revision) !== '';
}

/**
 * Returns the resourceVersion of a stored object. An object written by hand has none and cannot conflict. It then
 * counts as having the resourceVersion of the write, or any one if the write has none.
 */
export function storedRevision(own: JsonValue | undefined, requested: JsonValue | undefined): string {
  if (claimsRevision(own)) return own;
  return claimsRevision(requested) ? requested : '1';
}

/** Returns true if a resourceVersion of digits differs from the stored one. Zero never differs. */
export function isOtherRevision(revision: string, stored: string): boolean {
  return significant(revision) !== '' && significant(revision) !== significant(stored);
}

/** Returns the refusal of an update that names another uid. Source: k8s.io/apiserver/pkg/storage/interfaces.go `Preconditions.Check` (1.37). */
export function otherUid(key: string, requested: string, stored: string): string {
  const uids = `UID in precondition: ${requested}, UID in object meta: ${stored}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${uids}`;
}

/** Returns the refusal of an update whose resourceVersion storage cannot read. */
export function badRevisionStatus(revision: string): Status {
  return storageErrorStatus(`strconv.ParseUint: parsing ${goQuote(revision)}: invalid syntax`);
}

/** Takes off, in place, what only a cluster can know of a stored object. */
export function dropClusterFields(metadata: JsonObject): void {
  for (const field of ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'selfLink']) delete metadata[field];
}
