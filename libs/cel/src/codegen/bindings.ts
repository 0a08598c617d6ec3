import { valueRules } from '../runtime/value-rules.ts';
import { isAccumulator, EXPANSION, OPERATOR } from '../syntax/operators.ts';
import { js } from './javascript.ts';
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';
import type { CelType } from '../types/type.ts';
import type { Scope } from './code-writer.ts';
import type { Generator } from './generator.ts';
import type { Operand } from './shape.ts';

/**
 * A name bound to the value of an optional by `optMap` or `optFlatMap`. Its value is computed where it is first read, so each reading that
 * no other one comes before has to see whether it is the first.
 */
export function emitBinding(g: Generator, node: ComprehensionExpr): Operand {
  const { accuVar, accuInit, result } = node;
  if (accuInit.kind !== 'call' || accuInit.function !== EXPANSION.value) return g.giveUp('a binding to what may fail');
  if (mayBeList(g.typeOf(accuInit)) && addsToLists(g, result)) return g.giveUp('addition to a bound list');
  if (valueRules(g.environment.minor).accumulatorsAreEager) {
    const initial = g.emit(accuInit);
    return g.within([[accuVar, () => initial]], () => g.emit(result));
  }
  const names = g.namesInScope();
  const bound = g.names.fresh('value');
  g.writer.line(js`let ${bound};`);
  const home = g.writer.scope;
  const readIn: Scope[] = [];
  let operand: Operand | undefined;
  const compute = (): void => {
    const initial = g.inScope(names, () => g.emit(accuInit));
    if (initial.shape.kind === 'optional') g.giveUp('an optional in an optional');
    g.writer.line(js`${bound} = ${initial.code};`);
    operand = { code: bound, shape: initial.shape, unproven: initial.unproven };
  };
  const read = (): Operand => {
    if (readIn.some((scope) => g.writer.isWithin(scope))) return operand!;
    if (readIn.length > 0 || g.writer.loopsBelow(home)) g.writer.branch(js`${bound} === undefined`, compute);
    else compute();
    readIn.push(g.writer.scope);
    return operand!;
  };
  return g.within([[accuVar, read]], () => g.emit(result));
}

const mayBeList = ({ kind }: CelType): boolean => kind === 'list' || kind === 'dyn' || kind === 'any' || kind === 'typeParameter';

/** Upstream adds in place to a bound list that is empty; the interpreter does the same. */
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
