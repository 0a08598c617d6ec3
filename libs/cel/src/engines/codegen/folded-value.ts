import { isListMembership } from '../interpret/folding.ts';
import { foldedConstant } from '../interpret/plan.ts';
import { PLANNED_FUNCTIONS } from '../../library/all.ts';
import type { CelValue } from '../../values/value.ts';
import type { Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';

/**
 * Returns the value of a node that planning folds to a constant, such as a list of literals or a conversion of a literal. Returns undefined
 * if the node is not folded.
 */
export function foldedValue(g: Generator, node: Expr): CelValue | undefined {
  return isLiteral(g, node) ? foldedConstant(g.checked, g.environment, node) : undefined;
}

function isLiteral(g: Generator, node: Expr): boolean {
  const isPart = (part: Expr): boolean => isLiteral(g, part);
  switch (node.kind) {
    case 'ident':
      return g.typeOf(node).kind === 'type' && !g.isInScope(node.name);
    case 'constant':
      return true;
    case 'list':
      return node.elements.every(isPart);
    case 'map':
      return node.entries.every(({ key, value }) => isPart(key) && isPart(value));
    case 'call':
      if (PLANNED_FUNCTIONS.get(node.function) === 'in')
        return isListMembership(g.checked.references.get(node.id)?.overloads ?? []) && isEmptyList(node.args[1]!);
      return node.target === undefined && node.args.length === 1 && isPart(node.args[0]!);
    case 'comprehension':
    case 'select':
    case 'struct':
      return false;
  }
}

/** Returns true if a node is an empty list literal. Planning folds `x in []` to false. */
const isEmptyList = (node: Expr): boolean => node.kind === 'list' && node.elements.length === 0;
