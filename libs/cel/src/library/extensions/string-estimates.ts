import { addRanges, addUnits, exactly, MAX_UNITS, multiplyRanges, scaleRange, UNKNOWN_SIZE } from '../range.ts';
import type { SizeRange } from '../range.ts';
import { typeParameters } from '../../values/types/format.ts';
import type { EstimatedCall, EstimatedOperand } from '../define.ts';
import { literalInt, scanEstimate, scansFirstTwice, STRING_TRAVERSAL } from '../formulas.ts';
import { always, sizeEstimate, statedEstimate } from '../price.ts';

/** ceil(a / b) in float64. */
function quotient(a: bigint, b: bigint): bigint {
  const result = Math.ceil(Number(a) / Number(b));
  return result >= 18446744073709551615 ? MAX_UNITS : BigInt(result);
}

/**
 * Returns the smallest and the largest length of `text.replace(part, replacement)`. Source: library/cost.go `replace`
 * (1.37).
 */
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

/** Reading the text, and writing the result. */
export const estimateReplace = statedEstimate(
  {
    cost: scansFirstTwice.words,
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

/** Estimate of `split`. An empty separator makes a part of each code point; a literal limit bounds the number of parts. */
export const estimateSplit = statedEstimate({ cost: scansFirstTwice.words, resultSize: always('size(x)') }, (call) => {
  const text = sizeEstimate(call, 0);
  return { cost: twice(text), resultSize: { min: 0n, max: text.max } };
});

/** `x.split(y, z)`: cost units of two scans of `x`; at most `z` parts, where `z` is a literal. */
export const estimateSplitUpTo = statedEstimate(
  {
    cost: scansFirstTwice.words,
    resultSize: always([{ formula: 'size(x)' }, { when: 'z is a literal', formula: 'value(z) mod 2^64' }]),
  },
  (call) => {
    const limit = literalInt(call.operands[2]);
    const parts = estimateSplit(call);
    return limit === undefined ? parts : { ...parts, resultSize: { min: 0n, max: BigInt.asUintN(64, limit) } };
  },
);

const JOINED_WORDS = always('⌈0.1 × size(result)⌉');

/** Returns the elements one after the other; a list that is not seen to be one counts as holding empty texts. */
function elementsSize(call: EstimatedCall): SizeRange {
  const { type, elementSize = UNKNOWN_SIZE } = call.operands[0] as EstimatedOperand;
  return typeParameters(type).length > 0 ? multiplyRanges(sizeEstimate(call, 0), elementSize) : exactly(0n);
}

/** `x.join()`: cost units of scanning all elements; the result has as many code points as they have. */
export const estimateJoin = statedEstimate(
  { cost: JOINED_WORDS, resultSize: always([{ formula: 'size(x) × size(element)' }, { when: 'x is dyn', formula: '0' }]) },
  (call) => {
    const size = elementsSize(call);
    return { cost: scanEstimate(size), resultSize: size };
  },
);

/** `x.join(y)`: as {@link estimateJoin}, with a separator between each two elements. */
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
