import { SeededSet } from '#go';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import { joined, js } from '../../library/code/javascript.ts';
import { BOOL_SHAPE, isNumeric, sameText } from '../../library/code/shape.ts';
import type { Operand } from '../../library/code/shape.ts';
import type { Measure } from '../../library/define.ts';
import { UNSTATED_CALL } from '../../library/step-prices.ts';
import { equal } from '../../values/equality.ts';
import { isUnhashable } from '../../values/go-type.ts';
import { isList } from '../../values/type-of.ts';
import { constantValue, NO_SUCH_OVERLOAD } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { isListMembership, membershipTest } from '../interpret/folding.ts';
import { boxed, isError } from './boxing.ts';
import { emitCall, emitLoneOperand, emitOperands, measured } from './calls.ts';
import { foldedValue } from './folded-value.ts';
import type { Generator } from './generator.ts';

/** Emits `a == b` or `a != b`. If the comparison itself results in an error, `a != b` is true. */
export function emitEquality(g: Generator, node: CallExpr, operator: '==' | '!='): Operand {
  const negated = operator === '!=';
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
  const comparison = negated ? js`!==` : js`===`;
  if ((isNumeric(a.shape) && isNumeric(b.shape)) || (a.shape.kind === 'bool' && b.shape.kind === 'bool')) {
    return { code: js`(${a.code} ${comparison} ${b.code})`, shape: BOOL_SHAPE };
  }
  const units = measure.emit?.(g, [a, b]);
  if (units !== undefined && a.shape.kind === 'string' && b.shape.kind === 'string') {
    g.pay(units);
    const constant = typeof a.constant === 'string' ? a : b;
    if (typeof constant.constant === 'string') {
      const same = sameText(constant === a ? b : a, constant.constant, constant.code);
      return { code: negated ? js`!(${same})` : js`(${same})`, shape: BOOL_SHAPE };
    }
    return { code: js`(${a.code} ${comparison} ${b.code})`, shape: BOOL_SHAPE };
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

/**
 * Maximum number of constants that are compared one by one with a text in a column (parts of one common text). If there are more constants,
 * the code copies the text and uses a hash look-up.
 */
const MAX_IN_PLACE = 8;

/**
 * Emits code for the CEL expression `x in list`. If the list is a literal of constants, the code tests membership directly, at no cost
 * units. For any other list, the code calls the function of the operator `in`.
 */
export function emitMembership(g: Generator, node: CallExpr): Operand {
  const [element, container] = node.args as readonly [Expr, Expr];
  if (!isListMembership(g.checked.references.get(node.id)?.overloads ?? [])) return emitCall(g, node);
  const list = foldedValue(g, container);
  if (list === undefined || !isList(list)) return emitCall(g, node);
  const kind = g.typeOf(element).kind;
  const members = Array.from({ length: list.size }, (_, i) => list.at(i));
  if (members.length === 0) return { code: js`false`, shape: BOOL_SHAPE };
  const isMember = membershipTest(list);
  if (isMember === undefined) return emitCall(g, node);
  const value = g.emit(element);
  if ((kind !== 'string' && kind !== 'int') || !members.every((member) => isMemberOf(member, kind))) {
    const tested = g.hold('value', boxed(g, value));
    // Kubernetes panics for an unhashable value. Then the generated code gives up, and the interpreter reports the panic.
    g.writer.bail(js`${g.constants.name(isUnhashable)}(${tested})`);
    return { code: g.hold('test', js`${g.constants.name(isMember)}(${tested})`), shape: BOOL_SHAPE };
  }
  const inPlace = value.window === undefined || members.length > MAX_IN_PLACE ? [] : members.filter((member) => typeof member === 'string');
  if (inPlace.length > 0) {
    const tests = inPlace.map((member) => js`(${sameText(value, member, g.constants.name(member))})`);
    return { code: js`(${joined(tests, ' || ')})`, shape: BOOL_SHAPE };
  }
  if (members.length === 1) return { code: js`(${value.code} === ${g.constants.name(members[0])})`, shape: BOOL_SHAPE };
  return {
    code: js`${g.constants.name(kind === 'string' ? new Set(members) : new SeededSet(members))}.has(${value.code})`,
    shape: BOOL_SHAPE,
  };
}

/** Returns true if the constant `member` of a list is a text (for `kind` `string`) or an int (for `kind` `int`). */
function isMemberOf(member: CelValue, kind: 'string' | 'int'): boolean {
  return kind === 'string' ? typeof member === 'string' : typeof member === 'number' && Number.isInteger(member);
}
