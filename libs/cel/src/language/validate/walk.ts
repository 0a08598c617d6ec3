import type { Expr } from '../syntax/ast.ts';

/** Returns the nodes directly below a node, in upstream's order. Source: cel-go common/ast/navigable.go (v0.29.2). */
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

/** Node of an expression tree, with its parent. `above` contains the parent, and is undefined for the root. */
export interface Visited {
  readonly node: Expr;
  readonly above: Visited | undefined;
}

/** Returns all nodes of a tree, with children before their parents. */
export function nodesBottomUp(root: Expr): readonly Visited[] {
  const visited: Visited[] = [];
  const visit = (node: Expr, above: Visited | undefined): void => {
    const here = { node, above };
    for (const child of childrenOf(node)) visit(child, here);
    visited.push(here);
  };
  visit(root, undefined);
  return visited;
}
