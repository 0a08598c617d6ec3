import { isBinding } from '../cost/estimate.ts';
import { DYN } from '../types/type.ts';
import { emitBinding } from './bindings.ts';
import { boxed } from './boxing.ts';
import { foldKind } from './fold-kind.ts';
import { foldedValue } from './folded-value.ts';
import { js } from './javascript.ts';
import { listAccess } from './list-access.ts';
import { readRaw } from './raw-data.ts';
import { BOOL_SHAPE, INT_SHAPE, STRING_SHAPE } from './shape.ts';
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';

/**
 * What the parts of expanded macros cost that no author wrote: reading the accumulator, testing it, making a list of one and adding it.
 * Source: cel-go interpreter/runtimecost.go (v0.29.2) on the expansions of parser/macro.go.
 */
const COST = {
  /** Reading the accumulator, at the end or in a step. */
  read: 1,
  /** `@not_strictly_false(@result)` before an element. */
  allCondition: 2,
  /** `@not_strictly_false(!@result)` before an element. */
  existsCondition: 3,
  /** `@result + 1` for a match. */
  count: 2,
  /** `@result == 1` at the end. */
  countTest: 2,
  /** `@result + [x]`: reading the accumulator, making the list, adding. */
  append: 12,
  /** As above, with a constant in the list: the list is free. */
  appendConstant: 2,
} as const;

/** Iterations between two looks at cost limit and cancellation token. */
const ITERATIONS_PER_POLL = 100;

/** A comprehension as a loop. */
export function emitFold(g: Generator, node: ComprehensionExpr): Operand {
  if (isBinding(node)) return emitBinding(g, node);
  const kind = foldKind(node);
  if (kind === undefined) return g.giveUp('a comprehension of another kind');
  const loop = openLoop(g, node);
  if (loop === undefined) return g.giveUp('a comprehension over a value whose type is not known');
  switch (kind.kind) {
    case 'all':
      return emitQuantifier(g, loop, kind.predicate, { start: js`true`, condition: COST.allCondition, decides: (test) => js`!${test}` });
    case 'exists':
      return emitQuantifier(g, loop, kind.predicate, { start: js`false`, condition: COST.existsCondition, decides: (test) => test });
    case 'existsOne':
      return emitCount(g, loop, kind.predicate);
    case 'list':
      return emitList(g, node, loop, kind.element, kind.filter);
  }
}

/** A loop over a range. */
interface Loop {
  readonly index: Fragment;
  readonly size: Fragment;
  /** What `break` leaves the loop by. */
  readonly label: Fragment;
  /** Reads the round's variables, which are in scope for what `write` writes. */
  readonly round: (write: () => void) => void;
}

function openLoop(g: Generator, node: ComprehensionExpr): Loop | undefined {
  const range = g.emit(node.iterRange);
  const { shape } = range;
  g.runsLong = true;
  const index = g.names.fresh('index');
  const two = node.iterVar2;
  const rangeType = g.typeOf(node.iterRange);
  if (rangeType.kind === 'list') {
    const list = listAccess(g, range, rangeType.element);
    if (list === undefined) return undefined;
    const size = g.hold('count', list.size);
    const item = (): Operand => list.item(index);
    const position: Operand = { code: index, shape: INT_SHAPE };
    return loopOver(g, index, size, () =>
      two === undefined
        ? [[node.iterVar, item()]]
        : [
            [node.iterVar, position],
            [two, item()],
          ],
    );
  }
  if (rangeType.kind !== 'map' || shape.kind !== 'rawMap') return undefined;
  const keys = g.hold('list', js`Object.keys(${range.code})`);
  return loopOver(g, index, g.hold('count', js`${keys}.length`), () => {
    const key: Operand = { code: g.hold('key', js`${keys}[${index}]`), shape: STRING_SHAPE };
    if (two === undefined) return [[node.iterVar, key]];
    const raw = g.hold('item', js`${range.code}[${key.code}]`);
    return [
      [node.iterVar, key],
      [two, readRaw(g, raw, shape.schema.additionalProperties!, rangeType.value)],
    ];
  });
}

function loopOver(g: Generator, index: Fragment, size: Fragment, variables: () => readonly (readonly [string, Operand])[]): Loop {
  return {
    index,
    size,
    label: g.names.fresh('Loop'),
    round: (write) =>
      g.within(
        variables().map(([name, operand]) => [name, () => operand] as const),
        write,
      ),
  };
}

