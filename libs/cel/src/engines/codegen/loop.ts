import { entryKeys } from '#go';
import type { CallExpr, ComprehensionExpr, Expr } from '../../language/syntax/ast.ts';
import { js } from '../../library/code/javascript.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import { INT_SHAPE, STRING_SHAPE } from '../../library/code/shape.ts';
import type { Operand } from '../../library/code/shape.ts';
import { EXPANSION, OPERATOR } from '../../library/names.ts';
import { DYN, INT } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import { entriesOf, entryPairsOf } from '../interpret/fold-node.ts';
import { boxed, isError, unboxed } from './boxing.ts';
import type { Generator } from './generator.ts';
import { listAccess } from './list-access.ts';
import { readRaw } from './raw-data.ts';

/** Number of iterations between two checks of the cost limit and the cancellation token. */
const ITERATIONS_PER_POLL = 100;

/** Code of a loop over the list or map of a comprehension. */
export interface Loop {
  readonly index: Fragment;
  readonly size: Fragment;
  /** Label of the loop for `break` statements. */
  readonly label: Fragment;
  /** Emits code that reads the iteration variables, and then runs `write` with these variables in scope. */
  readonly round: (write: () => void) => void;
}

/** Emits the list or map of a comprehension, and returns a loop over it. */
export function openLoop(g: Generator, node: ComprehensionExpr): Loop {
  const range = g.emit(node.iterRange);
  const { shape } = range;
  g.runsLong = true;
  const index = g.names.fresh('index');
  const two = node.iterVar2;
  const rangeType = g.typeOf(node.iterRange);
  const list = rangeType.kind === 'list' ? listAccess(g, range, rangeType.element) : undefined;
  if (list !== undefined) {
    const position: Operand = { code: index, shape: INT_SHAPE };
    return loopOver(g, index, g.hold('count', list.size), () =>
      two === undefined
        ? [[node.iterVar, list.item(index)]]
        : [
            [node.iterVar, position],
            [two, list.item(index)],
          ],
    );
  }
  if (rangeType.kind !== 'map' || shape.kind !== 'rawMap') return loopOverMade(g, node, range, index);
  const keys = g.hold('list', js`${g.constants.name(entryKeys)}(${range.code})`);
  return loopOver(g, index, g.hold('count', js`${keys}.length`), () => {
    const key: Operand = { code: g.hold('key', js`${keys}[${index}]`), shape: STRING_SHAPE, isPlain: g.isValid };
    if (two === undefined) return [[node.iterVar, key]];
    const raw = g.hold('item', js`${range.code}[${key.code}]`);
    return [
      [node.iterVar, key],
      [two, readRaw(g, raw, shape.schema.additionalProperties!, rangeType.value)],
    ];
  });
}

/**
 * Returns a loop over the list or map of a comprehension. A CEL operation has created the range, or its type is known only at run time. The
 * entries of the range are copied before the loop.
 */
function loopOverMade(g: Generator, node: ComprehensionExpr, range: Operand, index: Fragment): Loop {
  const { iterVar, iterVar2: two } = node;
  const entries = g.hold('value', js`${g.constants.name(two === undefined ? entriesOf : entryPairsOf)}(run, ${boxed(g, range)})`);
  g.writer.fail(entries, isError(g, entries));
  const [firstType, secondType] = variableTypes(g.typeOf(node.iterRange), two !== undefined);
  const variable = (list: Fragment, type: CelType): Operand => {
    const item = g.hold('item', js`${list}[${index}]`);
    g.writer.bail(isError(g, item));
    return unboxed(g, item, type);
  };
  return loopOver(g, index, g.hold('count', js`${entries}.first.length`), () => {
    const first: readonly [string, Operand] = [iterVar, variable(js`${entries}.first`, firstType)];
    return two === undefined ? [first] : [first, [two, variable(js`${entries}.second`, secondType)]];
  });
}

