import type { CancellationToken } from '#go';
import { withSize, sizeIn } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';
import { KEPT_COST_SHARE, repair } from './repair.ts';
import type { JudgedObject } from './ascent.ts';
import type { RepairParts } from './repair.ts';
import type { WholeTrial } from './whole-object.ts';

/** Maximum number of times that the search halves all sizes of a rejected object. */
const HALVINGS = 12;
/** Maximum number of attempts in which a rejected object is repaired. Each further attempt uses half of the previous sizes. */
const REPAIRED = 3;

/** Returns true if the object can be reported as the most expensive object: it is accepted, or a cost limit ends its validation. */
export const isReportable = (trial: WholeTrial): boolean => trial.kind === 'judged' && (trial.isAccepted || trial.limit !== undefined);

/**
 * Enlarges the fields of an accepted test object to the sizes that make it more expensive. If other rules reject the enlarged object, the
 * function tries to repair it at the enlarged sizes. If that fails, it halves all sizes until the object is accepted or a cost limit ends
 * the validation. Returns the most expensive object found.
 *
 * @param dearer Plan of a more expensive object, with the desired size of each field in `dimensions`.
 */
export function growObject(
  parts: RepairParts,
  { accepted, dearer, dimensions }: { readonly accepted: Candidate; readonly dearer: Candidate; readonly dimensions: readonly Dimension[] },
  token: CancellationToken | undefined,
  random: () => number,
): JudgedObject {
  const withSizes = (part: number): Candidate => {
    let { plan } = accepted;
    for (const dimension of dimensions) {
      const [small, large] = [sizeIn(accepted.plan, dimension), sizeIn(dearer.plan, dimension)];
      if (large > small) plan = withSize(plan, dimension, Math.max(small, Math.floor(large * part)));
    }
    return { ...accepted, plan };
  };
  let best: JudgedObject = { candidate: accepted, trial: parts.whole.judge(accepted, undefined) };
  const take = (one: JudgedObject): boolean => {
    if (isReportable(one.trial) && costOf(one.trial) > costOf(best.trial)) best = one;
    return isReportable(one.trial);
  };
  for (let i = 0; i < HALVINGS; i++) {
    const candidate = withSizes(0.5 ** i);
    const trial = parts.whole.judge(candidate, token);
    if (trial.kind === 'stopped' || take({ candidate, trial })) break;
    // A repair may shrink the value again, so its result is only one more candidate.
    if (trial.kind === 'judged' && i < REPAIRED) take(repair(parts, candidate, { part: KEPT_COST_SHARE, token, random }));
  }
  return best;
}

const costOf = (trial: WholeTrial): number => (trial.kind === 'judged' ? trial.cost : -1);
