import { refuse } from '../macro.ts';
import { allFold, existsFold, existsOneFold, listFold } from './folds.ts';
import { iterationVariable, NOT_SIMPLE } from './variables.ts';
import type { Expr } from '../ast.ts';
import type { Expansion, Macro } from '../macro.ts';
import type { ExpansionFactory } from '../node-factory.ts';
import type { Iteration } from './folds.ts';

const NOT_AN_IDENTIFIER = 'argument is not an identifier';

/** Macro `has(a.b)`, which tests whether a field is present. */
const has: Macro = {
  name: 'has',
  arguments: 1,
  style: 'function',
  expand: (nodes, [argument]) =>
    argument!.kind === 'select'
      ? nodes.presenceTest(argument!.operand, argument!.field)
      : refuse(argument!, 'invalid argument to has() macro'),
};

function quantifier(name: string, fold: (nodes: ExpansionFactory, iteration: Iteration, predicate: Expr) => Expr): Macro {
  return {
    name,
    arguments: 2,
    style: 'method',
    expand: (nodes, [variable, predicate], target) => {
      const found = iterationVariable(nodes, variable!, NOT_SIMPLE);
      return found.ok ? fold(nodes, { range: target!, variable: found.name }, predicate!) : found.refusal;
    },
  };
}

/**
 * Expands the macro calls `range.map(x, f)` and `range.map(x, p, f)`. The expansion of `sortBy` also calls this function, to compute the
 * sort keys.
 */
export function expandMap(nodes: ExpansionFactory, args: readonly Expr[], range: Expr): Expansion {
  const found = iterationVariable(nodes, args[0]!, NOT_AN_IDENTIFIER);
  if (!found.ok) return found.refusal;
  const filter = args.length === 3 ? args[1]! : undefined;
  return listFold(nodes, { range, variable: found.name }, args.at(-1)!, filter);
}

const mapMacro = (args: number): Macro => ({
  name: 'map',
  arguments: args,
  style: 'method',
  expand: (nodes, operands, target) => expandMap(nodes, operands, target!),
});

const filter: Macro = {
  name: 'filter',
  arguments: 2,
  style: 'method',
  expand: (nodes, [variable, predicate], target) => {
    const found = iterationVariable(nodes, variable!, NOT_AN_IDENTIFIER);
    return found.ok ? listFold(nodes, { range: target!, variable: found.name }, variable!, predicate) : found.refusal;
  },
};

/** The macros that every environment has. Source: cel-go cel/macro.go `StandardMacros` (v0.29.2). */
export const STANDARD_MACROS: readonly Macro[] = [
  has,
  quantifier('all', allFold),
  quantifier('exists', existsFold),
  quantifier('exists_one', existsOneFold),
  mapMacro(2),
  mapMacro(3),
  filter,
];

/** Macro `existsOne`, which is an alias of the macro `exists_one`. Upstream's parser supports it, but Kubernetes does not. */
export const EXISTS_ONE_ALIAS: Macro = quantifier('existsOne', existsOneFold);
