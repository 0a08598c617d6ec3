import { addRanges, addUnits, exactly, MAX_UNITS, multiplyRanges, scaleRange, UNKNOWN_SIZE } from '../range.ts';
import type { SizeRange } from '../range.ts';
import { typeParameters } from '../../values/types/type.ts';
import type { EstimatedCall, EstimatedOperand } from '../define.ts';
import { literalInt, scanEstimate, scansFirstTwice, STRING_TRAVERSAL } from '../formulas.ts';
import { always, sizeEstimate, statedEstimate } from '../price.ts';

/** Returns `⌈a / b⌉`, computed in float64 and limited to 2^64−1. */
function quotient(a: bigint, b: bigint): bigint {
  const result = Math.ceil(Number(a) / Number(b));
  return result >= 18446744073709551615 ? MAX_UNITS : BigInt(result);
}

/** Returns the range of possible lengths of `text.replace(part, replacement)`. Source: library/cost.go `replace` (1.37). */
function replacedSize(text: SizeRange, part: SizeRange, replacement: SizeRange): SizeRange {
  const count = { min: 0n, max: 0n };
  const retained = { min: 0n, max: 0n };
  if (part.min === 0n) {
    count.max = addUnits(text.max, 1n);
    retained.max = text.max;
  } else if (replacement.max <= part.min) retained.max = text.max;
  else count.max = quotient(text.max, part.min);
  if (part.max === 0n) {
    count.min = addUnits(text.min, 1n);
    retained.min = text.min;
  } else if (part.max <= replacement.min) retained.min = text.min;
  else count.min = quotient(text.min, part.max);
  return addRanges(multiplyRanges(count, replacement), retained);
}

const twice = (size: SizeRange): SizeRange => scaleRange(size, 2 * STRING_TRAVERSAL);

/** Estimate of `replace`: the cost of reading the text and of writing the result. */
export const estimateReplace = statedEstimate(
  {
    cost: scansFirstTwice.formula,
    resultSize: always([
      { formula: '⌈size(x) ÷ least(y)⌉ × size(z)' },
      { when: 'z is never longer than y', formula: 'size(x)' },
      { when: 'y may be empty', formula: '(size(x) + 1) × size(z) + size(x)' },
    ]),
  },
  (call) => {
    const text = sizeEstimate(call, 0);
    return { cost: twice(text), resultSize: replacedSize(text, sizeEstimate(call, 1), sizeEstimate(call, 2)) };
  },
);

/** Estimate of `x.split(y)`: the cost of two scans of `x`. The result has at most one part for each code point of `x`. */
export const estimateSplit = statedEstimate({ cost: scansFirstTwice.formula, resultSize: always('size(x)') }, (call) => {
  const text = sizeEstimate(call, 0);
  return { cost: twice(text), resultSize: { min: 0n, max: text.max } };
});

/** Estimate of `x.split(y, z)`: the cost of two scans of `x`. If `z` is a literal, the result has at most `z` parts. */
export const estimateSplitUpTo = statedEstimate(
  {
    cost: scansFirstTwice.formula,
    resultSize: always([{ formula: 'size(x)' }, { when: 'z is a literal', formula: 'value(z) mod 2^64' }]),
  },
  (call) => {
    const limit = literalInt(call.operands[2]);
    const parts = estimateSplit(call);
    return limit === undefined ? parts : { ...parts, resultSize: { min: 0n, max: BigInt.asUintN(64, limit) } };
  },
);

const JOINED_WORDS = always('⌈0.1 × size(result)⌉');

/** Returns the total size of all elements of the list. If the operand's type is not known to be a list, the result is 0. */
function elementsSize(call: EstimatedCall): SizeRange {
  const { type, elementSize = UNKNOWN_SIZE } = call.operands[0] as EstimatedOperand;
  return typeParameters(type).length > 0 ? multiplyRanges(sizeEstimate(call, 0), elementSize) : exactly(0n);
}

/** Estimate of `x.join()`: the cost of scanning all elements. The size of the result is the total size of all elements. */
export const estimateJoin = statedEstimate(
  { cost: JOINED_WORDS, resultSize: always([{ formula: 'size(x) × size(element)' }, { when: 'x is dyn', formula: '0' }]) },
  (call) => {
    const size = elementsSize(call);
    return { cost: scanEstimate(size), resultSize: size };
  },
);

/** Estimate of `x.join(y)`: like {@link estimateJoin}, with one separator between adjacent elements. */
export const estimateJoinWithSeparator = statedEstimate(
  {
    cost: JOINED_WORDS,
    resultSize: always([
      { formula: 'size(x) × size(element) + size(y) × (size(x) − 1)' },
      { when: 'x is dyn', formula: 'size(y) × (size(x) − 1)' },
    ]),
  },
  (call) => {
    const list = sizeEstimate(call, 0);
    const separators = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
    const size = addRanges(elementsSize(call), multiplyRanges(sizeEstimate(call, 1), separators));
    return { cost: scanEstimate(size), resultSize: size };
  },
);
