import { PLANNED_FUNCTIONS } from '../../library/planned-functions.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';

/** Returns true if the node is a conditional `c ? a : b`. */
export function isChoice(node: Expr): boolean {
  return node.kind === 'call' && PLANNED_FUNCTIONS.get(node.function) === 'conditional';
}

/** Returns true if the node is an optional selection `a.?b` or `a[?b]`. */
export function isOptionalStep(node: Expr): boolean {
  return node.kind === 'call' && PLANNED_FUNCTIONS.get(node.function) === 'optionalIndex';
}

/** Returns true if the node is an index expression `a[b]`. */
export function isIndexing(node: Expr): node is CallExpr {
  return node.kind === 'call' && PLANNED_FUNCTIONS.get(node.function) === 'index';
}
