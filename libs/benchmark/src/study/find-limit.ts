import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { CancellationToken } from '#go';
import { firstOver } from '../figures/bending-point.ts';
import type { BendingPoint, LimitAnswer, SearchRange } from '../figures/bending-point.ts';
import { filledObject, REQUEST_BYTES } from '../object/filled-object.ts';
import type { Shape } from '../object/filled-object.ts';
import type { ObjectTrial, WholeObject } from '../object/whole-object.ts';
import { withSizes, commonBounds, leastSized, sizeIn, withoutDimensions } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate, RuleProbe } from '../search/rule-probe.ts';
import { withContents } from '../search/named-fields.ts';
import type { SharedContents } from '../search/named-fields.ts';
import type { LimitFound } from './rule-study.ts';

/**
 * Input of the search for the size at which a cost limit stops the evaluation of a rule. The search raises the sizes of fields in a
 * generated object.
 */
export interface LimitSearch {
  readonly whole: WholeObject;
  /** Candidates for accepted objects, at least one. The search raises the sizes of their fields. The first one has small sizes. */
  readonly shapes: readonly [Candidate, ...Candidate[]];
  /** Contents of list elements that decide how far a comparison of two elements gets. */
  readonly contents: readonly SharedContents[];
  /**
   * Sizes that raise the cost when they grow. First come groups of sizes that grow together, then single sizes, the one with the steepest
   * growth first.
   */
  readonly growsWith: readonly (readonly Dimension[])[];
  /** All sizes that raise the cost, with the upper bounds that other rules allow. */
  readonly rising: readonly Dimension[];
  /** Sizes of lists and maps above the rule's node, the innermost first. */
  readonly above: readonly Dimension[];
  /** True if a cost limit ends the most expensive write. If not, only the first shape is tried. */
  readonly isReached: boolean;
}

const MAX_EVALUATIONS = 90;
/** Largest size that a request can have: a text of 3 Mi code points fills the whole request of 3 MiB. */
const MAX_SIZE = 3 * 1024 * 1024;

/**
 * Finds the smallest size at which a server's cost limit stops the evaluation of the rule. It first raises the sizes with the steepest cost
 * growth until one evaluation exceeds its limit. If that fails, it raises the size of a list or map above the rule's node until all
 * evaluations exceed the limit of an object. All other sizes that raise the cost are as large as possible. Returns undefined if no size is
 * found.
 */
export function findLimit(search: LimitSearch, token: CancellationToken): LimitFound | undefined {
  const { growsWith, rising, above } = search;
  const [inner, ...outer] = above;
  for (const fixed of growsWith) {
    const others = withoutDimensions(rising, fixed);
    const found = smallestOf(search, { fixed, others, single: above }, token);
    if (found) return found;
  }
  return inner && smallestOf(search, { fixed: [inner], others: [...rising, ...outer], single: [] }, token);
}

/** Division of all sizes in a search for the smallest size at which a limit ends a write. */
interface Sides {
  /** Sizes of which the smallest is searched. All of them have the same size. */
  readonly fixed: readonly Dimension[];
  /** Further sizes that raise the cost, which become as large as possible. */
  readonly others: readonly Dimension[];
  /** Sizes that only multiply the evaluations, which become as small as possible. */
  readonly single: readonly Dimension[];
}

/**
 * Returns the smallest size that any of the search's shapes gives. A limit that a shape reaches is lowered as long as another shape, or
 * other contents of list elements, reach it with one element less. Undefined if no shape reaches a limit.
 */
function smallestOf(search: LimitSearch, sides: Sides, token: CancellationToken): LimitFound | undefined {
  let best: LimitFound | undefined;
  const take = (from: Candidate): void => {
    for (const one of shapesOf(search, from, sides, token)) {
      if (best !== undefined && !refusal(search, one(best.size - 1), token)) continue;
      const found = smallest(search, sides, { shape: one, most: best && best.size - 1 }, token);
      // A server accepts even the largest sizes of this shape, so it also accepts the next shape of `from`, which is smaller.
      if (found === 'never') return;
      best = found ?? best;
    }
  };
  const [first, ...others] = search.shapes;
  for (const shape of [first, ...(search.isReached ? others : [])]) take(shape);
  if (best === undefined) return undefined;
  const { plan }: Candidate = best.candidate;
  for (const contents of search.contents) take({ ...best.candidate, plan: withContents(plan, contents) });
  return best;
}

/**
 * Returns the ways in which the sizes of a candidate grow, the most expensive first. In the first way, all other sizes are as large as
 * possible. In the second way, they are as in the candidate, because other rules may reject larger sizes.
 */
function shapesOf({ whole }: LimitSearch, from: Candidate, { fixed, others, single }: Sides, token: CancellationToken): readonly Shape[] {
  const plan = leastSized(from.plan, single);
  const filled = filledObject(whole, { ...from, plan }, { fixed, free: others }, token);
  const alone: Shape = (size) => ({ ...from, plan: withSizes(plan, fixed, size) });
  return others.length === 0 ? [alone] : [filled, alone];
}

/** Returns the write of a candidate, or undefined if there is no such write that fits into a request. */
function writeOf({ whole }: LimitSearch, candidate: Candidate, token: CancellationToken): ObjectTrial | undefined {
  const trial = whole.judge(candidate, token);
  return trial.kind === 'judged' && trial.bytes <= REQUEST_BYTES ? trial : undefined;
}

