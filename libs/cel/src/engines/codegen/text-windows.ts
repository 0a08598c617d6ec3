import { js } from '../../library/code/javascript.ts';
import { STRING_SHAPE } from '../../library/code/shape.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, TextWindow } from '../../library/code/shape.ts';

/** Code that accesses the texts of a column. */
export interface ColumnText {
  /** Expression for the whole text of the column. If the text must be decoded, the expression decodes it only once. */
  readonly text: Fragment;
  readonly unitAt: TextWindow['unitAt'];
}

/** Code for the start and the end of an element's text in the column, and the variable that stores the copied text. */
export interface TextPlace {
  readonly from: Fragment;
  readonly to: Fragment;
  readonly item: Fragment;
}

/**
 * Returns an operand for an element of a text column. The element's text is copied from the column only if the code needs it as a value.
 */
export function textElement({ text, unitAt }: ColumnText, { from, to, item }: TextPlace): Operand {
  return { code: js`(${item} ??= ${text}.slice(${from}, ${to}))`, shape: STRING_SHAPE, window: { unitAt, from, to } };
}
