import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/**
 * The differences between server minors in reading built-in objects. The types have their own dates in the table. Each
 * value is the first minor (number after the dot) with the later behaviour. To add a minor, read this file, build its
 * table (`generate/build.sh`) and extend this list; `minors.spec.ts` names every entry.
 */
export const BUILTIN_DIFFERENCES = {
  /** The path of a decode error names embedded structs. Source: sigs.k8s.io/json `object` (2024-10, 2025-07). */
  embeddedStructsAreNamed: 35,
  /** Resources of whole pods are completed by those of containers. Source: kubernetes pkg/apis/core/v1/defaults.go. */
  podsHaveResources: 34,
  /** They are completed after mutation, no longer before. */
  podResourcesWait: 37,
  /** Stateful sets have a default for how many pods may be missing. Source: kubernetes pkg/apis/apps/v1/defaults.go. */
  statefulSetsHaveMaxUnavailable: 37,
  /** Volumes made of images have a default for when these are pulled. Source: kubernetes pkg/apis/core/v1/defaults.go. */
  imageVolumesHavePolicy: 35,
  /** Drivers of storage say whether they keep pods from nodes that lack them. Source: kubernetes pkg/apis/storage/v1/defaults.go. */
  driversKeepPodsAway: 37,
  /** Expressions see Go structs, not the maps made of them. Source: k8s.io/apiserver/pkg/cel/common/valuesschemalesstyped.go. */
  structsAreSeen: 37,
} as const satisfies Readonly<Record<string, number>>;

/** The name of an entry. */
export type BuiltInChange = keyof typeof BUILTIN_DIFFERENCES;

/** Returns true when a minor has an entry's later behaviour. */
export function builtInHas(minor: Minor, change: BuiltInChange): boolean {
  return minorNumber(minor) >= BUILTIN_DIFFERENCES[change];
}
