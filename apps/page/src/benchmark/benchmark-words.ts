import type { BaseComparison, PlacedFindings } from '#benchmark';
import { PER_CALL_LIMIT } from '#kube';
import { changeShare, costWords, grouped } from '#numbers';
import { costAtSize } from './curve.ts';
import type { Curve } from './curve.ts';

/** The size at which the cost of a curve is shown if the schema has no bound. */
const USUAL_SIZE = 1000;

/** From this ratio on, a change of cost is written as a factor instead of a percentage. */
const MANY_TIMES = 10;

const LIMITS = { call: 'the limit of one evaluation', object: 'the budget of an object' } as const;

/**
 * Returns a sentence about the growth of a rule's cost with the size of a field. The sentence contains the cost at the maximum size that
 * the schema allows. If there is no maximum, or its cost exceeds the limit, the sentence contains the cost at about 1,000 items or
 * characters. If the study is not finished, an absent curve means nothing yet.
 */
export function growthSentence(curve: Curve | undefined, isFinished = true): string {
  if (curve === undefined)
    return isFinished ? 'The cost grows with the size of no field.' : 'Not finished: no field is known yet with whose size the cost grows.';
  const { bound, costAtBound } = curve;
  const atBound = bound !== undefined && costAtBound !== undefined && costAtBound <= PER_CALL_LIMIT;
  const known = atBound ? { size: bound, cost: costAtBound, isExact: true } : costAtSize(curve, USUAL_SIZE);
  const growth = `The cost grows as ${curve.growth} with ${curve.fields}`;
  if (known === undefined) return `${growth}.`;
  const size = `${grouped(known.size)} ${curve.unit}${curve.isJoint ? ' of each' : ''}`;
  return `${growth}: ${size} cost ${known.isExact ? '' : 'about '}${grouped(known.cost)} units.`;
}

/**
 * Returns one sentence about the maximum size that the schema allows for the field with which the cost grows. Returns undefined if the cost
 * grows with no field or with several fields.
 */
export function boundSentence(curve: Curve | undefined): string | undefined {
  if (curve === undefined || curve.isJoint) return undefined;
  const { bound, costAtBound, fields, unit } = curve;
  if (bound === undefined) return `The schema sets no bound for ${fields}.`;
  const cost = costAtBound !== undefined && costAtBound > PER_CALL_LIMIT ? ', where one evaluation exceeds its limit' : '';
  return `The schema allows ${grouped(bound)} ${unit} of ${fields}${cost}.`;
}

/** Returns a sentence about the smallest field size at which a server refuses a write request because of its cost. */
export function refusalSentence(
  { budgetEndsAt: end }: Pick<PlacedFindings, 'budgetEndsAt'>,
  curve: Curve | undefined,
  isFinished = true,
): string {
  if (end !== undefined) {
    const fields = [end.field, ...(end.together ?? [])].join(' and of ');
    return `A server refuses the write from ${grouped(end.size)} ${end.unit} of ${fields} on${besideOthers(end)}, by ${LIMITS[end.limit]}.`;
  }
  const none = isFinished
    ? 'No write was found that a server refuses for its cost.'
    : 'So far, no write is known that a server refuses for its cost.';
  return curve?.wouldEndAt === undefined
    ? none
    : `${none} Without bounds a server would refuse one evaluation from ${grouped(curve.wouldEndAt)} ${curve.unit} on.`;
}

/**
 * Returns a text with the sizes of the other fields in the smallest write that a server refuses, such as `, with 9 items of spec.b`. If all
 * other fields are small, the text says so.
 */
function besideOthers({ others = [], alone }: NonNullable<PlacedFindings['budgetEndsAt']>): string {
  if (alone === true) return ', while all other fields are small';
  return others.length === 0 ? '' : `, with ${others.map(({ field, unit, size }) => `${grouped(size)} ${unit} of ${field}`).join(' and ')}`;
}