/** Writes the loop, in stretches after which limit and token are looked at. `breaks`: something in it breaks to its label. */
function writeLoop(g: Generator, { index, size, label, round }: Loop, breaks: boolean, write: () => void): void {
  const { writer } = g;
  const name = breaks ? js`${label}: ` : js``;
  writer.loop(js`${name}for (let ${index} = 0; ${index} < ${size}; )`, () => {
    const stop = g.hold('count', js`Math.min(${index} + ${ITERATIONS_PER_POLL}, ${size})`);
    writer.loop(js`for (; ${index} < ${stop}; ${index}++)`, () => {
      round(write);
      writer.flush();
    });
    writer.bail(js`cost > limit || Atomics.load(flag, 0) !== 0`);
  });
}

/** What tells `all` from `exists`. */
interface Quantifier {
  readonly start: Fragment;
  /** Cost of the condition before each element. */
  readonly condition: number;
  /** Whether a predicate's value ends the loop. */
  readonly decides: (test: Fragment) => Fragment;
}

/** Ends with the deciding element; the first error counts only when there is none. */
function emitQuantifier(g: Generator, loop: Loop, predicate: Expr, { start, condition, decides }: Quantifier): Operand {
  const { writer } = g;
  const result = g.names.fresh('test');
  const error = g.names.fresh('error');
  writer.line(js`let ${result} = ${start};`);
  const declare = writer.later();
  let fallible = false;
  writeLoop(g, loop, true, () => {
    writer.charge(condition + COST.read);
    const { operand, error: own } = g.attempt(() => g.emitTest(predicate));
    fallible = own !== undefined;
    writer.flush();
    if (own !== undefined) writer.line(js`if (${own} !== undefined) ${error} ??= ${own}; else`);
    const forget = own === undefined ? js`` : js`${error} = undefined; `;
    const next = js`if (${loop.index} + 1 < ${loop.size}) cost += ${condition}; `;
    writer.line(js`if (${decides(operand.code)}) { ${result} = !${start}; ${forget}${next}break ${loop.label}; }`);
  });
  writer.charge(COST.read);
  if (fallible) {
    declare(js`let ${error};`);
    writer.fail(error, js`${error} !== undefined`);
  }
  return { code: result, shape: BOOL_SHAPE };
}

/** Counts all matches; the last error of a predicate is the result. */
function emitCount(g: Generator, loop: Loop, predicate: Expr): Operand {
  const { writer } = g;
  const count = g.names.fresh('count');
  const error = g.names.fresh('error');
  writer.line(js`let ${count} = 0;`);
  const declare = writer.later();
  let fallible = false;
  writeLoop(g, loop, false, () => {
    const { operand, error: own } = g.attempt(() => g.emitTest(predicate));
    fallible = own !== undefined;
    writer.flush();
    if (own !== undefined) writer.line(js`if (${own} !== undefined) ${error} = ${own}; else`);
    writer.line(js`if (${operand.code}) { ${count}++; cost += ${COST.count}; }`);
  });
  writer.charge(COST.countTest);
  if (fallible) {
    declare(js`let ${error};`);
    writer.fail(error, js`${error} !== undefined`);
  }
  return { code: js`(${count} === 1)`, shape: BOOL_SHAPE };
}

/** Appends to a list. An error of the filter replaces one before it; one of the element does not. */
function emitList(g: Generator, node: ComprehensionExpr, loop: Loop, element: Expr, filter: Expr | undefined): Operand {
  const { writer } = g;
  const out = g.hold('out', js`[]`);
  const error = g.names.fresh('error');
  const declare = writer.later();
  let fallible = false;
  const append = (): void => {
    writer.charge(foldedValue(g, element) === undefined ? COST.append : COST.appendConstant);
    const { operand, error: own } = g.attempt(() => g.emit(element));
    const push = js`${out}.push(${boxed(g, operand)});`;
    if (own !== undefined) fallible = true;
    writer.line(own === undefined ? push : js`if (${own} !== undefined) ${error} ??= ${own}; else ${push}`);
  };
  writeLoop(g, loop, false, () => {
    if (filter === undefined) return append();
    const { operand, error: own } = g.attempt(() => g.emitTest(filter));
    if (own !== undefined) fallible = true;
    if (own !== undefined) writer.line(js`if (${own} !== undefined) ${error} = ${own};`);
    writer.branch(own === undefined ? operand.code : js`${own} === undefined && ${operand.code}`, append);
  });
  writer.charge(COST.read);
  if (fallible) {
    declare(js`let ${error};`);
    writer.fail(error, js`${error} !== undefined`);
  }
  const type = g.typeOf(node);
  return { code: out, shape: { kind: 'array', element: type.kind === 'list' ? type.element : DYN } };
}
