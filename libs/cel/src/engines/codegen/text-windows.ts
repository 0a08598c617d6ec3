import { js } from '../../library/code/javascript.ts';
import { STRING_SHAPE } from '../../library/code/shape.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, TextWindow } from '../../library/code/shape.ts';

/**
 * Generated code that accesses the strings of a column (list of strings that is stored as one text). Each string is a section of the text.
 */
export interface ColumnText {
  /** Expression for the whole text of the column. If the text must be decoded, the expression decodes it only once. */
  readonly text: Fragment;
  readonly unitAt: TextWindow['unitAt'];
}

/**
 * Code for the position of an element in the text of a column (a list of strings that is stored as one text). `from` and `to` are the start
 * and the exclusive end. `item` is the variable that stores the element's copied text.
 */
export interface TextPlace {
  readonly from: Fragment;
  readonly to: Fragment;
  readonly item: Fragment;
}

/**
 * Returns the operand (code and representation) for one string of a column (list of strings that is stored as one text). The code copies
 * the string from the text only if the string is needed as a value.
 */
export function textElement({ text, unitAt }: ColumnText, { from, to, item }: TextPlace): Operand {
  return { code: js`(${item} ??= ${text}.slice(${from}, ${to}))`, shape: STRING_SHAPE, window: { unitAt, from, to } };
}
