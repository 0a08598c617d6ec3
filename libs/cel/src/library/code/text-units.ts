import { joined, js } from './javascript.ts';
import type { Fragment } from './javascript.ts';
import type { Operand, TextWindow } from './shape.ts';

/** Maximum length of a constant, in UTF-16 units, that is compared unit by unit. V8 keeps such a comparison inline. */
export const SHORT_TEXT = 12;

/** Returns code for the number of UTF-16 units of a string. */
export function unitCount({ code, window }: Operand): Fragment {
  return window === undefined ? js`${code}.length` : js`(${window.to} - ${window.from})`;
}

/**
 * Returns tests that the units at the start or the end of a string are those of a constant. A string in a column is read at its position,
 * without being copied.
 */
export function unitTests({ code, window }: Operand, constant: string, end: keyof Pick<TextWindow, 'from' | 'to'>): Fragment[] {
  const { length } = constant;
  const unitAt = window?.unitAt ?? ((at: Fragment): Fragment => js`${code}.charCodeAt(${at})`);
  const offset = (i: number): Fragment => {
    if (end === 'to') return js`${window?.to ?? js`${code}.length`} - ${length - i}`;
    return window === undefined ? js`${i}` : js`${window.from} + ${i}`;
  };
  return Array.from({ length }, (_, i) => js`${unitAt(offset(i))} === ${constant.charCodeAt(i)}`);
}

/**
 * Returns a test whether a text equals a constant. The test of the length excludes most texts without a call. Texts in columns are excluded
 * without being copied.
 */
export function sameText(text: Operand, constant: string, code: Fragment): Fragment {
  const isInPlace = text.window !== undefined && constant.length <= SHORT_TEXT;
  const units = isInPlace ? unitTests(text, constant, 'from') : [js`${text.code} === ${code}`];
  return joined([js`${unitCount(text)} === ${constant.length}`, ...units], ' && ');
}
