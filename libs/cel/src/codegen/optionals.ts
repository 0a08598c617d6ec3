import { OPTIONAL_FUNCTIONS } from '../functions/optionals.ts';
import { EXPANSION } from '../syntax/operators.ts';
import { CelError } from '../runtime/value.ts';
import { boxed } from './boxing.ts';
import { commonShape } from './logic.ts';
import { js } from './javascript.ts';
import { isNoObject } from './raw-data.ts';
import { BOOL_SHAPE, NONE_SHAPE } from './shape.ts';
import type { FunctionDeclaration } from '../functions/define.ts';
import type { CallExpr, Expr } from '../syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { InlineCall } from './inline-calls.ts';
import type { Operand, Shape } from './shape.ts';

/** `a.orValue(b)`, and `a.or(b)` for two optionals: the right side is evaluated only when the left one holds nothing. Free. */
export function emitOptionalOr(g: Generator, node: CallExpr, unwraps: boolean): Operand {
  const [left, right] = (node.target === undefined ? node.args : [node.target, ...node.args]) as readonly [Expr, Expr];
  const first = g.emit(left);
  if (first.shape.kind !== 'optional') return g.giveUp('an optional that a call made');
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
      second = g.emit(right);
      take = writer.later();
    },
  );
  const other: Operand = second!;
  if (!unwraps && other.shape.kind !== 'optional') return g.giveUp('an optional that a call made');
  const otherShape = other.shape.kind === 'optional' && !unwraps ? other.shape.of : other.shape;
  const shape = commonShape(held.shape, otherShape);
  if (shape === undefined && !unwraps) return g.giveUp('optionals of different shapes');
  if (shape === undefined && (held.shape.kind === 'rawObject' || other.unproven === true))
    return g.giveUp('a choice between an object and something else');
  keep(js`${result} = ${shape === undefined ? boxed(g, held) : held.code};`);
  take(js`${result} = ${shape === undefined ? boxed(g, other) : other.code};`);
  const joint: Shape = shape ?? { kind: 'value', type: g.typeOf(node) };
  return { code: result, shape: unwraps ? joint : { kind: 'optional', of: joint }, unproven: joint.kind === 'rawObject' };
}

const hasValue: InlineCall = (g, [optional]) => {
  const { code, shape } = optional!;
  if (shape.kind !== 'optional') return undefined;
  if (shape.of.kind === 'rawObject') g.writer.bail(js`${code} !== undefined && ${isNoObject(g, code)}`);
  return { code: js`(${code} !== undefined)`, shape: BOOL_SHAPE };
};

const NO_VALUE = new CelError('optional.none() dereference');

const value: InlineCall = (g, [optional]) => {
  const { code, shape } = optional!;
  if (shape.kind !== 'optional') return undefined;
  g.writer.fail(g.constants.name(NO_VALUE), js`${code} === undefined`);
  return { code, shape: shape.of, unproven: shape.of.kind === 'rawObject' };
};

const of: InlineCall = (_, [operand]) =>
  operand!.shape.kind === 'optional' ? undefined : { code: operand!.code, shape: { kind: 'optional', of: operand!.shape } };

const none: InlineCall = () => ({ code: js`undefined`, shape: NONE_SHAPE });

const named = (name: string): FunctionDeclaration => OPTIONAL_FUNCTIONS.find((declared) => declared.name === name)!;

/** Calls on optionals that are written out. */
export const INLINE_OPTIONALS = [
  [named(EXPANSION.hasValue), hasValue],
  [named(EXPANSION.value), value],
  [named(EXPANSION.optionalOf), of],
  [named(EXPANSION.optionalNone), none],
] as const;
