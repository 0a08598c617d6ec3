import { minorNumber } from '#kube';
import type { Difference, Minor } from '#kube';

/**
 * Differences between Kubernetes minor versions in reading built-in objects. Differences of Go types are not included, because the table of
 * the types contains its own version ranges. To support a new minor version, build its table of Go types (`generate/build.sh`) and extend this
 * list. `minors.spec.ts` covers every entry.
 */
export const BUILTIN_DIFFERENCES = {
  /** Source: sigs.k8s.io/json `object` (2024-10, 2025-07). */
  embeddedStructsAreNamed: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, the path of an error about the type of a value also contains the names of embedded Go structs',
      upstream: 'sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730 internal/golang/encoding/json/decode.go',
    },
  },
  /** Source: kubernetes pkg/apis/core/v1/defaults.go. */
  podsHaveResources: {
    since: 34,
    seen: {
      sentence: 'Since 1.34, missing requests of a pod with `spec.resources` are completed from its containers and from its limits',
      upstream: 'kubernetes v1.34.0 pkg/apis/core/v1/defaults.go',
    },
  },
  podResourcesWait: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, missing requests of a pod with `spec.resources` are completed after mutating admission, and not before it',
      upstream: 'kubernetes v1.37.2 pkg/apis/core/v1/defaults.go',
    },
  },
  /** Source: kubernetes pkg/apis/apps/v1/defaults.go. */
  statefulSetsHaveMaxUnavailable: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, `maxUnavailable` of the rolling update of a StatefulSet is 1 by default',
      upstream: 'kubernetes v1.37.2 pkg/apis/apps/v1/defaults.go',
    },
  },
  /** Source: kubernetes pkg/apis/core/v1/defaults.go. */
  imageVolumesHavePolicy: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, `pullPolicy` of an image volume has a default',
      upstream: 'kubernetes v1.35.0 pkg/apis/core/v1/defaults.go',
    },
  },
  /** Source: kubernetes pkg/apis/storage/v1/defaults.go. */
  driversKeepPodsAway: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, `preventPodSchedulingIfMissing` of a CSIDriver is false by default',
      upstream: 'kubernetes v1.37.2 pkg/apis/storage/v1/defaults.go',
    },
  },
  /** CEL expressions read the Go structs of built-in objects directly, instead of maps into which the structs were converted. Source: k8s.io/apiserver/pkg/cel/common/valuesschemalesstyped.go. */
  structsAreSeen: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, policies read the Go structs of built-in objects, so that some errors differ',
      upstream: 'kubernetes#140418',
    },
  },
} as const satisfies Readonly<Record<string, Difference>>;

/** Name of a difference between Kubernetes minor versions: a key of `BUILTIN_DIFFERENCES`. */
export type BuiltInChange = keyof typeof BUILTIN_DIFFERENCES;

/** Returns true if a server of the Kubernetes minor version `minor` has the new behaviour of the difference `change`. */
export function builtInHas(minor: Minor, change: BuiltInChange): boolean {
  return minorNumber(minor) >= BUILTIN_DIFFERENCES[change].since;
}
