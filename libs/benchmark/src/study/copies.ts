import { OBJECT_BUDGET } from '#kube';
import { sized } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate, Trial } from '../search/rule-probe.ts';

/** Approximate number of bytes of JSON that surround each copy of a value. */
const AROUND = 12;

/**
 * Returns a candidate (plan of a generated value) in which the value that the rule checks occurs many times. For this, the function
 * enlarges the lists and maps that enclose the value (`above`), inner ones first. `maxBytes` and the cost budget of an object limit the
 * number of copies. Returns the candidate unchanged if a cost limit stopped the rule, or if the rule was not evaluated.
 */
export function copied(candidate: Candidate, trial: Trial, above: readonly Dimension[], maxBytes: number): Candidate {
  if (trial.kind !== 'evaluated' || trial.outcome === 'overLimit') return candidate;
  const fitting = Math.floor(maxBytes / (trial.bytes + AROUND));
  let left = Math.max(1, Math.min(fitting, Math.floor(OBJECT_BUDGET / Math.max(1, trial.cost)) + 2));
  let { plan } = candidate;
  for (const dimension of above) {
    const size = Math.max(1, Math.min(dimension.most, left));
    plan = sized(plan, dimension, size);
    left = Math.ceil(left / size);
  }
  return { ...candidate, plan };
}
