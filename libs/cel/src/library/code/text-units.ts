import { joined, js } from './javascript.ts';
import type { Fragment } from './javascript.ts';
import type { Operand, TextWindow } from './shape.ts';

/**
 * Maximum length, in UTF-16 units, of a short constant. Generated code compares a short constant with a text one unit at a time. V8 inlines
 * such a comparison.
 */
export const SHORT_TEXT = 12;

/** Returns generated code that computes the number of UTF-16 units of a string. The string may be a part of a longer text (`window`). */
export function unitCount({ code, window }: Operand): Fragment {
  return window === undefined ? js`${code}.length` : js`(${window.to} - ${window.from})`;
}

/**
 * Returns code that tests if a string begins (`end` is `from`) or ends (`end` is `to`) with a constant. Each fragment compares one UTF-16
 * unit. If the string is a part of a longer text (`window`), the code reads that text and does not copy the string.
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
 * Returns generated code that tests if a text equals a constant. `code` is generated code of this constant. The test compares the lengths
 * first, which decides most cases. If the text is a part of a longer text (`window`) and the constant is short, the test does not copy the
 * text.
 */
export function sameText(text: Operand, constant: string, code: Fragment): Fragment {
  const isInPlace = text.window !== undefined && constant.length <= SHORT_TEXT;
  const units = isInPlace ? unitTests(text, constant, 'from') : [js`${text.code} === ${code}`];
  return joined([js`${unitCount(text)} === ${constant.length}`, ...units], ' && ');
}
