import { js } from '../../library/code/javascript.ts';
import { boxed } from './boxing.ts';
import { emitPart } from './paths.ts';
import { BOOL_SHAPE, NONE_SHAPE } from '../../library/code/shape.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';

/**
 * Emits `a && b` or `a || b`. If one operand has the deciding value (false for `&&`, true for `||`), an error of the other operand is
 * ignored. If neither operand has this value, the left error takes precedence over the right error. The operator itself costs nothing.
 */
export function emitLogical(g: Generator, node: CallExpr, operator: '&&' | '||'): Operand {
  const deciding = operator === '||';
  const [left, right] = node.args as readonly [Expr, Expr];
  const first = g.attempt(() => g.emitTest(left));
  const result = g.names.fresh('test');
  const { writer } = g;
  writer.line(js`let ${result} = ${first.operand.code};`);
  const goesOn = deciding ? js`!${result}` : result;
  if (first.error === undefined) {
    writer.branch(goesOn, () => writer.line(js`${result} = ${g.emitTest(right).code};`));
    return { code: result, shape: BOOL_SHAPE };
  }
  const { error } = first;
  writer.branch(js`${error} !== undefined || ${goesOn}`, () => {
    const second = g.attempt(() => g.emitTest(right));
    const decides = deciding ? second.operand.code : js`!${second.operand.code}`;
    const sound = second.error === undefined ? decides : js`${second.error} === undefined && ${decides}`;
    const other = second.error === undefined ? js`` : js` else ${error} ??= ${second.error};`;
    writer.line(js`${result} = ${second.operand.code};`);
    writer.line(js`if (${sound}) ${error} = undefined;${other}`);
    writer.fail(error, js`${error} !== undefined`);
  });
  return { code: result, shape: BOOL_SHAPE };
}

/**
 * Emits `c ? a : b`. The operator itself costs nothing. If `a` or `b` is a chain of field selections such as `x.y.z`, the base cost of one
 * unit for a chain is not charged.
 */
export function emitConditional(g: Generator, node: CallExpr): Operand {
  const [condition, yes, no] = node.args as readonly [Expr, Expr, Expr];
  const test = g.emitTest(condition);
  const result = g.names.fresh('value');
  const { writer } = g;
  writer.line(js`let ${result};`);
  const branches: Operand[] = [];
  const lines: ((code: Fragment) => void)[] = [];
  const emitBranch = (branch: Expr) => (): void => {
    branches.push(emitPart(g, branch));
    lines.push(writer.later());
  };
  writer.branch(test.code, emitBranch(yes), emitBranch(no));
  const shape = commonShape(branches[0]!.shape, branches[1]!.shape);
  if (shape === undefined && branches.some(({ unproven }) => unproven)) return g.giveUp('a choice between an object and something else');
  for (const [i, branch] of branches.entries()) {
    lines[i]!(js`${result} = ${shape === undefined ? boxed(g, branch) : branch.code};`);
  }
  return { code: result, shape: shape ?? { kind: 'value', type: g.typeOf(node) }, unproven: shape?.kind === 'rawObject' };
}

/**
 * Returns a JavaScript representation for values of shape `a` and of shape `b`, such as the results of both branches of a conditional.
 * Returns undefined if generated code must convert both values to CEL values instead.
 */
export function commonShape(a: Shape, b: Shape): Shape | undefined {
  if (a.kind !== b.kind) return undefined;
  if (a === NONE_SHAPE || b === NONE_SHAPE) return a === NONE_SHAPE ? b : a;
  if ('schema' in a && 'schema' in b) return a.schema === b.schema ? a : undefined;
  if (a.kind === 'optional' && b.kind === 'optional') {
    const of = commonShape(a.of, b.of);
    return of && { kind: 'optional', of };
  }
  return a;
}
