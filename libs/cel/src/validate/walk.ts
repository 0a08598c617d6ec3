import type { Expr } from '../syntax/ast.ts';

/** The nodes directly below a node, in upstream's order. Source: cel-go common/ast/navigable.go (v0.29.2). */
export function childrenOf(node: Expr): readonly Expr[] {
  switch (node.kind) {
    case 'constant':
    case 'ident':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'comprehension':
      return [node.iterRange, node.accuInit, node.loopCondition, node.loopStep, node.result];
  }
}

/** A node and those above it, innermost first. */
export interface Visited {
  readonly node: Expr;
  readonly ancestors: readonly Expr[];
}

/** All nodes, children before parents. */
export function* nodesBottomUp(node: Expr, ancestors: readonly Expr[] = []): Generator<Visited> {
  const above = [node, ...ancestors];
  for (const child of childrenOf(node)) yield* nodesBottomUp(child, above);
  yield { node, ancestors };
}
