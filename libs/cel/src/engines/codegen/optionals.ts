import { asOptional, boxed } from './boxing.ts';
import { commonShape } from './logic.ts';
import { js } from '../../library/code/javascript.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';

/**
 * Emits the call `a.orValue(b)` if `unwraps` is true, otherwise the call `a.or(b)` of two optionals. `b` is evaluated only if `a` is empty.
 * The call itself costs nothing.
 */
export function emitOptionalOr(g: Generator, node: CallExpr, unwraps: boolean): Operand {
  const [left, right] = (node.target === undefined ? node.args : [node.target, ...node.args]) as readonly [Expr, Expr];
  const first = asOptional(g, g.emit(left));
  if (first?.shape.kind !== 'optional') return g.giveUp('an optional that no type shows');
  const held: Operand = { code: first.code, shape: first.shape.of };
  const { writer } = g;
  const result = g.names.fresh('value');
  writer.line(js`let ${result};`);
  let keep = writer.later();
  let second: Operand | undefined;
  let take = writer.later();
  writer.branch(
    js`${first.code} !== undefined`,
    () => (keep = writer.later()),
    () => {
      const taken = g.emit(right);
      second = unwraps ? taken : asOptional(g, taken);
      if (second === undefined) g.giveUp('an optional that no type shows');
      take = writer.later();
    },
  );
  if (second === undefined) return first;
  const other: Operand = second;
  const otherShape = other.shape.kind === 'optional' && !unwraps ? other.shape.of : other.shape;
  const shape = commonShape(held.shape, otherShape);
  if (shape === undefined && (held.shape.kind === 'rawObject' || other.unproven === true))
    return g.giveUp('a choice between an object and something else');
  keep(js`${result} = ${shape === undefined ? boxed(g, held) : held.code};`);
  take(js`${result} = ${shape === undefined ? boxedOther(g, other, otherShape, unwraps) : other.code};`);
  const type = g.typeOf(node);
  const joint: Shape = shape ?? { kind: 'value', type: type.kind === 'optional' && !unwraps ? type.value : type };
  return { code: result, shape: unwraps ? joint : { kind: 'optional', of: joint }, unproven: joint.kind === 'rawObject' };
}

/**
 * Returns the right operand of `a.orValue(b)` as a CEL value. For `a.or(b)`, returns the value in the right optional, or undefined if the
 * optional is empty.
 */
function boxedOther(g: Generator, other: Operand, held: Shape, unwraps: boolean): Fragment {
  if (unwraps || other.shape.kind !== 'optional') return boxed(g, other);
  return js`${other.code} === undefined ? undefined : ${boxed(g, { code: other.code, shape: held })}`;
}
