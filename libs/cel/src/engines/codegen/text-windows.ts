import { js } from '../../library/code/javascript.ts';
import { STRING_SHAPE } from '../../library/code/shape.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, TextWindow } from '../../library/code/shape.ts';

/** Access to the texts of a column. */
export interface ColumnText {
  /** The text, which may have to be made first: an expression that does so once. */
  readonly text: Fragment;
  readonly unitAt: TextWindow['unitAt'];
}

/** Position of an element, and the variable for its value once code needs it. */
export interface TextPlace {
  readonly from: Fragment;
  readonly to: Fragment;
  readonly item: Fragment;
}

/** Returns an element of a column of texts: cut out of its text when something needs it as a value. */
export function textElement({ text, unitAt }: ColumnText, { from, to, item }: TextPlace): Operand {
  return { code: js`(${item} ??= ${text}.slice(${from}, ${to}))`, shape: STRING_SHAPE, window: { unitAt, from, to } };
}
