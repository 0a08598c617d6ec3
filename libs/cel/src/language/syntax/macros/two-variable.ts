import { allFold, existsFold, existsOneFold, mapFold, transformListFold } from './folds.ts';
import { iterationVariables } from './variables.ts';
import type { Expr } from '../ast.ts';
import type { Macro } from '../macro.ts';
import type { ExpansionFactory } from '../node-factory.ts';
import type { Iteration } from './folds.ts';

function quantifier(name: string, fold: (nodes: ExpansionFactory, iteration: Iteration, predicate: Expr) => Expr): Macro {
  return {
    name,
    arguments: 3,
    style: 'method',
    expand: (nodes, [first, second, predicate], target) => {
      const found = iterationVariables(first!, second!);
      if (!found.ok) return found.refusal;
      return fold(nodes, { range: target!, variable: found.variable, variable2: found.variable2 }, predicate!);
    },
  };
}

/**
 * Returns two macros with the same name for a transformation: one without a filter argument, and one with a filter argument before the
 * transformation.
 */
function transform(
  name: string,
  fold: (nodes: ExpansionFactory, iteration: Required<Iteration>, value: Expr, filter: Expr | undefined) => Expr,
): readonly Macro[] {
  return [3, 4].map((args) => ({
    name,
    arguments: args,
    style: 'method',
    expand: (nodes, operands, target) => {
      const found = iterationVariables(operands[0]!, operands[1]!);
      if (!found.ok) return found.refusal;
      const filter = args === 4 ? operands[2]! : undefined;
      return fold(nodes, { range: target!, variable: found.variable, variable2: found.variable2 }, operands[args - 1]!, filter);
    },
  }));
}

/** Macros with two iteration variables: index and element, or key and value. Source: cel-go ext/comprehensions.go (v0.29.2). */
export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  quantifier('all', allFold),
  quantifier('exists', existsFold),
  quantifier('existsOne', existsOneFold),
  quantifier('exists_one', existsOneFold),
  ...transform('transformList', transformListFold),
  ...transform('transformMap', (nodes, iteration, value, filter) =>
    mapFold(nodes, iteration, () => [nodes.ident(iteration.variable), value], filter),
  ),
  ...transform('transformMapEntry', (nodes, iteration, entry, filter) => mapFold(nodes, iteration, () => [entry], filter)),
];
