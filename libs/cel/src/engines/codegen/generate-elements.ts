import type { Column } from '#go';
import { emitNode } from './emit.ts';
import { boxed } from './boxing.ts';
import { Generator, TOO_LONG } from './generator.ts';
import { ANY_DATA, isTooLong } from './generate.ts';
import { joined, js } from '../../library/code/javascript.ts';
import { INT_SHAPE } from '../../library/code/shape.ts';
import { textElement } from './text-windows.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import type { Generated } from './generate.ts';
import type { ColumnText } from './text-windows.ts';
import type { Operand } from '../../library/code/shape.ts';
import type { Fragment } from '../../library/code/javascript.ts';

/**
 * Code that reads the elements of a column one after another as `self`. A column is a long list of integers or texts that is read in place.
 */
interface ElementCode {
  /** Declarations for the whole column, which run once before the loop. */
  readonly column: Fragment;
  /** Declarations for the element at index `i`, which run in each iteration. */
  readonly element: Fragment;
  readonly self: Operand;
}

/** Returns the code that reads the elements of a text column, in which each element is a part of one common text. */
const texts = (column: Fragment, text: ColumnText): ElementCode => ({
  column,
  element: js`const from = places[2 * i], to = places[2 * i + 1]; let self;`,
  self: textElement(text, { from: js`from`, to: js`to`, item: js`self` }),
});

const ELEMENTS: Readonly<Record<Column['layout'], ElementCode>> = {
  ints: {
    column: js`const values = column.values, count = values.length;`,
    element: js`const self = values[i];`,
    self: { code: js`self`, shape: INT_SHAPE },
  },
  bytes: texts(js`const bytes = column.bytes, places = column.places, count = column.length; let text;`, {
    text: js`(text ??= column.text)`,
    unitAt: (at) => js`bytes[${at}]`,
  }),
  text: texts(js`const text = column.text, places = column.places, count = column.length;`, {
    text: js`text`,
    unitAt: (at) => js`text.charCodeAt(${at})`,
  }),
};

/** Number of elements between two checks of the cancellation token. */
const ELEMENTS_PER_POLL = 1000;

/**
 * Generates a function that evaluates a rule for all elements of a column in one loop, with each element as `self`. A column is a long list
 * of scalars that is read in place. The function returns true, and stores the total cost, if the rule is true for every element and no
 * evaluation exceeds the cost limit. For any other outcome it returns false, an error, or undefined.
 */
export function generateElements(checked: CheckedExpression, environment: Environment, layout: Column['layout']): Generated {
  const g = new Generator({ checked, environment, ...ANY_DATA }, emitNode);
  const { column, element, self } = ELEMENTS[layout];
  const value = g.within([['self', () => self]], () => boxed(g, g.emit(checked.root)));
  if (g.obstacle !== undefined) return { ok: false, obstacle: g.obstacle };
  g.writer.flush();
  const head = joined(
    [
      ...g.constants.declarations(),
      js`return function elements(column, none, limit, token, run) {`,
      column,
      js`let total = 0;
for (let i = 0; i < count; ) {
const stop = Math.min(i + ${ELEMENTS_PER_POLL}, count);
for (; i < stop; i++) {
let cost = 0;`,
      element,
    ],
    '\n',
  );
  const tail = js`if (${value} !== true || cost > limit) return false;
total += cost;
}
if (token.cancelled) return undefined;
}
run.cost = total;
return true;
};`;
  const source = `"use strict";\n${head.source}\n${g.writer.source()}\n${tail.source}`;
  if (isTooLong(source)) return { ok: false, obstacle: TOO_LONG };
  return { ok: true, source, constants: g.constants.values, runsLong: true };
}
