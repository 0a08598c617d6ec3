import { equal } from '../../values/equality.ts';
import { boxed, isError } from './boxing.ts';
import { emitLoneOperand, emitOperands, measured } from './calls.ts';
import { constantValue } from '../../values/constant-value.ts';
import { NO_SUCH_OVERLOAD } from '../../values/errors.ts';
import { UNSTATED_CALL } from '../../library/step-prices.ts';
import type { Measure } from '../../library/define.ts';
import { js } from '../../library/code/javascript.ts';
import { BOOL_SHAPE, isNumeric } from '../../library/code/shape.ts';
import { sameText } from '../../library/code/text-units.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Operand } from '../../library/code/shape.ts';

/** Emits `a == b` or `a != b`. If the comparison itself results in an error, `a != b` is true. */
export function emitEquality(g: Generator, node: CallExpr, negated: boolean): Operand {
  const measure = g.checked.references.get(node.id)?.overloads[0]?.measure;
  const [left, right] = node.args;
  if (measure === undefined) return g.giveUp('an equality without a price');
  const isScalar = [left!, right!].every((operand) => ['bool', 'int', 'double'].includes(g.typeOf(operand).kind));
  // Scalars and errors have size 1, so their comparison always costs one unit.
  const constant = node.args.find(({ kind }) => kind === 'constant');
  const operands = g.failuresEndCalls
    ? emitCompared(g, left!, right!, isScalar ? undefined : measure)
    : constant === undefined
      ? emitOperands(g, node.args, isScalar ? undefined : measure)
      : emitLoneOperand(g, node.args, unitsOnFailure(g, measure, constant));
  const [a, b] = operands as [Operand, Operand];
  if (isScalar) g.writer.charge(UNSTATED_CALL);
  const operator = negated ? js`!==` : js`===`;
  if ((isNumeric(a.shape) && isNumeric(b.shape)) || (a.shape.kind === 'bool' && b.shape.kind === 'bool')) {
    return { code: js`(${a.code} ${operator} ${b.code})`, shape: BOOL_SHAPE };
  }
  const units = measure.emit?.(g, [a, b]);
  if (units !== undefined && a.shape.kind === 'string' && b.shape.kind === 'string') {
    g.pay(units);
    const constant = typeof a.constant === 'string' ? a : b;
    if (typeof constant.constant === 'string') {
      const same = sameText(constant === a ? b : a, constant.constant, constant.code);
      return { code: negated ? js`!(${same})` : js`(${same})`, shape: BOOL_SHAPE };
    }
    return { code: js`(${a.code} ${operator} ${b.code})`, shape: BOOL_SHAPE };
  }
  g.runsLong = true;
  const values = [g.hold('value', boxed(g, a)), g.hold('value', boxed(g, b))] as const;
  const same = g.hold('test', js`${g.constants.name(equal)}(run, ${values[0]}, ${values[1]})`);
  if (!isScalar)
    g.writer.line(
      js`cost += ${g.constants.name(measure)}([${values[0]}, ${values[1]}], ${same}, ${g.constants.name(g.environment.costs)});`,
    );
  if (negated) return { code: js`(${same} !== true)`, shape: BOOL_SHAPE };
  g.writer.fail(same, isError(g, same));
  return { code: same, shape: BOOL_SHAPE };
}

/**
 * Emits the operands of a comparison since 1.38. If the left one fails, the right one is not evaluated. In both cases, the comparison has
 * the cost of comparing the other operand with a value of size 1. An operand that is not evaluated counts as such a value.
 */
function emitCompared(g: Generator, left: Expr, right: Expr, measure: Measure | undefined): Operand[] {
  const first = emitLoneOperand(g, [left], UNSTATED_CALL);
  if (measure === undefined || right.kind === 'constant') return [...first, ...emitLoneOperand(g, [right], UNSTATED_CALL)];
  if (left.kind === 'constant') return [...first, ...emitLoneOperand(g, [right], unitsOnFailure(g, measure, left))];
  const { operand, error } = g.attempt(() => g.emit(right));
  if (error !== undefined) {
    const units = measured(g, measure, [boxed(g, first[0]!), error], error);
    g.writer.fail(error, js`${error} !== undefined`, js`cost += ${units}; `);
  }
  return [...first, operand];
}

/** Returns the cost of a comparison in which one operand is an error and the other operand is a constant. */
function unitsOnFailure(g: Generator, measure: Measure, constant: Expr): number {
  const known = constant.kind === 'constant' ? constantValue(constant.constant) : null;
  return measure([NO_SUCH_OVERLOAD, known], NO_SUCH_OVERLOAD, g.costs);
}
