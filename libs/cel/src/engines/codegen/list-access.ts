import { isList } from '../../values/type-of.ts';
import { isError, unboxed } from './boxing.ts';
import { js } from '../../library/code/javascript.ts';
import { readRaw } from './raw-data.ts';
import { textElement } from './text-windows.ts';
import { INT_SHAPE } from '../../library/code/shape.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand } from '../../library/code/shape.ts';

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
