import { MINORS } from '#kube';
import type { Minor } from '#kube';
import type { EstimateChanges } from '#service';
import type { TrackedDefinition } from './tracked-definition.ts';

/**
 * Returns the figures of the newer state of a definition for tools that track benchmarks.
 *
 * @param minor minor version whose estimates are tracked
 */
export function trackedEstimates(name: string, { rules, totals, accepted }: EstimateChanges, minor: Minor): TrackedDefinition {
  return {
    name,
    minor,
    accepted: new Map(
      MINORS.flatMap((one) => {
        const after = accepted[one]?.after;
        return after === undefined ? [] : [[one, after]];
      }),
    ),
    rules: rules
      .filter(({ state }) => state !== 'gone')
      .map(({ version, path, rule, costs }) => ({ version, path, rule, estimate: costs[minor]?.after })),
    totals: totals.flatMap(({ version, costs }) => {
      const cost = costs[minor]?.after;
      return cost === undefined ? [] : [{ version, cost }];
    }),
  };
}
