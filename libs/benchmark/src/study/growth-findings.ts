import type { CancellationToken } from '#go';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import { firstOver } from '../figures/bending-point.ts';
import type { LimitAnswer } from '../figures/bending-point.ts';
import type { CostPoint } from '../figures/cost-growth.ts';
import { REQUEST_BYTES, filledObject } from '../object/filled-object.ts';
import type { WholeObject } from '../object/whole-object.ts';
import { withSizes, withSize, withoutDimensions, leastSized } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { CostSeries, SeriesPoint, JointSeries } from '../search/joint-growth.ts';
import type { Candidate, RuleProbe } from '../search/rule-probe.ts';
import { overCall } from './find-limit.ts';
import type { FieldGrowth, JointFieldGrowth, HeldBounds, SizeBound } from './rule-study.ts';

/**
 * Cost limit, in cost units, of an evaluation in a series. The limit is higher than the server's limit, so that growth beyond the server's
 * limit is visible.
 */
export const SERIES_LIMIT = 5_000_000;

/** Returns true if the cost is higher at the last size of the series than at the first. */
export const rises = ({ points }: CostSeries): boolean => (points.at(-1)?.cost ?? 0) > (points[0]?.cost ?? 0);

/**
 * Inputs with which a rule is evaluated again, at sizes of its fields that were not measured before. The inputs are the evaluator
 * (`probe`), the object plan to vary (`from`) and the cancellation token.
 */
export interface SeriesParts {
  readonly probe: RuleProbe;
  readonly from: Candidate;
  /** Most expensive object that was found, with small lists and maps above the rule's node. */
  readonly costliest: Candidate;
  /** All sizes that raise the cost. */
  readonly rising: readonly Dimension[];
  readonly token: CancellationToken;
}

/**
 * Returns the smallest size of all fields in `fixed` at which one evaluation exceeds its limit, even beyond the schema's bounds. All other
 * sizes that raise the cost are as large as the schema allows. Returns undefined if such a value does not fit into a request.
 */
function endWithoutBounds({ probe, costliest, rising, token }: SeriesParts, fixed: readonly Dimension[]): number | undefined {
  const free = withoutDimensions(rising, fixed);
  // A field without a bound would fill the request by itself. Then the result would say nothing about the fields in `fixed`.
  if (free.some(({ most }) => most > REQUEST_BYTES)) return undefined;
  const plan = free.reduce((full, one) => withSize(full, one, one.most), costliest.plan);
  return overCall(probe, (size) => ({ ...costliest, plan: withSizes(plan, fixed, size) }), fixed, token, Infinity);
}

/**
 * Returns how the cost of a rule grows with the size of one field. The result contains the field's bound and the cost at the bound. It also
 * contains the size at which a cost limit would stop the evaluation if there were no bound.
 */
export function growthOf(series: CostSeries, parts: SeriesParts, isSteepest: boolean): FieldGrowth {
  const { probe, from, token } = parts;
  const { dimension, points, growth } = series;
  const { field, unit, most } = dimension;
  const isBounded = Number.isFinite(most);
  const limits = { costLimit: SERIES_LIMIT, token, isChecked: false };
  const atBound = rises(series) && isBounded ? probe.try({ ...from, plan: withSize(from.plan, dimension, most) }, limits) : undefined;
  return {
    field,
    unit,
    bound: isBounded ? most : undefined,
    growth,
    costAtBound: atBound?.kind === 'evaluated' ? atBound.cost : undefined,
    wouldEndAt: rises(series) && isBounded && isSteepest ? endWithoutBounds(parts, [dimension]) : undefined,
    points: points.map(bare),
  };
}

const bare = ({ size, cost }: SeriesPoint): CostPoint => ({ size, cost });

/**
 * Returns the growth of a rule's cost if several fields grow together and always have the same size. The result includes the size at which
 * one evaluation would exceed the server's cost limit.
 */
export function jointGrowthOf({ dimensions, points, growth }: JointSeries, parts: SeriesParts): JointFieldGrowth {
  return {
    fields: dimensions.map(({ field, unit }) => ({ field, unit })),
    growth,
    wouldEndAt: endWithoutBounds(parts, dimensions),
    points: points.map(bare),
  };
}

/** Writes and sizes with which suggested bounds are checked. */
export interface BoundsCheck {
  readonly probe: RuleProbe;
  readonly whole: WholeObject;
  /** Most expensive writes that were found. Their sizes are changed. */
  readonly shapes: readonly Candidate[];
  /** All sizes of the rule's node. */
  readonly dimensions: readonly Dimension[];
  /** Groups of sizes that raise the cost together, then single sizes, the one with the steepest growth first. Bounds are lowered in this order. */
  readonly growsWith: readonly (readonly Dimension[])[];
  /** All sizes that raise the cost, with the upper bounds that other rules allow. */
  readonly rising: readonly Dimension[];
  /** Sizes of lists and maps above the rule's node. They multiply the evaluations. */
  readonly above: readonly Dimension[];
}

const MAX_EVALUATIONS = 90;

/**
 * Returns the suggested bounds if a server accepts the most expensive write that the study can build at these bounds. Otherwise, the bounds of
 * the fields with the steepest growth are lowered until a server accepts this write. If that does not suffice, further bounds are lowered,
 * too. The result is empty if not even the lowest bounds suffice. Returns undefined if there are no bounds, a field is unknown, or no value of
 * these sizes can be evaluated.
 */
