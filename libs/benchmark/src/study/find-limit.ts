import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { CancellationToken } from '#go';
import { firstOver } from '../figures/bending-point.ts';
import type { WholeObject } from '../object/whole-object.ts';
import { allSized, commonBounds } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate, RuleProbe } from '../search/rule-probe.ts';
import type { LimitFound } from './rule-study.ts';

/** Parts among which a limit is searched. */
export interface LimitSearch {
  readonly probe: RuleProbe;
  readonly whole: WholeObject;
  /** An accepted object. */
  readonly from: Candidate;
  /** The dearest object that was found. */
  readonly dearest: Candidate;
  /** Sizes with which the cost grows: those of several fields together, then single ones, the steepest first. */
  readonly growsWith: readonly (readonly Dimension[])[];
  /** Sizes of lists and maps above the rule's node. */
  readonly above: readonly Dimension[];
}

const MOST_EVALUATIONS = 60;
/** Sizes beyond are no request's: code points of a text fill all of its 3 MiB. */
const LARGEST = 3 * 1024 * 1024;

/** Finds the first size at which a server's limit ends the rule. It tries the limit of a call along the steepest size, then the object's along a list above. */
export function findLimit(search: LimitSearch, token: CancellationToken): LimitFound | undefined {
  const { growsWith, above, from, dearest } = search;
  for (const dimensions of growsWith) {
    const size = overCall(search, dimensions, token);
    const found = size === undefined ? undefined : confirmed(search, { from, dimensions, size }, token);
    if (found) return found;
  }
  const [inner] = above;
  const each = search.probe.try(dearest, { costLimit: PER_CALL_LIMIT, token, isChecked: false });
  if (inner === undefined || each.kind !== 'evaluated') return undefined;
  const size = Math.floor(OBJECT_BUDGET / Math.max(1, each.cost)) + 1;
  return size > inner.most ? undefined : confirmed(search, { from: dearest, dimensions: [inner], size }, token);
}

/**
 * Returns the first size at which one evaluation is over its limit. All fields have that size.
 *
 * @param most the largest size; by default the schema's bound
 */
export function overCall(
  { probe, from }: Pick<LimitSearch, 'probe' | 'from'>,
  dimensions: readonly Dimension[],
  token: CancellationToken,
  most = commonBounds(dimensions).most,
): number | undefined {
  let isStopped = false;
  const isOver = (size: number): boolean => {
    const trial = probe.try(
      { ...from, plan: allSized(from.plan, dimensions, size) },
      { costLimit: PER_CALL_LIMIT, token, isChecked: false },
    );
    if (trial.kind !== 'evaluated') isStopped = true;
    // A value that cannot be built ends the search from above.
    return trial.kind !== 'evaluated' || trial.outcome === 'overLimit';
  };
  const range = { low: Math.max(1, commonBounds(dimensions).least), high: Math.min(most, LARGEST), mostEvaluations: MOST_EVALUATIONS };
  const point = range.high < range.low ? undefined : firstOver(isOver, range);
  return point?.kind === 'found' && (!isStopped || point.size > range.low) && !token.cancelled ? point.size : undefined;
}

/** Returns the limit if whole writes confirm it: one less is not ended by it, and that size is. */
function confirmed(
  { whole }: LimitSearch,
  { from, dimensions, size }: { readonly from: Candidate; readonly dimensions: readonly Dimension[]; readonly size: number },
  token: CancellationToken,
): LimitFound | undefined {
  const at = (n: number) => whole.judge({ ...from, plan: allSized(from.plan, dimensions, n) }, token);
  const over = at(size);
  if (over.kind !== 'judged' || over.limit === undefined) return undefined;
  const under = at(size - 1);
  if (under.kind !== 'judged' || under.limit !== undefined) return undefined;
  const [first, ...others] = dimensions;
  return first && { field: first.field, unit: first.unit, together: others.map(({ field }) => field), size, limit: over.limit };
}
