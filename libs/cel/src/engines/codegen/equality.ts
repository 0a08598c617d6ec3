import { equal } from '../../values/equality.ts';
import { boxed, isError } from './boxing.ts';
import { emitLoneOperand, emitOperands } from './calls.ts';
import { comparisonUnits } from './cost-units.ts';
import { js } from './javascript.ts';
import { BOOL_SHAPE, isNumeric } from './shape.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Operand } from './shape.ts';

/** `a == b` and `a != b`. An error of the comparison itself counts as different for `!=`. */
export function emitEquality(g: Generator, node: CallExpr, negated: boolean): Operand {
  const measure = g.checked.references.get(node.id)?.overloads[0]?.measure;
  const [left, right] = node.args;
  if (measure === undefined) return g.giveUp('an equality without a price');
  const isScalar = [left!, right!].every((operand) => ['bool', 'int', 'double'].includes(g.typeOf(operand).kind));
  // Scalars, and errors beside them, have size 1: a unit whatever happens.
  const constant = node.args.find(({ kind }) => kind === 'constant');
  const operands =
    constant === undefined
      ? emitOperands(g, node.args, isScalar ? undefined : measure)
      : emitLoneOperand(g, node.args, errorUnits(constant));
  const [a, b] = operands as [Operand, Operand];
  if (isScalar) g.writer.charge(1);
  const operator = negated ? js`!==` : js`===`;
  if ((isNumeric(a.shape) && isNumeric(b.shape)) || (a.shape.kind === 'bool' && b.shape.kind === 'bool')) {
    return { code: js`(${a.code} ${operator} ${b.code})`, shape: BOOL_SHAPE };
  }
  if (a.shape.kind === 'string' && b.shape.kind === 'string') {
    chargeComparison(g, a, b);
    const constant = typeof a.constant === 'string' ? a : b;
    if (typeof constant.constant === 'string') {
      // The length tells most texts apart without a call.
      const other = constant === a ? b : a;
      const same = js`${other.code}.length === ${constant.constant.length} && ${other.code} === ${constant.code}`;
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

/** What comparing an error with a constant costs: a unit, unless the constant is empty. */
function errorUnits(constant: Expr): number {
  if (constant.kind !== 'constant' || (constant.constant.type !== 'string' && constant.constant.type !== 'bytes')) return 1;
  return constant.constant.value.length === 0 ? 0 : 1;
}

/** Texts up to ten code points long cost a unit, and nothing where one is empty. */
const SHORT = 10;

function chargeComparison(g: Generator, a: Operand, b: Operand): void {
  const constant = typeof a.constant === 'string' ? a.constant : typeof b.constant === 'string' ? b.constant : undefined;
  const other = typeof a.constant === 'string' ? b : a;
  if (constant === '') return;
  if (constant !== undefined && constant.length <= SHORT) g.writer.line(js`if (${other.code} !== "") cost += 1;`);
  else g.writer.line(js`cost += ${g.constants.name(comparisonUnits)}(${a.code}, ${b.code});`);
}
