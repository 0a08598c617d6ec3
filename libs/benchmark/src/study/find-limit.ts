import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { CancellationToken } from '#go';
import { firstOver } from '../figures/bending-point.ts';
import type { WholeObject } from '../object/whole-object.ts';
import { allSized, commonBounds } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate, RuleProbe } from '../search/rule-probe.ts';
import type { LimitFound } from './rule-study.ts';

/**
 * Input of the search for the size at which a cost limit stops the evaluation of a rule. The search raises the sizes of fields in a
 * generated object.
 */
export interface LimitSearch {
  readonly probe: RuleProbe;
  readonly whole: WholeObject;
  /** Candidate for an accepted object. The search raises the sizes of its fields. */
  readonly from: Candidate;
  /** Candidate that describes the most expensive object found until now. */
  readonly dearest: Candidate;
  /**
   * Sizes that raise the cost when they grow. First come groups of sizes that grow together, then single sizes, the one with the steepest
   * growth first.
   */
  readonly growsWith: readonly (readonly Dimension[])[];
  /** Sizes of lists and maps above the rule's node. */
  readonly above: readonly Dimension[];
}

const MAX_EVALUATIONS = 60;
/** Largest size that a request can have: a text of 3 Mi code points fills the whole request of 3 MiB. */
const MAX_SIZE = 3 * 1024 * 1024;

/**
 * Finds the smallest size at which a server's cost limit stops the evaluation of the rule. It first raises the sizes with the steepest cost
 * growth until one evaluation exceeds its limit. If that fails, it raises the size of a list or map above the rule's node until all
 * evaluations exceed the limit of an object. Returns undefined if no size is found.
 */
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
 * Returns the smallest size at which one evaluation exceeds its cost limit, if all fields of `dimensions` have this size. Returns undefined
 * if there is no such size.
 *
 * @param most Largest size to try. Default: the schema's bound.
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
    // A size for which no value can be built is an upper end of the search.
    return trial.kind !== 'evaluated' || trial.outcome === 'overLimit';
  };
  const range = { low: Math.max(1, commonBounds(dimensions).least), high: Math.min(most, MAX_SIZE), maxEvaluations: MAX_EVALUATIONS };
  const point = range.high < range.low ? undefined : firstOver(isOver, range);
  return point?.kind === 'found' && (!isStopped || point.size > range.low) && !token.cancelled ? point.size : undefined;
}

/**
 * Confirms a limit by whole writes. Returns the limit if it ends the write at `size` but not the write at the next smaller size. Returns
 * undefined if the limit is not confirmed.
 */
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
