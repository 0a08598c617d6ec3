import { utf8Length } from '#go';
import { scaleRange } from './range.ts';
import { isList, isMap } from '../values/type-of.ts';
import type { CostRange, SizeRange } from './range.ts';
import type { CelValue } from '../values/value.ts';
import type { Estimate, EstimatedOperand, Measure } from './define.ts';
import { sizeUnits, textScale } from './code/units.ts';
import { standardSize, estimateOf, fixed, measureOf, product, scaled, shorter, size, statedMeasure, sum } from './price.ts';
import type { PriceTerm } from './price.ts';

/** Cost units per character of a string that is traversed. Source of these factors: cel-go common/cost.go (v0.29.2). */
export const STRING_TRAVERSAL = 0.1;
/** Cost units per character of a regular expression. */
export const REGEX_LENGTH = 0.25;
/** Base cost of a call, in addition to the cost of traversals. Only some libraries charge it. */
export const CALL = 1;

const SCAN_SCALE = textScale(STRING_TRAVERSAL);
/** Returns the cost of traversing a string or bytes of the given size once. */
export const scan = (quantity: PriceTerm): PriceTerm => scaled(STRING_TRAVERSAL, quantity, SCAN_SCALE);
/** Returns the cost of traversing a string or bytes once and of building a result of the same size. */
const scanTwice = (quantity: PriceTerm): PriceTerm => scaled(2 * STRING_TRAVERSAL, quantity);
/** Returns the cost of matching a pattern against a text. One is added to the size of the text, so that an empty text is not free. */
export const regexMatch = (text: PriceTerm, pattern: PriceTerm): PriceTerm =>
  product(scan(sum(fixed(1), text)), scaled(REGEX_LENGTH, pattern));

/** Default cost estimate of a CEL function: one cost unit, and an unknown size of the result. */
export const nominal: Estimate = estimateOf(fixed(1));
/** Run-time cost of exactly one unit. Functions use it if upstream defines this cost explicitly. */
export const oneUnit: Measure = measureOf(fixed(1));
/** Run-time cost of 0 units for the call itself. The cost of the operands is charged separately. */
export const free: Measure = measureOf(fixed(0));

/** Returns the static cost of traversing a string or bytes of the given size once. */
export const scanEstimate = (size: SizeRange): CostRange => scaleRange(size, STRING_TRAVERSAL);

/**
 * Returns the static cost estimate of a function that traverses the operand at `index` once. If `keepsSize` is true, the result of the
 * function has the size of this operand.
 */
export const scanOf = (index: number, { keepsSize = false } = {}): Estimate =>
  estimateOf(scan(size(index)), keepsSize ? { size: size(index) } : {});
/** Returns the estimate of a function that traverses the operand at `index` twice. */
export const doubleScanOf = (index: number): Estimate => estimateOf(scanTwice(size(index)));

/** Run-time cost of traversing the first argument once. */
export const scansFirst: Measure = measureOf(scan(size(0)));
/**
 * Run-time cost of traversing the first argument once, for functions of cel-go's standard library. The sizes of their arguments are
 * measured by cel-go's rules.
 */
export const standardScansFirst: Measure = measureOf(scan(standardSize(0)));
/** Run-time cost of traversing the first argument and of building a result of the same size. */
export const scansFirstTwice: Measure = measureOf(scanTwice(size(0)));

const SHORTER_SCAN = scan(shorter(standardSize(0), standardSize(1)));
/** Run-time cost of a comparison of two values that reads both only up to the end of the shorter value. */
export const scansShorter: Measure = statedMeasure(
  SHORTER_SCAN.words,
  (args, _, costs) => (typeof args[0] === 'number' && typeof args[1] === 'number' ? 1 : SHORTER_SCAN.units(args, costs)),
  SHORTER_SCAN.emit,
);
/**
 * Static estimate of the cost of comparing two values up to the end of the shorter one. {@link scansShorter} is the corresponding run-time
 * cost. The estimate is 0 if one operand is known to be empty.
 */
export const estimateShorterScan: Estimate = estimateOf(SHORTER_SCAN);

/**
 * Returns the cost of traversing a value and everything in it. A string costs a tenth of its bytes, rounded down, and any other scalar
 * costs 1. Source: library/cost.go `traversalCost`.
 */
function traversalUnits(value: CelValue): number {
  if (typeof value === 'string') return Math.trunc(utf8Length(value) * STRING_TRAVERSAL);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array) return Math.trunc(value.length * STRING_TRAVERSAL);
  let units = 0;
  if (isList(value)) {
    const size = value.size;
    for (let i = 0; i < size; i++) units += traversalUnits(value.at(i));
    return units;
  }
  if (!isMap(value)) return 1;
  for (const key of value.keys()) units += traversalUnits(key) + traversalUnits(value.get(key) ?? null);
  return units;
}

/** Run-time cost of traversing the first argument once. It counts the bytes of strings and bytes, and all elements of lists. */
export const traversesFirst: Measure = statedMeasure('traversal(x)', (args) => traversalUnits(args[0] as CelValue));
/**
 * Function that computes the run-time cost of traversing a list of numbers once. It gives the same cost as {@link traversesFirst}. In
 * addition, generated code can compute this cost from the list's size.
 */
export const traversesNumbers: Measure = statedMeasure(
  traversesFirst.formula,
  (args) => traversalUnits(args[0] as CelValue),
  (_, [list]) =>
    list !== undefined && ['rawList', 'array', 'intColumn', 'counted'].includes(list.shape.kind) ? sizeUnits(list) : undefined,
);

/** Returns the value of an operand that is an int literal. Undefined if the operand is not an int literal. */
export function literalInt(operand: EstimatedOperand | undefined): bigint | undefined {
  const literal = operand?.literal;
  return literal?.type === 'int' ? literal.value : undefined;
}
