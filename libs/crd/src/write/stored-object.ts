import type { JsonObject } from '#kube';

/** The resourceVersion that stored objects and definitions have; a write may name it, another one conflicts. */
export const STORED_REVISION = '1000';
/** What a conflict of resourceVersions says. Source: k8s.io/apiserver/pkg/registry/generic/registry/store.go `OptimisticLockErrorMsg` (1.37). */
export const OPTIMISTIC_LOCK = 'the object has been modified; please apply your changes to the latest version and try again';

/** Takes off, in place, what only a cluster can know of a stored object. */
export function dropClusterFields(metadata: JsonObject): void {
  for (const field of ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'selfLink']) delete metadata[field];
}
