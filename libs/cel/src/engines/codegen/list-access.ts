import { js } from '../../library/code/javascript.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import { INT_SHAPE, STRING_SHAPE } from '../../library/code/shape.ts';
import type { Operand, TextWindow } from '../../library/code/shape.ts';
import { isList } from '../../values/type-of.ts';
import type { CelType } from '../../values/types/type.ts';
import { isError, unboxed } from './boxing.ts';
import type { Generator } from './generator.ts';
import { readRaw } from './raw-data.ts';

/** Code for the size and the elements of a list. */
export interface ListAccess {
  readonly size: Fragment;
  /** Emits a read of the element at an index, which must be within the list. */
  item(index: Fragment): Operand;
}

/**
 * Returns code that reads the size and the elements of a list. The code depends on the operand's shape, which states how the generated code
 * stores the list. Returns undefined if the operand is not a list.
 */
export function listAccess(g: Generator, { code, shape }: Operand, element: CelType): ListAccess | undefined {
  switch (shape.kind) {
    case 'rawList':
      return {
        size: js`${code}.length`,
        item: (index) => readRaw(g, g.hold('item', js`${code}[${index}]`), shape.schema.items!, element),
      };
    case 'array':
      return { size: js`${code}.length`, item: (index) => unboxed(g, g.hold('item', js`${code}[${index}]`), element) };
    case 'intColumn': {
      const values = g.hold('list', js`${code}.values`);
      return { size: js`${values}.length`, item: (index) => ({ code: g.hold('item', js`${values}[${index}]`), shape: INT_SHAPE }) };
    }
    case 'textColumn':
      return textAccess(g, code);
    case 'value':
      if (shape.type.kind !== 'list') return undefined;
      g.writer.bail(js`!${g.constants.name(isList)}(${code})`);
      return {
        size: js`${code}.size`,
        item(index) {
          const found = g.hold('item', js`${code}.at(${index})`);
          g.writer.bail(isError(g, found));
          return unboxed(g, found, element);
        },
      };
    case 'bool':
    case 'counted':
    case 'double':
    case 'int':
    case 'optional':
    case 'rawMap':
    case 'rawObject':
    case 'string':
      return undefined;
  }
}

/**
 * Returns code that accesses the texts of a column, whose elements are parts of one common text. The code reads a text at its position in
 * the column, and does not copy it.
 */
function textAccess(g: Generator, column: Fragment): ListAccess {
  const made = g.declare('value', js`undefined`);
  const bytes = g.hold('value', js`${column}.bytes`);
  const places = g.hold('list', js`${column}.places`);
  const text = js`(${made} ??= ${column}.text)`;
  const unitAt = (at: Fragment): Fragment => js`(${bytes} === undefined ? ${text}.charCodeAt(${at}) : ${bytes}[${at}])`;
  return {
    size: js`${places}.length / 2`,
    item(index) {
      const from = g.hold('index', js`${places}[2 * ${index}]`);
      const to = g.hold('index', js`${places}[2 * ${index} + 1]`);
      return textElement({ text, unitAt }, { from, to, item: g.declare('item', js`undefined`) });
    },
  };
}

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
