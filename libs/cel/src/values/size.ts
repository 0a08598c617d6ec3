import { codePointLength } from '#go';
import { LibraryValue } from './library-value.ts';
import { isList, isMap } from './type-of.ts';
import { Optional } from './value.ts';
import type { CelValue } from './value.ts';

/** Returns the CEL size of a value: number of code points, bytes, elements or entries. Returns undefined for values without a size. */
export function sizeOf(value: CelValue): number | undefined {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Uint8Array) return value.length;
  return isList(value) || isMap(value) ? value.size : undefined;
}

/** Returns the number that cost formulas use as the size of a value. It is 1 for values without a size, such as numbers. */
export function costSizeOf(value: CelValue): number {
  if (typeof value === 'number' || typeof value === 'boolean') return 1;
  return sizeOf(value) ?? (value instanceof LibraryValue ? (value.costSize ?? 1) : 1);
}

/**
 * Returns the number that cost formulas use as the size of a value ({@link costSizeOf}). If `unwraps` is true, the size of an optional is
 * the size of the value in it. Source: cel-go interpreter/runtimecost.go `actualSize` (v0.29.2); v0.22.0 and earlier unwrap none.
 */
export function standardCostSizeOf(value: CelValue, unwraps: boolean): number {
  if (!unwraps) return costSizeOf(value);
  let inner: CelValue = value;
  while (inner instanceof Optional && inner.value !== undefined) inner = inner.value;
  return costSizeOf(inner);
}