/** Returns the write of a candidate if only its cost rejects it. Returns undefined otherwise. */
function refusal(search: LimitSearch, candidate: Candidate, token: CancellationToken): ObjectTrial | undefined {
  const write = writeOf(search, candidate, token);
  return write?.isOnlyTooExpensive === true ? write : undefined;
}

/**
 * Returns the smallest size at which a limit ends the write of a shape. Whole writes confirm the size: the write of this size is refused,
 * and the write of the next smaller size is accepted. If the schema allows no smaller size, only the first write is necessary. Returns
 * `never` if a server accepts the write with the largest size that the schema allows.
 *
 * @param most Largest size to try. Default: the schema's bound.
 */
function smallest(
  search: LimitSearch,
  { fixed, others }: Sides,
  { shape, most }: { readonly shape: Shape; readonly most: number | undefined },
  token: CancellationToken,
): LimitFound | 'never' | undefined {
  const bounds = commonBounds(fixed);
  const range = { low: Math.max(1, bounds.least), high: Math.min(most ?? bounds.most, MAX_SIZE), maxEvaluations: MAX_EVALUATIONS };
  if (range.high < range.low) return undefined;
  // Most rules reach no limit within their bounds. One write at the bounds shows that.
  if (range.high < MAX_SIZE && writeOf(search, shape(range.high), token)?.isAccepted === true) return 'never';
  const point = firstOverBuilt((size) => {
    const write = writeOf(search, shape(size), token);
    return write && (write.isOnlyTooExpensive || (write.isAccepted && shareOfLimit(write)));
  }, range);
  if (point.kind !== 'found' || token.cancelled) return undefined;
  const { size } = point;
  const candidate = shape(size);
  const over = refusal(search, candidate, token);
  const isConfirmed = size <= bounds.least || writeOf(search, shape(size - 1), token)?.isAccepted === true;
  const [first, ...together] = fixed;
  if (over?.limit === undefined || !isConfirmed || first === undefined) return undefined;
  return {
    field: first.field,
    unit: first.unit,
    together: together.map(({ field }) => field),
    size,
    limit: over.limit,
    candidate,
    others: others.map((other) => ({ field: other.field, unit: other.unit, size: sizeIn(candidate.plan, other) })),
    isAlone: others.length > 0 && !others.some((other) => isGrown(search, candidate, other)),
  };
}

/** Returns true if a size is larger in the candidate than in the search's small object. Also true if the schema allows no larger size. */
function isGrown({ shapes: [small], growsWith }: LimitSearch, { plan }: Candidate, dimension: Dimension): boolean {
  const size = sizeIn(plan, dimension);
  // The bound in `dimension` may come from other rules. Only the schema's bound says whether the schema allows a larger size.
  const bound = growsWith.flat().find(({ field, unit }) => field === dimension.field && unit === dimension.unit)?.most ?? dimension.most;
  return size > sizeIn(small.plan, dimension) || size >= bound;
}

/** Highest power of a size with which the cost of rules grows. */
const STEEPEST = 3;

/**
 * Finds the first size that exceeds a limit, as {@link firstOver} does. A size for which no object can be built counts as exceeding the
 * limit, so callers must check the result. After such a size, the search builds no more objects if even that size would stay within the
 * limit.
 *
 * @param answerAt Returns undefined if no object of the size can be built.
 */
function firstOverBuilt(answerAt: (size: number) => LimitAnswer | undefined, range: SearchRange): BendingPoint {
  let largest = { size: 0, share: 0 };
  let isHopeless = false;
  return firstOver((size) => {
    const answer = isHopeless ? undefined : answerAt(size);
    if (answer === undefined) isHopeless ||= largest.size > 0 && largest.share * (size / largest.size) ** STEEPEST <= 1;
    else if (typeof answer === 'number' && answer <= 1 && size > largest.size) largest = { size, share: answer };
    return answer ?? true;
  }, range);
}

/** Returns the share of a cost limit that the rule reaches in an accepted write. The limit that is nearer counts. */
const shareOfLimit = ({ cost, evaluations }: ObjectTrial): number =>
  Math.min(1, Math.max(cost / Math.max(1, evaluations) / PER_CALL_LIMIT, cost / OBJECT_BUDGET));

/**
 * Returns the smallest size at which one evaluation exceeds its cost limit, if all fields of `dimensions` have this size. Returns undefined
 * if there is no such size.
 *
 * @param most Largest size to try. Default: the schema's bound.
 */
export function overCall(
  probe: RuleProbe,
  shape: Shape,
  dimensions: readonly Dimension[],
  token: CancellationToken,
  most = commonBounds(dimensions).most,
): number | undefined {
  const costAt = (size: number): number | undefined => {
    const trial = probe.try(shape(size), { costLimit: LARGEST_SHARE * PER_CALL_LIMIT, token, isChecked: false });
    return trial.kind === 'evaluated' && trial.bytes <= REQUEST_BYTES ? trial.cost : undefined;
  };
  const range = { low: Math.max(1, commonBounds(dimensions).least), high: Math.min(most, MAX_SIZE), maxEvaluations: MAX_EVALUATIONS };
  const shareAt = (size: number): number | undefined => {
    const cost = costAt(size);
    return cost === undefined ? undefined : cost / PER_CALL_LIMIT;
  };
  const point = range.high < range.low ? undefined : firstOverBuilt(shareAt, range);
  return point?.kind === 'found' && (costAt(point.size) ?? 0) > PER_CALL_LIMIT && !token.cancelled ? point.size : undefined;
}

/** Share of the limit up to which an evaluation is continued, so that its cost shows how far above the limit it is. */
const LARGEST_SHARE = 4;
