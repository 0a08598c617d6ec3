import { childrenOf } from './syntax/ast.ts';
import type { CallExpr, Expr } from './syntax/ast.ts';
import type { CheckedExpression } from './check/checked.ts';

/** A node of an expression as the author wrote it. A macro call is one node instead of its expansion. */
export interface WrittenNode {
  /** The checked node. For a macro call, it is the node to which the macro was expanded. */
  readonly expr: Expr;
  /** Name of the called function, operator (`_&&_`) or macro (`all`). Undefined if the node is not a call. */
  readonly call: string | undefined;
  /** Names of the variables that a macro binds. Empty for any other node. */
  readonly variables: readonly string[];
  /** Target of a call, a macro or a selection. */
  readonly target: WrittenNode | undefined;
  /** Arguments of a call, elements of a literal, or the argument expressions of a macro without its variables. */
  readonly args: readonly WrittenNode[];
  /** Position of the node in the text, in code points from 0. For a call, it is the position of the function name or operator. */
  readonly offset: number;
}

/**
 * Functions that return the number of a macro's arguments that are variable names. Their parameter is the number of all arguments. Source:
 * cel-go parser/macro.go, ext/comprehensions.go, cel/library.go (v0.29.2).
 */
const BINDING: Readonly<Record<string, (args: number) => number>> = {
  all: (args) => args - 1,
  exists: (args) => args - 1,
  exists_one: (args) => args - 1,
  existsOne: (args) => args - 1,
  filter: () => 1,
  map: () => 1,
  transformList: () => 2,
  transformMap: () => 2,
  transformMapEntry: () => 2,
  optMap: () => 1,
  optFlatMap: () => 1,
  sortBy: () => 1,
};

/** Returns the tree of an expression in its written form: each macro call is one node, not its expansion. */
export function writtenTree(checked: CheckedExpression): WrittenNode {
  const nodes = new Map<number, Expr>();
  const collect = (node: Expr): void => {
    nodes.set(node.id, node);
    childrenOf(node).forEach(collect);
  };
  collect(checked.root);
  // The checker replaces some nodes but keeps their ids. A macro call contains the nodes before the check, so `resolved` looks up the
  // checked nodes.
  const resolved = (operand: Expr): Expr => nodes.get(operand.id) ?? operand;
  const written = (expr: Expr): WrittenNode => {
    const offset = checked.offsets.get(expr.id) ?? 0;
    const macro = expr.kind === 'select' ? undefined : checked.macroCalls.get(expr.id);
    if (macro?.kind === 'call') return writtenMacro(expr, macro, offset);
    if (expr.kind === 'select') return { ...leaf(expr, offset), target: written(expr.operand) };
    if (expr.kind !== 'call') return { ...leaf(expr, offset), args: childrenOf(expr).map(written) };
    return { ...leaf(expr, offset), call: expr.function, target: expr.target && written(expr.target), args: expr.args.map(written) };
  };
  const writtenMacro = (expr: Expr, { function: call, target, args }: CallExpr, offset: number): WrittenNode => {
    const bound = args.slice(0, BINDING[call]?.(args.length) ?? 0);
    const variables = bound.flatMap((name) => (name.kind === 'ident' ? [name.name] : []));
    const operands = args.slice(bound.length).map((operand) => written(resolved(operand)));
    return { expr, call, variables, target: target && written(resolved(target)), args: operands, offset };
  };
  return written(checked.root);
}

const leaf = (expr: Expr, offset: number): WrittenNode => ({ expr, call: undefined, variables: [], target: undefined, args: [], offset });
