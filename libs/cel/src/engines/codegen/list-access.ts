import { isList } from '../../values/type-of.ts';
import { isError, unboxed } from './boxing.ts';
import { js } from '../../library/code/javascript.ts';
import { readRaw } from './raw-data.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand } from '../../library/code/shape.ts';

/** How generated code reads a list. */
export interface ListAccess {
  readonly size: Fragment;
  /** Reads the element at an index within the list. */
  item(index: Fragment): Operand;
}

/** Access to a list in any of its shapes; undefined for what is no list. */
export function listAccess(g: Generator, { code, shape }: Operand, element: CelType): ListAccess | undefined {
  switch (shape.kind) {
    case 'rawList':
      return {
        size: js`${code}.length`,
        item: (index) => readRaw(g, g.hold('item', js`${code}[${index}]`), shape.schema.items!, element),
      };
    case 'array':
      return { size: js`${code}.length`, item: (index) => unboxed(g, g.hold('item', js`${code}[${index}]`), element) };
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
    default:
      return undefined;
  }
}
