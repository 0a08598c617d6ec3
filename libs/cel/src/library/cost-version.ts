import { minorNumber } from '#kube';
import type { Minor } from '#kube';
import type { CostVersion } from './define.ts';

/** When a dated formula took the form it has today, by server minor. */
const AFFIX_TEST_TRAVERSES_ARGUMENT_SINCE = 37;
const GLOBAL_MATCHES_TRAVERSES_SINCE = 37;
const LIBRARY_EQUALITY_IS_FIXED_SINCE = 32;

const made = new Map<Minor, CostVersion>();

/** The cost formulas of a Kubernetes minor. They depend on the minor's own code and on the cel-go it pins (1.37: v0.29.2, 1.34–1.36: v0.26.0). */
export function costVersion(minor: Minor): CostVersion {
  const known = made.get(minor);
  if (known !== undefined) return known;
  const number = minorNumber(minor);
  const version: CostVersion = {
    minor: number,
    affixTestTraverses: number >= AFFIX_TEST_TRAVERSES_ARGUMENT_SINCE ? 'argument' : 'receiver',
    estimatesFollowEntries: number >= 33,
    globalMatchesTraverses: number >= GLOBAL_MATCHES_TRAVERSES_SINCE,
    libraryEqualityIsFixed: number >= LIBRARY_EQUALITY_IS_FIXED_SINCE,
  };
  made.set(minor, version);
  return version;
}