/**
 * Returns a sentence that compares the cost of the most expensive create or update request that was found with the cost estimate. Returns
 * undefined if no such request was found.
 */
export function costliestSentence({ worst, estimate, estimateOverWorst }: PlacedFindings): string | undefined {
  if (worst === undefined) return undefined;
  const evaluations = worst.evaluations === 1 ? 'one evaluation' : `${grouped(worst.evaluations)} evaluations`;
  const beside =
    estimate === undefined || estimateOverWorst === undefined
      ? ''
      : ` The estimate, which a server computes from the schema alone, is ${costWords(estimate.object)} units: ${costWords(estimateOverWorst.toPrecision(2))} times that.`;
  if (worst.end !== 'accepted') return `The most expensive write found reaches ${LIMITS[worst.end]}.`;
  return `The most expensive write found costs ${grouped(worst.cost)} units in ${evaluations}.${beside}`;
}

/**
 * Returns one sentence that compares the cost of a rule's most expensive write request with the cost under the older definition. Returns
 * undefined if nothing was compared.
 */
export function changeSentence({ base, worst }: Pick<PlacedFindings, 'base' | 'worst'>): string | undefined {
  if (base === undefined) return undefined;
  if (base.kind !== 'compared')
    return base.kind === 'new' ? 'The earlier definition has no such rule.' : 'Only the earlier definition has the rule.';
  const { base: before, head: after, verdict } = base.cost;
  if (verdict === 'equal' && worst !== undefined && worst.end !== 'accepted')
    return `The most expensive write found reaches ${LIMITS[worst.end]}, as before.`;
  if (verdict === 'equal') return `The most expensive write found costs ${grouped(after)} units, as before.`;
  return `The most expensive write found costs ${changeText(before, after)}.`;
}

/**
 * Returns a sentence that compares the cost of one evaluation with the older definition. It compares the costs at the largest size that
 * both cost curves have within the schema's bound. Returns undefined if there is no such size, or if the curves have different fields or
 * units.
 */
export function curveChangeSentence(present: Curve | undefined, older: Curve | undefined): string | undefined {
  if (present === undefined || older === undefined || present.fields !== older.fields || present.unit !== older.unit) return undefined;
  const { bound = Infinity } = present;
  const after = present.points.findLast(({ x }) => x <= bound && older.points.some((point) => point.x === x));
  const before = older.points.find(({ x }) => x === after?.x);
  if (after === undefined || before === undefined) return undefined;
  const size = `${grouped(after.x)} ${present.unit}${present.isJoint ? ' of each' : ''}`;
  return before.y === after.y
    ? `One evaluation of ${size} costs ${grouped(after.y)} units, as before.`
    : `One evaluation of ${size} costs ${changeText(before.y, after.y)}.`;
}

/** Returns a change of a cost: `1,000 → 1,200 units, 20 % more`, or `1,000 → 40,000 units, 40 times as much`. */
function changeText(before: number, after: number): string {
  if (before > 0 && after >= MANY_TIMES * before)
    return `${grouped(before)} → ${grouped(after)} units, ${grouped(Math.round(after / before))} times as much`;
  const share = before === 0 ? '' : `, ${changeShare(Math.abs(after / before - 1))} ${after > before ? 'more' : 'less'}`;
  return `${grouped(before)} → ${grouped(after)} units${share}`;
}

/**
 * Returns a sentence that compares the time of one evaluation under the new definition with the time under the older definition. Returns
 * undefined if no times were compared.
 */
export function timeChangeSentence(base: BaseComparison | undefined): string | undefined {
  if (base?.kind !== 'compared' || base.time === undefined) return undefined;
  const { ratio, lo, hi, verdict } = base.time;
  return `One evaluation takes ${ratio.toFixed(2)} times as long (95 % interval ${lo.toFixed(2)} to ${hi.toFixed(2)}): ${verdict}.`;
}
