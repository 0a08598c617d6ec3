import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { has, releaseOf } from '../minors.ts';
import type { CostVersion } from './define.ts';

function made(minor: Minor): CostVersion {
  const release = releaseOf(minor);
  return {
    minor: release.server,
    affixTestTraverses: has(release, 'affixTestTraversesArgument') ? 'argument' : 'receiver',
    estimatesFollowEntries: has(release, 'estimatesFollowEntries'),
    globalMatchesTraverses: has(release, 'globalMatchesTraverses'),
    libraryEqualityIsFixed: has(release, 'libraryEqualityIsFixed'),
  };
}

const BY_MINOR: ReadonlyMap<Minor, CostVersion> = new Map(MINORS.map((minor) => [minor, made(minor)]));

/** The cost formulas of a Kubernetes minor. They depend on the minor's own code and on the cel-go it pins (1.37: v0.29.2, 1.34–1.36: v0.26.0). */
export function costVersion(minor: Minor): CostVersion {
  return BY_MINOR.get(minor) as CostVersion;
}