/** Returns the types of a comprehension's iteration variables, derived from the type of its range. */
function variableTypes(range: CelType, two: boolean): readonly [first: CelType, second: CelType] {
  if (range.kind === 'map') return [range.key, range.value];
  if (range.kind === 'list') return two ? [INT, range.element] : [range.element, DYN];
  return [DYN, DYN];
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

/**
 * Emits a loop that runs in batches of iterations. After each batch, the emitted code adds the constant cost of all iterations of the
 * batch, and tests the cost limit and the cancellation token. `write` emits the body of the loop. Its parameter `settle` returns code that
 * must run before a `break` and adds the constant cost of the iterations so far. `body` says if the body contains a `break`.
 */
export function writeLoop(
  g: Generator,
  { index, size, label, round }: Loop,
  body: 'withBreak' | 'withoutBreak',
  write: (settle: () => Fragment) => void,
): void {
  const { writer } = g;
  const name = body === 'withBreak' ? js`${label}: ` : js``;
  writer.loop(js`${name}for (let ${index} = 0; ${index} < ${size}; )`, () => {
    const start = g.hold('index', js`${index}`);
    const stop = g.hold('count', js`Math.min(${start} + ${ITERATIONS_PER_POLL}, ${size})`);
    let units = 0;
    const settle = (): Fragment => {
      units += writer.take();
      return units === 0 ? js`` : js`cost += ${units} * (${index} + 1 - ${start}); `;
    };
    writer.loop(js`for (; ${index} < ${stop}; ${index}++)`, () => {
      round(() => write(settle));
      units += writer.take();
    });
    if (units > 0) writer.line(js`cost += ${units} * (${stop} - ${start});`);
    writer.bail(js`cost > limit || token.cancelled`);
  });
}

/**
 * Emits code that tests the filter of a loop in each iteration. `write` emits the code that runs if the filter is true. If the filter
 * fails, the code stores the error in `error`, in place of an earlier error. Returns true if the filter can fail.
 */
export function emitFiltered(g: Generator, filter: Expr, error: Fragment, write: () => void): boolean {
  const { writer } = g;
  const { operand, error: own } = g.attempt(() => g.emitTest(filter));
  if (own !== undefined) writer.line(js`if (${own} !== undefined) ${error} = ${own};`);
  writer.branch(own === undefined ? operand.code : js`${own} === undefined && ${operand.code}`, write);
  return own !== undefined;
}

/** The macro from which a comprehension was expanded, with the arguments of the macro call. */
export type FoldKind =
  | { readonly kind: 'all' | 'exists' | 'existsOne'; readonly predicate: Expr }
  /** Macro `map`, `filter` or `transformList`, with the element to append for each entry that passes the filter. */
  | { readonly kind: 'list'; readonly element: Expr; readonly filter: Expr | undefined }
  /** Macro `transformMap` or `transformMapEntry`, with the call that inserts into the result map for each entry that passes the filter. */
  | { readonly kind: 'map'; readonly insert: CallExpr; readonly filter: Expr | undefined };

/**
 * Returns the macro of `syntax/macros` from which a comprehension was expanded. Returns undefined if the comprehension has another form.
 */
export function foldKind(node: ComprehensionExpr): FoldKind | undefined {
  const { accuInit, loopStep } = node;
  if (loopStep.kind !== 'call') return undefined;
  const unfiltered = loopStep.function === OPERATOR.conditional ? loopStep.args[1]! : loopStep;
  if (accuInit.kind === 'list') return listKind(unfiltered, filterOf(loopStep));
  if (accuInit.kind === 'map') return mapKind(unfiltered, filterOf(loopStep));
  if (accuInit.kind !== 'constant') return undefined;
  switch (loopStep.function) {
    case OPERATOR.and:
      return { kind: 'all', predicate: loopStep.args[1]! };
    case OPERATOR.or:
      return { kind: 'exists', predicate: loopStep.args[1]! };
    case OPERATOR.conditional:
      return { kind: 'existsOne', predicate: loopStep.args[0]! };
    default:
      return undefined;
  }
}

function filterOf(step: Expr): Expr | undefined {
  return step.kind === 'call' && step.function === OPERATOR.conditional ? step.args[0] : undefined;
}

function listKind(append: Expr, filter: Expr | undefined): FoldKind | undefined {
  if (append.kind !== 'call' || append.function !== OPERATOR.add) return undefined;
  const added = append.args[1];
  return added?.kind === 'list' && added.elements.length === 1 ? { kind: 'list', element: added.elements[0]!, filter } : undefined;
}

function mapKind(insert: Expr, filter: Expr | undefined): FoldKind | undefined {
  return insert.kind === 'call' && insert.function === EXPANSION.mapInsert ? { kind: 'map', insert, filter } : undefined;
}