export function boundsThatHold(check: BoundsCheck, bounds: readonly SizeBound[], token: CancellationToken): HeldBounds | undefined {
  const dimensions = [...check.growsWith.flat(), ...check.dimensions, ...check.above];
  const places = bounds.flatMap(({ field, unit, size }): Place[] => {
    const dimension = dimensions.find((one) => isSameField(one.field, field) && one.unit === unit);
    return dimension === undefined ? [] : [{ dimension, size }];
  });
  if (places.length === 0 || places.length < bounds.length) return undefined;
  const sizes = (held: readonly Place[]): HeldBounds['bounds'] =>
    bounds.map(({ field, unit }) => ({ field, unit, size: sizeOf(held, field, unit) }));
  let held: readonly Place[] = places;
  let cost = costliestAt(check, held, token);
  if (cost !== undefined && shareOfLimit(cost) > 1) {
    const least = held.map(({ dimension, size }) => ({ dimension, size: Math.min(size, Math.max(1, dimension.least)) }));
    const leastCost = costliestAt(check, least, token);
    if (leastCost !== undefined && shareOfLimit(leastCost) > 1) return token.cancelled ? undefined : { bounds: [], cost: leastCost.call };
    for (const group of [...check.growsWith, ...dimensions.map((dimension) => [dimension])]) {
      if (cost !== undefined && shareOfLimit(cost) <= 1) break;
      held = lowered(check, held, group, token);
      cost = costliestAt(check, held, token);
    }
  }
  return cost === undefined || token.cancelled ? undefined : { bounds: sizes(held), cost: cost.call };
}

/**
 * Lowers the bounds of all fields of a group by the same factor, at least until a server accepts the most expensive write. The schema's lower limit is
 * the lowest bound, and 1 if there is none.
 */
function lowered(check: BoundsCheck, places: readonly Place[], group: readonly Dimension[], token: CancellationToken): readonly Place[] {
  const largest = Math.max(0, ...places.filter(({ dimension }) => group.includes(dimension)).map(({ size }) => size));
  if (largest < 1) return places;
  const at = (part: number): readonly Place[] =>
    places.map(({ dimension, size }) => {
      const smaller = group.includes(dimension) ? Math.floor((size * part) / largest) : size;
      return { dimension, size: Math.min(size, Math.max(smaller, 1, dimension.least)) };
    });
  const isOver = (part: number): LimitAnswer => {
    const cost = costliestAt(check, at(part), token);
    return cost === undefined || shareOfLimit(cost);
  };
  const point = firstOver(isOver, { low: 1, high: largest, maxEvaluations: MAX_EVALUATIONS });
  return point.kind === 'found' ? at(Math.max(1, point.size - 1)) : places;
}

/** Dimension with the size that a suggested bound gives it. */
interface Place {
  readonly dimension: Dimension;
  readonly size: number;
}

const sizeOf = (places: readonly Place[], field: string, unit: Dimension['unit']): number =>
  places.find(({ dimension }) => isSameField(dimension.field, field) && dimension.unit === unit)?.size ?? 0;

/** Compares paths. Suggestions write elements of lists and values of maps as `[*]`, and plans write them as `[]` and `{}`. */
const isSameField = (planned: string, suggested: string): boolean =>
  planned.replaceAll(/\[\]|\{\}/g, '[*]') === suggested.replaceAll(/\[\]|\{\}/g, '[*]');

/** Returns the share of a limit that a write reaches: of the limit of one evaluation, or of the limit of all evaluations. */
const shareOfLimit = ({ call, object }: WriteCost): number => Math.max(call / PER_CALL_LIMIT, object / OBJECT_BUDGET);

/** Costs of the most expensive write: of one evaluation of the rule, and of all its evaluations in an object. */
interface WriteCost {
  readonly call: number;
  readonly object: number;
}

/**
 * Returns the cost of the most expensive write in which the fields have the given sizes. All other sizes are as large as possible.
 * Undefined if no such write has a known cost.
 */
function costliestAt(check: BoundsCheck, places: readonly Place[], token: CancellationToken): WriteCost | undefined {
  const costs = check.shapes.flatMap((shape) => callCost(check, shape, places, token) ?? []);
  const evaluations = check.above.reduce((product, one) => product * (places.find(({ dimension }) => dimension === one)?.size ?? 1), 1);
  const call = Math.max(...costs);
  return costs.length === 0 ? undefined : { call, object: call * evaluations };
}

/** Returns the cost of one evaluation. Returns undefined if no value can be built or the evaluation ends with an error. */
function callCost(
  { probe, whole, rising, above }: BoundsCheck,
  shape: Candidate,
  places: readonly Place[],
  token: CancellationToken,
): number | undefined {
  const fixed = places.map(({ dimension }) => dimension);
  const plan = places
    .filter(({ dimension }) => !above.includes(dimension))
    .reduce((changed, { dimension, size }) => withSize(changed, dimension, size), leastSized(shape.plan, above));
  const candidate = filledObject(whole, { ...shape, plan }, { fixed: [], free: withoutDimensions(rising, fixed) }, token)(1);
  const trial = probe.try(candidate, { costLimit: SERIES_LIMIT, token, isChecked: false });
  return trial.kind === 'evaluated' && trial.outcome !== 'error' ? trial.cost : undefined;
}
