import { goQuote, significantDigits } from '#go';
import { storageErrorStatus } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { Status } from '#kube';

/**
 * Error message for an update whose resourceVersion differs from the stored resourceVersion. Source:
 * k8s.io/apiserver/pkg/registry/generic/registry/store.go `OptimisticLockErrorMsg` (1.37).
 */
export const OPTIMISTIC_LOCK = 'the object has been modified; please apply your changes to the latest version and try again';

/** Error message of a create request that sets a resourceVersion. Source: k8s.io/apiserver/pkg/storage/errors.go (1.37). */
export const REVISION_ON_CREATE = 'resourceVersion should not be set on objects to be created';

/** Returns true if `revision` is a text that storage accepts as the resourceVersion of an object: digits, and not zero. */
export function claimsRevision(revision: JsonValue | undefined): revision is string {
  return typeof revision === 'string' && /^\d+$/.test(revision) && significantDigits(revision) !== '';
}

/**
 * Returns the resourceVersion of a stored object. If a person wrote the object by hand, it has no resourceVersion. The function then
 * returns the resourceVersion of the write request, or `1` if the request has none either. Such a write request never conflicts with the
 * stored object.
 */
export function storedRevision(own: JsonValue | undefined, requested: JsonValue | undefined): string {
  if (claimsRevision(own)) return own;
  return claimsRevision(requested) ? requested : '1';
}

/** Returns true if `revision`, a string of digits, differs from the stored resourceVersion. Returns false if `revision` is zero. */
export function isOtherRevision(revision: string, stored: string): boolean {
  return significantDigits(revision) !== '' && significantDigits(revision) !== significantDigits(stored);
}

/**
 * Returns the error message for an update whose uid differs from the stored uid. Source: k8s.io/apiserver/pkg/storage/interfaces.go
 * `Preconditions.Check` (1.37).
 */
export function otherUid(key: string, requested: string, stored: string): string {
  const uids = `UID in precondition: ${requested}, UID in object meta: ${stored}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${uids}`;
}

/** Returns the error status for an update whose resourceVersion storage cannot parse as a number. */
export function badRevisionStatus(revision: string): Status {
  return storageErrorStatus(`strconv.ParseUint: parsing ${goQuote(revision)}: invalid syntax`);
}

/** Deletes from `metadata`, in place, the fields that only a cluster can set, such as `uid` and `managedFields`. */
export function dropClusterFields(metadata: JsonObject): void {
  for (const field of ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'selfLink']) delete metadata[field];
}
