import { utf8Length } from '#kube';
import { addRanges, exactly, multiplyRanges, range, scaleRange, UNKNOWN_SIZE } from '../cost/range.ts';
import type { CostRange, SizeRange } from '../cost/range.ts';
import { costSizeOf, coreCostSizeOf } from '../runtime/size.ts';
import { isList, isMap } from '../runtime/type-of.ts';
import type { CelValue } from '../runtime/value.ts';
import type { CallEstimate, EstimatedCall, EstimatedOperand, Measure } from './define.ts';

/** Units per character of a string that is traversed. Source of these factors: cel-go common/cost.go (v0.29.2). */
export const STRING_TRAVERSAL = 0.1;
/** Units per character of a regular expression. */
export const REGEX_LENGTH = 0.25;
export const LIST_CREATION = 10;
/** What a call costs beside its traversals, in libraries that add it. */
export const CALL = 1;

export const ONE: CostRange = exactly(1n);
/** One unit, result size unknown: what most accessors cost. */
export const nominal = (): CallEstimate => ({ cost: ONE });

/** Size of an operand, unknown sizes as all sizes. */
export function sizeEstimate(call: EstimatedCall, index: number): SizeRange {
  return call.operands[index]?.size ?? UNKNOWN_SIZE;
}

/** Static cost of traversing a string or bytes once. */
export const scanEstimate = (size: SizeRange): CostRange => scaleRange(size, STRING_TRAVERSAL);

/** Static cost of matching a text with a pattern. One is added to the text's size so that an empty text is not free. */
export function regexEstimate(text: SizeRange, pattern: SizeRange): CostRange {
  return multiplyRanges(scanEstimate(addRanges(text, exactly(1n))), scaleRange(pattern, REGEX_LENGTH));
}

/** Run-time cost of traversing a string or bytes of a size once. */
export const scanUnits = (size: number): number => Math.ceil(size * STRING_TRAVERSAL);

/** Run-time cost of a pattern of a length applied to a text of a size. */
export function regexUnits(textSize: number, patternLength: number): number {
  return Math.ceil((1 + textSize) * STRING_TRAVERSAL) * Math.ceil(patternLength * REGEX_LENGTH);
}

/** One traversal of the first argument. */
export const scansFirst: Measure = (args) => scanUnits(costSizeOf(args[0] as CelValue));
/** One traversal of the first argument and one to build the result. */
export const scansFirstTwice: Measure = (args) => Math.ceil(costSizeOf(args[0] as CelValue) * 2 * STRING_TRAVERSAL);
/** A fixed unit, stated where upstream states it. */
export const oneUnit: Measure = () => 1;

/** Comparison of two values up to the end of the shorter one. */
export const scansShorter: Measure = (args) => {
  const [a, b] = args as [CelValue, CelValue];
  if (typeof a === 'number' && typeof b === 'number') return 1;
  return scanUnits(Math.min(coreCostSizeOf(a), coreCostSizeOf(b)));
};

/** Static cost of {@link scansShorter}: nothing when a side is known to be empty. */
export function shorterScanEstimate(a: SizeRange, b: SizeRange): CostRange {
  const max = a.max < b.max ? a.max : b.max;
  return scaleRange(range(max > 0n ? 1n : 0n, max), STRING_TRAVERSAL);
}

/** The estimate of a function that traverses its operand `index` once. */
export function scanOf(index: number, keepsSize = false): (call: EstimatedCall) => CallEstimate {
  return (call) => {
    const size = sizeEstimate(call, index);
    return keepsSize ? { cost: scanEstimate(size), resultSize: size } : { cost: scanEstimate(size) };
  };
}

/** As {@link scanOf}, twice over: `scaleUnits(size, 0.2)`. */
export function doubleScanOf(index: number): (call: EstimatedCall) => CallEstimate {
  return (call) => ({ cost: scaleRange(sizeEstimate(call, index), 2 * STRING_TRAVERSAL) });
}

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

export const traversesFirst: Measure = (args) => traversalUnits(args[0] as CelValue);

/** The int64 literal that an operand is, or undefined. */
export function literalInt(operand: EstimatedOperand | undefined): bigint | undefined {
  const expr = operand?.expr;
  return expr?.kind === 'constant' && expr.constant.type === 'int' ? expr.constant.value : undefined;
}
