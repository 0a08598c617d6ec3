import { joined, js } from './javascript.ts';
import type { Fragment } from './javascript.ts';
import type { Operand, TextWindow } from './shape.ts';

/**
 * Maximum length, in UTF-16 units, of a constant that generated code compares with a text unit by unit. V8 inlines such a short comparison.
 */
export const SHORT_TEXT = 12;

/** Returns code for the number of UTF-16 units of a string. */
export function unitCount({ code, window }: Operand): Fragment {
  return window === undefined ? js`${code}.length` : js`(${window.to} - ${window.from})`;
}

/**
 * Returns tests that the first or last units of a string equal the units of a constant. If the string is a part of a longer text
 * (`window`), the tests read it there and do not copy it.
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
 * Returns a test whether a text equals a constant. The test compares the lengths first, which decides most cases. If the text is a part of
 * a longer text (`window`) and the constant is short, the test does not copy the text.
 */
export function sameText(text: Operand, constant: string, code: Fragment): Fragment {
  const isInPlace = text.window !== undefined && constant.length <= SHORT_TEXT;
  const units = isInPlace ? unitTests(text, constant, 'from') : [js`${text.code} === ${code}`];
  return joined([js`${unitCount(text)} === ${constant.length}`, ...units], ' && ');
}
