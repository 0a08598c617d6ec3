import { isListMembership } from '../interpret/folding.ts';
import { foldedConstant } from '../interpret/plan.ts';
import { PLANNED_FUNCTIONS } from '../../library/planned-functions.ts';
import type { CelValue } from '../../values/value.ts';
import type { Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';

/** Returns the value of a node that planning folds into a constant (a literal of literals, a conversion of one); undefined for others. */
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

/** Nothing is in an empty list, whatever it is: planning knows that. */
const isEmptyList = (node: Expr): boolean => node.kind === 'list' && node.elements.length === 0;
