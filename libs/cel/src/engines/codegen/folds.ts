import { isBinding } from '../../language/syntax/macro-folds.ts';
import { CHAIN, UNSTATED_CALL } from '../../library/step-prices.ts';
import { foldKind, openLoop, writeLoop } from './loop.ts';
import type { Loop } from './loop.ts';
import { js } from '../../library/code/javascript.ts';
import { emitList } from './list-folds.ts';
import { emitMapFold } from './map-folds.ts';
import { BOOL_SHAPE } from '../../library/code/shape.ts';
import type { ComprehensionExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand } from '../../library/code/shape.ts';
import { EXPANSION, isAccumulator, OPERATOR } from '../../library/names.ts';
import { DYN, optionalOf } from '../../values/types/type.ts';
import { boxed } from './boxing.ts';
import type { CelType } from '../../values/types/type.ts';
import type { CodeBlock } from './code-writer.ts';
import { withCode } from './generator.ts';

/**
 * Costs of the parts that the expansion of a macro adds, such as reading and testing the accumulator. Source: cel-go
 * interpreter/runtimecost.go (v0.29.2) on the expansions of parser/macro.go.
 */
const COST = {
  /** Cost, in cost units, of reading the accumulator of a macro once, in the loop step or after the loop. */
  read: CHAIN,
  /** Cost of `@not_strictly_false(@result)`, which is evaluated before each element of `all`. */
  allCondition: CHAIN + UNSTATED_CALL,
  /** Cost of `@not_strictly_false(!@result)`, which is evaluated before each element of `exists`. */
  existsCondition: CHAIN + 2 * UNSTATED_CALL,
  /** Cost of `@result + 1`, which is evaluated for each element that matches the predicate. */
  count: CHAIN + UNSTATED_CALL,
  /** Cost of `@result == 1`, which is evaluated after the loop. */
  countTest: CHAIN + UNSTATED_CALL,
} as const;

/** Emits code that runs a comprehension as a loop. Returns the operand that holds the result. */
export function emitFold(g: Generator, node: ComprehensionExpr): Operand {
  if (isBinding(node)) return emitBinding(g, node);
  const kind = foldKind(node);
  if (kind === undefined) return g.giveUp('a comprehension of another kind');
  const loop = openLoop(g, node);
  switch (kind.kind) {
    case 'all':
      return emitQuantifier(g, loop, kind.predicate, { start: js`true`, condition: COST.allCondition, decides: (test) => js`!${test}` });
    case 'exists':
      return emitQuantifier(g, loop, kind.predicate, { start: js`false`, condition: COST.existsCondition, decides: (test) => test });
    case 'existsOne':
      return emitCount(g, loop, kind.predicate);
    case 'list':
      return emitList(g, node, loop, kind);
    case 'map':
      return emitMapFold(g, node, loop, kind);
  }
}

/** The differences in code and cost between the macros `all` and `exists`. `start` is the initial value of the result. */
interface Quantifier {
  readonly start: Fragment;
  /** Cost of the loop condition that is evaluated before each element. */
  readonly condition: number;
  /** Returns code that is true if the predicate's value `test` decides the result of the macro and so ends the loop. */
  readonly decides: (test: Fragment) => Fragment;
}

/**
 * Emits the macro `all` or `exists`. The loop ends at the first element whose predicate decides the result. If no element decides the
 * result, the result is the first error, if there was one.
 */
function emitQuantifier(g: Generator, loop: Loop, predicate: Expr, { start, condition, decides }: Quantifier): Operand {
  const { writer } = g;
  const result = g.names.fresh('test');
  const error = g.names.fresh('error');
  writer.line(js`let ${result} = ${start};`);
  const declare = writer.later();
  let fallible = false;
  writeLoop(g, loop, 'withBreak', (settle) => {
    writer.charge(condition + COST.read);
    const { operand, error: own } = g.attempt(() => g.emitTest(predicate));
    fallible = own !== undefined;
    const spent = settle();
    if (own !== undefined) writer.line(js`if (${own} !== undefined) ${error} ??= ${own}; else`);
    const forget = own === undefined ? js`` : js`${error} = undefined; `;
    const next = js`if (${loop.index} + 1 < ${loop.size}) cost += ${condition}; `;
    writer.line(js`if (${decides(operand.code)}) { ${result} = !${start}; ${forget}${spent}${next}break ${loop.label}; }`);
  });
  writer.charge(COST.read);
  if (fallible) {
    declare(js`let ${error};`);
    writer.fail(error, js`${error} !== undefined`);
  }
  return { code: result, shape: BOOL_SHAPE };
}

/**
 * Emits a loop that counts all elements for which the predicate is true. If the predicate fails for any element, the last error is the
 * result.
 */
