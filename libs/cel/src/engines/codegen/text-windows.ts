import { js } from '../../library/code/javascript.ts';
import { STRING_SHAPE } from '../../library/code/shape.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, TextWindow } from '../../library/code/shape.ts';

/** What a column of texts is read from. */
export interface ColumnText {
  /** The text, which may have to be made first: an expression that does so once. */
  readonly text: Fragment;
  readonly unitAt: TextWindow['unitAt'];
}

/** Where an element stands, and the variable that takes it once something needs it as a value. */
export interface TextPlace {
  readonly from: Fragment;
  readonly to: Fragment;
  readonly item: Fragment;
}

/** An element of a column of texts: cut out of its text when something needs it as a value. */
export function textElement({ text, unitAt }: ColumnText, { from, to, item }: TextPlace): Operand {
  return { code: js`(${item} ??= ${text}.slice(${from}, ${to}))`, shape: STRING_SHAPE, window: { unitAt, from, to } };
}
