import type { Expr } from './ast.ts';
import type { NodeFactory } from './node-factory.ts';

/**
 * Combines the terms of a chain `a && b && c …` or `a || b || c …` into a balanced tree, as upstream does. Source: cel-go parser/helper.go
 * `logicManager` (v0.29.2).
 */
export function balancedTree(nodes: NodeFactory, name: string, terms: readonly Expr[], operatorIds: readonly number[]): Expr {
  const build = (low: number, high: number): Expr => {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? terms[middle]! : build(low, middle - 1);
    const right = middle === high ? terms[middle + 1]! : build(middle + 1, high);
    return nodes.call(operatorIds[middle]!, name, [left, right]);
  };
  return operatorIds.length === 0 ? terms[0]! : build(0, operatorIds.length - 1);
}
