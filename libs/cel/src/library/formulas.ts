import { utf8Length } from '#go';
import { scaleRange } from './range.ts';
import { isList, isMap } from '../values/type-of.ts';
import type { CostRange, SizeRange } from './range.ts';
import type { CelValue } from '../values/value.ts';
import type { Estimate, EstimatedOperand, Measure } from './define.ts';
import { sizeUnits, textScale } from './code/units.ts';
import { coreSize, estimateOf, fixed, measureOf, product, scaled, shorter, size, statedMeasure, sum } from './price.ts';
import type { PriceTerm } from './price.ts';

/** Units per character of a string that is traversed. Source of these factors: cel-go common/cost.go (v0.29.2). */
export const STRING_TRAVERSAL = 0.1;
/** Units per character of a regular expression. */
export const REGEX_LENGTH = 0.25;
/** Cost of a call besides its traversals, in libraries that add it. */
export const CALL = 1;

const SCAN_SCALE = textScale(STRING_TRAVERSAL);
/** Returns one traversal of a string or bytes. */
export const scan = (quantity: PriceTerm): PriceTerm => scaled(STRING_TRAVERSAL, quantity, SCAN_SCALE);
/** Returns a traversal, and one to build the result. */
const scanTwice = (quantity: PriceTerm): PriceTerm => scaled(2 * STRING_TRAVERSAL, quantity);
/** Returns a pattern applied to a text. One is added to the text's size so that an empty text is not free. */
export const regexMatch = (text: PriceTerm, pattern: PriceTerm): PriceTerm =>
  product(scan(sum(fixed(1), text)), scaled(REGEX_LENGTH, pattern));

/** One unit, result size unknown: what most accessors cost. */
export const nominal: Estimate = estimateOf(fixed(1));
/** A fixed unit, stated where upstream states it. */
export const oneUnit: Measure = measureOf(fixed(1));
/** Nothing: its operands are all that is paid for. */
export const free: Measure = measureOf(fixed(0));

/** Returns the static cost of traversing a string or bytes once. */
export const scanEstimate = (size: SizeRange): CostRange => scaleRange(size, STRING_TRAVERSAL);

/** Returns the estimate of a function that traverses its operand `index` once. */
export const scanOf = (index: number, keepsSize = false): Estimate => estimateOf(scan(size(index)), keepsSize ? { size: size(index) } : {});
/** Returns the same as {@link scanOf}, for two scans. */
export const doubleScanOf = (index: number): Estimate => estimateOf(scanTwice(size(index)));

/** One traversal of the first argument. */
export const scansFirst: Measure = measureOf(scan(size(0)));
/** Like {@link scansFirst}, for cel-go's own functions. */
export const coreScansFirst: Measure = measureOf(scan(coreSize(0)));
/** One traversal of the first argument and one to build the result. */
export const scansFirstTwice: Measure = measureOf(scanTwice(size(0)));

const SHORTER_SCAN = scan(shorter(coreSize(0), coreSize(1)));
/** Comparison of two values up to the end of the shorter one. */
export const scansShorter: Measure = statedMeasure(
  SHORTER_SCAN.words,
  (args, _, costs) => (typeof args[0] === 'number' && typeof args[1] === 'number' ? 1 : SHORTER_SCAN.units(args, costs)),
  SHORTER_SCAN.emit,
);
/** Static cost of {@link scansShorter}: nothing when a side is known to be empty. */
export const estimateShorterScan: Estimate = estimateOf(SHORTER_SCAN);

/** Cost of walking a value and all it holds: a tenth of the bytes of each string, rounded down, 1 for other scalars. Source: library/cost.go `traversalCost`. */
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

/** Cost units of walking the first argument (code points, bytes, elements) once. */
export const traversesFirst: Measure = statedMeasure('traversal(x)', (args) => traversalUnits(args[0] as CelValue));
/** {@link traversesFirst} of lists of numbers, of which each costs a unit. */
export const traversesNumbers: Measure = statedMeasure(
  traversesFirst.words,
  (args) => traversalUnits(args[0] as CelValue),
  (_, [list]) =>
    list !== undefined && ['rawList', 'array', 'intColumn', 'counted'].includes(list.shape.kind) ? sizeUnits(list) : undefined,
);

/** Returns the int64 literal that an operand is, or undefined. */
export function literalInt(operand: EstimatedOperand | undefined): bigint | undefined {
  const literal = operand?.literal;
  return literal?.type === 'int' ? literal.value : undefined;
}
