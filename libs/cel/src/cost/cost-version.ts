import { minorNumber } from '#kube';
import type { Minor } from '#kube';
import type { CostVersion } from '../functions/define.ts';

/** The cost formulas of a Kubernetes minor, by the cel-go that it pins. */
export function costVersion(minor: Minor): CostVersion {
  const number = minorNumber(minor);
  return {
    minor: number,
    affixTestTraverses: number >= 37 ? 'argument' : 'receiver',
    globalMatchesTraverses: number >= 37,
    libraryEqualityIsFixed: number >= 32,
  };
}
