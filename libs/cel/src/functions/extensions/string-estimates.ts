import { addRanges, addUnits, exactly, MAX_UNITS, multiplyRanges, scaleRange, UNKNOWN_SIZE } from '../../cost/range.ts';
import type { SizeRange } from '../../cost/range.ts';
import { typeParameters } from '../../types/format.ts';
import type { CallEstimate, EstimatedCall, EstimatedOperand } from '../define.ts';
import { literalInt, scanEstimate, sizeEstimate, STRING_TRAVERSAL } from '../formulas.ts';

/** ceil(a / b) in float64. */
function quotient(a: bigint, b: bigint): bigint {
  const result = Math.ceil(Number(a) / Number(b));
  return result >= 18446744073709551615 ? MAX_UNITS : BigInt(result);
}

/** How long `text.replace(part, replacement)` can be at either end. Source: library/cost.go `replace` (1.37). */
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

export function estimateReplace(call: EstimatedCall): CallEstimate {
  const text = sizeEstimate(call, 0);
  return { cost: twice(text), resultSize: replacedSize(text, sizeEstimate(call, 1), sizeEstimate(call, 2)) };
}

/** With an empty separator each code point is a part; a literal limit bounds the parts. */
export function estimateSplit(call: EstimatedCall): CallEstimate {
  const text = sizeEstimate(call, 0);
  const limit = literalInt(call.operands[2]);
  return { cost: twice(text), resultSize: { min: 0n, max: limit === undefined ? text.max : BigInt.asUintN(64, limit) } };
}

export function estimateJoin(call: EstimatedCall): CallEstimate {
  const list = sizeEstimate(call, 0);
  const { type, elementSize = UNKNOWN_SIZE } = call.operands[0] as EstimatedOperand;
  let size = typeParameters(type).length > 0 ? multiplyRanges(list, elementSize) : exactly(0n);
  if (call.operands.length > 1) {
    const separators = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
    size = addRanges(size, multiplyRanges(sizeEstimate(call, 1), separators));
  }
  return { cost: scanEstimate(size), resultSize: size };
}
