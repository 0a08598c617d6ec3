import { IntColumn } from '#go';
import type { Column, TextColumn } from '#go';
import { areDistinct } from '../write/distinct.ts';
import { areDistinctIntegers } from '../write/distinct-integers.ts';
import { areDistinctTexts } from './distinct-texts.ts';

/** Returns true if all elements of a column (a list of integers or strings in compact form) are distinct. `false` is inconclusive. */
export function isDistinctColumn(column: Column): boolean {
  const { length } = column;
  if (length <= 1) return true;
  if (column instanceof IntColumn) return areDistinctIntegers(column.values, column.bounds);
  return column.bytes === undefined ? areDistinct(stringsOf(column)) : areDistinctTexts(column.bytes, column.places, length);
}

/**
 * Returns the elements of a column as strings. Strings are needed if the text has characters beyond ASCII, because offsets in the text then
 * differ from offsets in the bytes.
 */
function stringsOf({ text, places, length }: TextColumn): readonly string[] {
  return Array.from({ length }, (_, i) => text.slice(places[2 * i], places[2 * i + 1]));
}
