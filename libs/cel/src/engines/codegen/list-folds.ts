import { js } from '../../library/code/javascript.ts';
import { CHAIN, LIST_CREATION, UNSTATED_CALL } from '../../library/step-prices.ts';
import { DYN } from '../../values/types/type.ts';
import { boxed } from './boxing.ts';
import { foldedValue } from './folded-value.ts';
import { emitFiltered, writeLoop } from './loop.ts';
import type { FoldKind, Loop } from './loop.ts';
import type { ComprehensionExpr } from '../../language/syntax/ast.ts';
import type { CaughtOperand, Generator } from './generator.ts';
import type { Operand } from '../../library/code/shape.ts';

/**
 * Costs of the parts that the expansion of `map`, `filter` and `transformList` adds. Source: cel-go
 * interpreter/runtimecost.go (v0.29.2) on the expansions of parser/macro.go.
 */
const COST = {
  /** Cost of reading the accumulator after the loop. */
  read: CHAIN,
  /** Cost of `@result + [x]`: reading the accumulator, creating the list, and adding. */
  append: CHAIN + LIST_CREATION + UNSTATED_CALL,
  /** Cost of `@result + [x]` if `x` is a constant. Creating the list `[x]` then costs nothing. */
  appendConstant: CHAIN + UNSTATED_CALL,
} as const;

/** A comprehension that creates a list. */
export type ListFold = Extract<FoldKind, { readonly kind: 'list' }>;

/** Emits a comprehension that creates a list from the elements that its iterations append. */
export function emitList(g: Generator, node: ComprehensionExpr, loop: Loop, fold: ListFold): Operand {
  const { writer } = g;
  const everyRound = fold.filter === undefined;
  // Without a filter, the size of the result is known. Allocating a long list at once takes half the time of appending its elements.
  const out = g.hold('out', everyRound ? js`new Array(${loop.size})` : js`[]`);
  emitElementLoop(g, loop, fold, (element) => {
    const value = boxed(g, element);
    writer.line(everyRound ? js`${out}[${loop.index}] = ${value};` : js`${out}.push(${value});`);
  });
  const type = g.typeOf(node);
  return { code: out, shape: { kind: 'array', element: type.kind === 'list' ? type.element : DYN } };
}

/**
 * Emits the loop of a comprehension that creates a list. `take` writes the code that uses an element. An error of the filter expression
 * replaces an earlier error. An error of the element expression is ignored if there is an earlier error.
 */
export function emitElementLoop(g: Generator, loop: Loop, { element, filter }: ListFold, take: (element: Operand) => void): void {
  const { writer } = g;
  const error = g.names.fresh('error');
  const declare = writer.later();
  let fallible = false;
  const price = foldedValue(g, element) === undefined ? COST.append : COST.appendConstant;
  const takeOrFail = ({ operand, error: own }: CaughtOperand): void => {
    if (own === undefined) return take(operand);
    fallible = true;
    writer.branch(
      js`${own} === undefined`,
      () => take(operand),
      () => writer.line(js`${error} ??= ${own};`),
    );
  };
  const append = (): void => {
    writer.charge(price);
    takeOrFail(g.attempt(() => g.emit(element)));
  };
  /** Appends as a server does since 1.38: after an error, reading the accumulator ends the call. */
  const appendUntilError = (): void => {
    writer.charge(COST.read);
    writer.branch(js`${error} === undefined`, () =>
      takeOrFail(
        g.attempt(() => {
          const emitted = g.emit(element);
          writer.charge(price - COST.read);
          return emitted;
        }),
      ),
    );
  };
  const write = g.failuresEndCalls ? appendUntilError : append;
  writeLoop(g, loop, 'withoutBreak', () => {
    if (filter === undefined) write();
    else if (emitFiltered(g, filter, error, write)) fallible = true;
  });
  writer.charge(COST.read);
  if (fallible || g.failuresEndCalls) declare(js`let ${error};`);
  if (!fallible) return;
  writer.fail(error, js`${error} !== undefined`);
}
