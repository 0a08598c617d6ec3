import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/**
 * Differences between Kubernetes minor versions in reading built-in objects. Differences of Go types are not included, because the table of
 * the types contains its own version ranges. Each value is the first minor version (number after the dot) with the new behaviour. To
 * support a new minor version, build its table of Go types (`generate/build.sh`) and extend this list. `minors.spec.ts` covers every entry.
 */
export const BUILTIN_DIFFERENCES = {
  /** The path of a decode error contains the names of embedded structs. Source: sigs.k8s.io/json `object` (2024-10, 2025-07). */
  embeddedStructsAreNamed: 35,
  /**
   * Resources that are requested for a pod as a whole are completed from the resources of its containers. Source: kubernetes
   * pkg/apis/core/v1/defaults.go.
   */
  podsHaveResources: 34,
  /**
   * Resources that are requested for a pod as a whole are completed after mutating admission. Earlier Kubernetes minor versions complete
   * them before it.
   */
  podResourcesWait: 37,
  /** Stateful sets have a default for the number of pods that may be unavailable. Source: kubernetes pkg/apis/apps/v1/defaults.go. */
  statefulSetsHaveMaxUnavailable: 37,
  /** Image volumes have a default pull policy. Source: kubernetes pkg/apis/core/v1/defaults.go. */
  imageVolumesHavePolicy: 35,
  /**
   * Storage drivers have a default for `preventPodSchedulingIfMissing`, which keeps pods away from nodes without the driver. Source:
   * kubernetes pkg/apis/storage/v1/defaults.go.
   */
  driversKeepPodsAway: 37,
  /**
   * CEL expressions read the Go structs of built-in objects directly, instead of maps into which the structs were converted. Source:
   * k8s.io/apiserver/pkg/cel/common/valuesschemalesstyped.go.
   */
  structsAreSeen: 37,
} as const satisfies Readonly<Record<string, number>>;

/** Name of a difference between Kubernetes minor versions: a key of `BUILTIN_DIFFERENCES`. */
export type BuiltInChange = keyof typeof BUILTIN_DIFFERENCES;

/** Returns true if a server of the Kubernetes minor version `minor` has the new behaviour of the difference `change`. */
export function builtInHas(minor: Minor, change: BuiltInChange): boolean {
  return minorNumber(minor) >= BUILTIN_DIFFERENCES[change];
}
