import type { CancellationToken } from '#go';
import { firstOver } from '../figures/bending-point.ts';
import { withSize, sizeIn } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { WholeObject } from './whole-object.ts';

/** Largest size that is tried. If the definition accepts it, only the schema's keywords count as limits of the size. */
const MAX_TRIED = 4096;
const MAX_EVALUATIONS = 30;

/**
 * Returns the dimensions with upper bounds that other rules allow. For example, a rule may limit the length of a text that has no `maxLength`.
 * Each size is raised alone in a copy of an accepted object with small sizes. Returns the dimensions unchanged if the definition does not accept the object.
 */
export function allowedSizes(
  whole: WholeObject,
  from: Candidate,
  dimensions: readonly Dimension[],
  token: CancellationToken | undefined,
): readonly Dimension[] {
  const isAllowed = (candidate: Candidate): boolean => {
    const trial = whole.judge(candidate, token);
    return trial.kind === 'judged' && (trial.isAccepted || trial.isOnlyTooExpensive);
  };
  if (!isAllowed(from)) return dimensions;
  return dimensions.map((dimension) => {
    const at = (size: number): Candidate => ({ ...from, plan: withSize(from.plan, dimension, size) });
    const [low, high] = [sizeIn(from.plan, dimension), Math.min(MAX_TRIED, dimension.most)];
    if (high <= low || isAllowed(at(high))) return dimension;
    const point = firstOver((size) => !isAllowed(at(size)), { low, high, maxEvaluations: MAX_EVALUATIONS });
    return { ...dimension, most: point.kind === 'found' ? Math.max(low, point.size - 1) : low };
  });
}
