import type { CancellationToken } from '#go';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import { firstOver } from '../figures/bending-point.ts';
import { filledObject } from '../object/filled-object.ts';
import type { WholeObject } from '../object/whole-object.ts';
import { commonBounds, leastSized, sized } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate, RuleProbe } from '../search/rule-probe.ts';
import { withContents } from '../search/shared-contents.ts';
import type { SharedContents } from '../search/shared-contents.ts';
import { SERIES_LIMIT } from './growth-findings.ts';
import type { HeldBounds, SizeBound } from './rule-study.ts';

/** Writes and sizes with which suggested bounds are checked. */
export interface BoundsCheck {
  readonly probe: RuleProbe;
  readonly whole: WholeObject;
  /** Most expensive writes that were found, whose sizes are changed. */
  readonly shapes: readonly Candidate[];
  readonly contents: readonly SharedContents[];
  /** All sizes of the rule's node. Bounds are lowered in this order. */
  readonly dimensions: readonly Dimension[];
  /** Sizes that raise the cost of an evaluation. */
  readonly rising: readonly Dimension[];
  /** Sizes of lists and maps above the rule's node. They multiply the evaluations. */
  readonly above: readonly Dimension[];
}

const MAX_EVALUATIONS = 60;

/**
 * Returns the suggested bounds if a server accepts the most expensive write that the study can build at these bounds. Otherwise, the bound of
 * the field with the steepest growth is lowered until a server accepts this write. If that does not suffice, the next bound is lowered, too.
 * Returns undefined if there are no bounds, a field is unknown, or no value of these sizes can be evaluated.
 */
export function boundsThatHold(check: BoundsCheck, bounds: readonly SizeBound[], token: CancellationToken): HeldBounds | undefined {
  const all = [...check.dimensions, ...check.above];
  const places = bounds.flatMap(({ field, unit, size }): Place[] => {
    const dimension = all.find((one) => one.field === field && one.unit === unit);
    return dimension === undefined ? [] : [{ dimension, size }];
  });
  if (places.length === 0 || places.length < bounds.length) return undefined;
  let held: readonly Place[] = places.toSorted((a, b) => all.indexOf(a.dimension) - all.indexOf(b.dimension));
  for (const { dimension, size } of held) {
    if (!exceeds(check, held, token)) break;
    const at = (smaller: number): readonly Place[] => held.map((one) => (one.dimension === dimension ? { dimension, size: smaller } : one));
    const low = Math.max(1, commonBounds([dimension]).least);
    const point =
      size < low ? undefined : firstOver((n) => exceeds(check, at(n), token), { low, high: size, maxEvaluations: MAX_EVALUATIONS });
    if (point?.kind === 'found') held = at(Math.max(low, point.size - 1));
  }
  const cost = dearestAt(check, held, token);
  if (cost === undefined || token.cancelled) return undefined;
  return { bounds: bounds.map(({ field, unit }) => ({ field, unit, size: sizeOf(held, field, unit) })), cost: cost.call };
}

/** Dimension with the size that a suggested bound gives it. */
interface Place {
  readonly dimension: Dimension;
  readonly size: number;
}

const sizeOf = (places: readonly Place[], field: string, unit: Dimension['unit']): number =>
  places.find(({ dimension }) => dimension.field === field && dimension.unit === unit)?.size ?? 0;

const exceeds = (check: BoundsCheck, places: readonly Place[], token: CancellationToken): boolean => {
  const cost = dearestAt(check, places, token);
  return cost !== undefined && (cost.call > PER_CALL_LIMIT || cost.object > OBJECT_BUDGET);
};

/** Costs of the most expensive write: of one evaluation of the rule, and of all its evaluations in an object. */
interface WriteCost {
  readonly call: number;
  readonly object: number;
}

/** Returns the cost of the most expensive write in which the fields have the given sizes. All other sizes are as large as possible. */
function dearestAt(
  { probe, whole, shapes, contents, rising, above }: BoundsCheck,
  places: readonly Place[],
  token: CancellationToken,
): WriteCost | undefined {
  const fixed = new Set(places.map(({ dimension }) => dimension));
  const free = rising.filter((one) => !fixed.has(one));
  const evaluations = above.reduce((product, one) => product * (places.find(({ dimension }) => dimension === one)?.size ?? 1), 1);
  let dearest: number | undefined;
  for (const shape of shapes.flatMap((one) => [one, ...contents.map((other) => ({ ...one, plan: withContents(one.plan, other) }))])) {
    const plan = places
      .filter(({ dimension }) => !above.includes(dimension))
      .reduce((changed, { dimension, size }) => sized(changed, dimension, size), leastSized(shape.plan, above));
    const candidate = filledObject(whole, { ...shape, plan }, { fixed: [], free }, token)(1);
    const trial = probe.try(candidate, { costLimit: SERIES_LIMIT, token, isChecked: false });
    if (trial.kind !== 'evaluated' || trial.outcome === 'error') continue;
    dearest = Math.max(dearest ?? 0, trial.cost);
  }
  return dearest === undefined ? undefined : { call: dearest, object: dearest * evaluations };
}