function emitCount(g: Generator, loop: Loop, predicate: Expr): Operand {
  const { writer } = g;
  const count = g.names.fresh('count');
  const error = g.names.fresh('error');
  writer.line(js`let ${count} = 0;`);
  const declare = writer.later();
  let fallible = false;
  writeLoop(g, loop, 'withoutBreak', () => {
    const { operand, error: own } = g.attempt(() => g.emitTest(predicate));
    fallible = own !== undefined;
    if (own !== undefined) writer.line(js`if (${own} !== undefined) ${error} = ${own}; else`);
    // Since 1.38, the addition to the count costs nothing if an earlier element failed. Only the reading of the count costs.
    const endsEarly = own !== undefined && g.failuresEndCalls;
    const units = endsEarly ? js`${error} === undefined ? ${COST.count} : ${COST.read}` : js`${COST.count}`;
    writer.line(js`if (${operand.code}) { ${count}++; cost += ${units}; }`);
  });
  writer.charge(COST.countTest);
  if (fallible) {
    declare(js`let ${error};`);
    writer.fail(error, js`${error} !== undefined`);
  }
  return { code: js`(${count} === 1)`, shape: BOOL_SHAPE };
}

/**
 * Emits a variable that a macro such as `optMap` or `optFlatMap` binds to a value. The value is computed at the first use of the variable.
 * Therefore, each use that may be the first use tests whether the value has been computed.
 */
function emitBinding(g: Generator, node: ComprehensionExpr): Operand {
  const { accuVar, accuInit, result } = node;
  if (mayBeList(g.typeOf(accuInit)) && addsToLists(g, result)) return g.giveUp('addition to a bound list');
  if (g.environment.semantics.accumulatorsAreEager) {
    // Kubernetes then computes the value even if nothing reads it. The generator supports only the value of a non-empty optional, which
    // cannot fail.
    if (!isOptionalValue(accuInit)) return g.giveUp('a binding to what may fail');
    const initial = g.emit(accuInit);
    return g.within([[accuVar, () => initial]], () => g.emit(result));
  }
  const names = g.namesInScope();
  const bound = g.names.fresh('value');
  const error = g.names.fresh('error');
  g.writer.line(js`let ${bound};`);
  const declare = g.writer.later();
  const home = g.writer.scope;
  const readIn: CodeBlock[] = [];
  let operand: Operand | undefined;
  let fallible = false;
  const compute = (): void => {
    const attempt = g.inScope(names, () => g.attempt(() => asHeld(g, g.emit(accuInit))));
    fallible ||= attempt.error !== undefined;
    if (attempt.error !== undefined) g.writer.line(js`${error} = ${attempt.error};`);
    g.writer.line(js`${bound} = ${attempt.operand.code};`);
    operand = withCode(attempt.operand, bound);
  };
  const read = (): Operand => {
    if (readIn.some((scope) => g.writer.isWithin(scope))) {
      if (readIn[0] === home && fallible) g.writer.fail(error, js`${error} !== undefined`);
      return operand!;
    }
    if (readIn.length > 0 || g.writer.loopsBelow(home)) {
      const unknown = fallible ? js`${bound} === undefined && ${error} === undefined` : js`${bound} === undefined`;
      g.writer.branch(unknown, compute);
    } else compute();
    if (fallible) g.writer.fail(error, js`${error} !== undefined`);
    readIn.push(g.writer.scope);
    return operand!;
  };
  if (!isOptionalValue(accuInit)) {
    // The generator supports only one other binding: that of `sortBy`, whose call reads the bound list before anything else.
    if (result.kind !== 'call' || result.target?.kind !== 'ident' || result.target.name !== accuVar)
      return g.giveUp('a binding that may not be read');
    compute();
    readIn.push(home);
  }
  const value = g.within([[accuVar, read]], () => g.emit(result));
  if (fallible) declare(js`let ${error};`);
  return value;
}

const isOptionalValue = (node: Expr): boolean => node.kind === 'call' && node.function === EXPANSION.value;

/**
 * Returns an {@link Operand} for a variable in which undefined means "not computed yet". Converts an optional to a CEL value, so that
 * undefined has no other meaning.
 */
function asHeld(g: Generator, operand: Operand): Operand {
  if (operand.shape.kind !== 'optional') return operand;
  return { code: g.hold('value', boxed(g, operand)), shape: { kind: 'value', type: optionalOf(DYN) } };
}

const mayBeList = ({ kind }: CelType): boolean => kind === 'list' || kind === 'dyn' || kind === 'any' || kind === 'typeParameter';

/**
 * Returns true if a macro in an expression appends to a list. If an empty list is bound to a variable, upstream and the interpreter append
 * to it in place. Generated code cannot do this.
 */
function addsToLists(g: Generator, node: Expr): boolean {
  const some = (...parts: readonly Expr[]): boolean => parts.some((part) => addsToLists(g, part));
  switch (node.kind) {
    case 'constant':
    case 'ident':
      return false;
    case 'select':
      return some(node.operand);
    case 'call': {
      const [left] = node.args;
      const isMacro = left?.kind === 'ident' && isAccumulator(left.name);
      if (node.function === OPERATOR.add && !isMacro && mayBeList(g.typeOf(node))) return true;
      return some(...node.args, ...(node.target === undefined ? [] : [node.target]));
    }
    case 'list':
      return some(...node.elements);
    case 'map':
      return some(...node.entries.flatMap(({ key, value }) => [key, value]));
    case 'struct':
      return true;
    case 'comprehension':
      return some(node.iterRange, node.accuInit, node.loopCondition, node.loopStep, node.result);
  }
}
