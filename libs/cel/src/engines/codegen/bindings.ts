import { EXPANSION, OPERATOR } from '../../library/names.ts';
import { isAccumulator } from '../../language/syntax/operators.ts';
import { DYN, optionalOf } from '../../values/types/type.ts';
import { boxed } from './boxing.ts';
import { js } from '../../library/code/javascript.ts';
import type { ComprehensionExpr, Expr } from '../../language/syntax/ast.ts';
import type { CelType } from '../../values/types/type.ts';
import type { CodeBlock } from './code-writer.ts';
import { moved } from './generator.ts';
import type { Generator } from './generator.ts';
import type { Operand } from '../../library/code/shape.ts';

/**
 * Emits a variable that a macro such as `optMap` or `optFlatMap` binds to a value. The value is computed at the first use of the variable.
 * Therefore, each use that may be the first use tests whether the value has been computed.
 */
export function emitBinding(g: Generator, node: ComprehensionExpr): Operand {
  const { accuVar, accuInit, result } = node;
  if (mayBeList(g.typeOf(accuInit)) && addsToLists(g, result)) return g.giveUp('addition to a bound list');
  if (g.environment.semantics.accumulatorsAreEager) {
    // Eager evaluation is generated only for a binding that cannot fail: the value of an optional that has one.
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
    operand = moved(attempt.operand, bound);
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
    // `sortBy` reads the list before anything else.
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
