import { OBJECT_BUDGET } from '#kube';
import { sized } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate, Trial } from '../search/rule-probe.ts';

/** Approximate number of bytes of JSON that surround each copy of a value. */
const AROUND = 12;

/**
 * Returns a candidate with many copies of the value of the rule's node. The number of copies is limited: they fit into a request, and they
 * do not exceed the cost budget of an object. Inner lists are filled first.
 */
export function copied(candidate: Candidate, trial: Trial, above: readonly Dimension[], mostBytes: number): Candidate {
  if (trial.kind !== 'evaluated' || trial.outcome === 'overLimit') return candidate;
  const fitting = Math.floor(mostBytes / (trial.bytes + AROUND));
  let left = Math.max(1, Math.min(fitting, Math.floor(OBJECT_BUDGET / Math.max(1, trial.cost)) + 2));
  let { plan } = candidate;
  for (const dimension of above) {
    const size = Math.max(1, Math.min(dimension.most, left));
    plan = sized(plan, dimension, size);
    left = Math.ceil(left / size);
  }
  return { ...candidate, plan };
}
