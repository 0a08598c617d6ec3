import { joined, js } from './javascript.ts';
import type { Fragment } from './javascript.ts';
import type { Operand, TextWindow } from './shape.ts';

/** Constants of up to this many UTF-16 units are compared unit by unit, which V8 keeps inline. */
export const SHORT_TEXT = 12;

/** Returns the number of UTF-16 units of a string, in code. */
export function unitCount({ code, window }: Operand): Fragment {
  return window === undefined ? js`${code}.length` : js`(${window.to} - ${window.from})`;
}

/** Tests that the units at an end of a string are those of a constant. A string in a column is looked at where it stands. */
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
 * Returns a test if a text equals a constant. The length excludes most texts without a call, and texts in columns
 * without a copy.
 */
export function sameText(text: Operand, constant: string, code: Fragment): Fragment {
  const isInPlace = text.window !== undefined && constant.length <= SHORT_TEXT;
  const units = isInPlace ? unitTests(text, constant, 'from') : [js`${text.code} === ${code}`];
  return joined([js`${unitCount(text)} === ${constant.length}`, ...units], ' && ');
}
