import { OPTIONAL_FUNCTIONS } from '../../library/optionals.ts';
import { EXPANSION } from '../../language/syntax/operators.ts';
import { CelError } from '../../values/value.ts';
import { DYN, optionalOf } from '../../values/types/type.ts';
import { asOptional, boxed } from './boxing.ts';
import { commonShape } from './logic.ts';
import { js } from './javascript.ts';
import { testPresence } from './paths.ts';
import { NONE_SHAPE } from './shape.ts';
import type { FunctionDeclaration } from '../../library/define.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { InlineCall } from './inline-calls.ts';
import type { Fragment } from './javascript.ts';
import type { Operand, Shape } from './shape.ts';

/** `a.orValue(b)`, and `a.or(b)` for two optionals: the right side is evaluated only when the left one holds nothing. Free. */
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

/** The right side as CEL has it; where both are optionals, what it holds, if anything. */
function boxedOther(g: Generator, other: Operand, held: Shape, unwraps: boolean): Fragment {
  if (unwraps || other.shape.kind !== 'optional') return boxed(g, other);
  return js`${other.code} === undefined ? undefined : ${boxed(g, { code: other.code, shape: held })}`;
}

const hasValue: InlineCall = (g, [optional]) => (optional!.shape.kind === 'optional' ? testPresence(g, optional!) : undefined);

const DYN_OPTIONAL = optionalOf(DYN);
const NO_VALUE = new CelError('optional.none() dereference');

const value: InlineCall = (g, [optional]) => {
  const { code, shape } = optional!;
  if (shape.kind !== 'optional') return undefined;
  g.writer.fail(g.constants.name(NO_VALUE), js`${code} === undefined`);
  return { code, shape: shape.of, unproven: shape.of.kind === 'rawObject' };
};

const of: InlineCall = (g, [operand]) => {
  const { code, shape } = operand!;
  if (shape.kind !== 'optional') return { code, shape: { kind: 'optional', of: shape } };
  return { code: g.hold('value', boxed(g, operand!)), shape: { kind: 'optional', of: { kind: 'value', type: DYN_OPTIONAL } } };
};

const none: InlineCall = () => ({ code: js`undefined`, shape: NONE_SHAPE });

const named = (name: string): FunctionDeclaration => OPTIONAL_FUNCTIONS.find((declared) => declared.name === name)!;

/** Calls on optionals that are written out. */
export const INLINE_OPTIONALS = [
  [named(EXPANSION.hasValue), hasValue],
  [named(EXPANSION.value), value],
  [named(EXPANSION.optionalOf), of],
  [named(EXPANSION.optionalNone), none],
] as const;
