import { EXPANSION, isAccumulator, OPERATOR } from '../../library/names.ts';
import type { Expr } from './ast.ts';
import { allFold, bindFold, existsFold, existsOneFold, listFold, mapFold, transformListFold } from './macro-folds.ts';
import type { Iteration } from './macro-folds.ts';
import type { ExpansionFactory } from './node-factory.ts';
import { refuse } from './syntax.ts';
import type { Expansion, Macro } from './syntax.ts';

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
function expandMap(nodes: ExpansionFactory, args: readonly Expr[], range: Expr): Expansion {
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

function pairQuantifier(name: string, fold: (nodes: ExpansionFactory, iteration: Iteration, predicate: Expr) => Expr): Macro {
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
  pairQuantifier('all', allFold),
  pairQuantifier('exists', existsFold),
  pairQuantifier('existsOne', existsOneFold),
  pairQuantifier('exists_one', existsOneFold),
  ...transform('transformList', transformListFold),
  ...transform('transformMap', (nodes, iteration, value, filter) =>
    mapFold(nodes, iteration, () => [nodes.ident(iteration.variable), value], filter),
  ),
  ...transform('transformMapEntry', (nodes, iteration, entry, filter) => mapFold(nodes, iteration, () => [entry], filter)),
];

/**
 * Returns a macro that is called as `target.name(variable, mapped)`. It expands to `target.hasValue() ? mapped : optional.none()`, in which
 * `wrap` replaces `mapped`. Inside `mapped`, the variable is bound to the optional's value.
 */
function onValue(name: string, wrap: (nodes: ExpansionFactory, mapped: Expr) => Expr): Macro {
  return {
    name,
    arguments: 2,
    style: 'method',
    expand: (nodes, [variable, mapped], target) => {
      if (variable!.kind !== 'ident') return refuse(variable!, `${name}() variable name must be a simple identifier`);
      const bound = variable!.name;
      return nodes.call(
        OPERATOR.conditional,
        nodes.memberCall(EXPANSION.hasValue, target!),
        wrap(
          nodes,
          bindFold(nodes, {
            name: bound,
            value: () => nodes.memberCall(EXPANSION.value, nodes.again('target', target!)),
            step: () => nodes.ident(bound),
            result: mapped!,
          }),
        ),
        nodes.call(EXPANSION.optionalNone),
      );
    },
  };
}

/** Macros of optionals. Source: cel-go cel/library.go `optMap`, `optFlatMap` (v0.29.2). */
export const OPTIONAL_MACROS: readonly Macro[] = [
  onValue('optMap', (nodes, mapped) => nodes.call(EXPANSION.optionalOf, mapped)),
  onValue('optFlatMap', (_, mapped) => mapped),
];

const INPUT = '@__sortBy_input__';
const SORTABLE = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

/**
 * Macro `list.sortBy(x, key)`, which sorts a list by the keys that it computes from the elements. Source: cel-go ext/lists.go `sortByMacro`
 * (v0.29.2).
 */
export const SORT_BY: Macro = {
  name: 'sortBy',
  arguments: 2,
  style: 'method',
  expand: (nodes, args, target) => {
    const input = nodes.ident(INPUT);
    if (!SORTABLE.has(target!.kind)) {
      return refuse(target!, 'sortBy can only be applied to a list, identifier, comprehension, call or select expression');
    }
    const keys = expandMap(nodes, args, nodes.copy(input));
    if (keys.kind === 'error') return keys;
    const sorted = nodes.memberCall(EXPANSION.sortByAssociatedKeys, nodes.copy(input), keys);
    return bindFold(nodes, { name: INPUT, value: () => target!, step: () => input, result: sorted });
  },
};

/** Name in a macro argument, or the error if the argument is not a name or the name is not allowed. */
export type VariableName = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly refusal: Expansion };

/**
 * Returns the iteration variable of a macro with one variable. `complaint` is the macro's error message for an argument that is not a name.
 */
function iterationVariable(nodes: ExpansionFactory, argument: Expr, complaint: string): VariableName {
  if (argument.kind !== 'ident') return { ok: false, refusal: refuse(argument, complaint) };
  if (nodes.isReserved(argument.name)) return { ok: false, refusal: refuse(argument, OVERWRITES) };
  return { ok: true, name: argument.name };
}

/**
 * Returns both iteration variables of a macro with two variables, or an error for an invalid variable. Source: cel-go ext/comprehensions.go
 * `extractIterVars` (v0.29.2).
 */
function iterationVariables(
  first: Expr,
  second: Expr,
): { readonly ok: true; readonly variable: string; readonly variable2: string } | { readonly ok: false; readonly refusal: Expansion } {
  if (first.kind !== 'ident') return { ok: false, refusal: refuse(first, NOT_SIMPLE) };
  if (second.kind !== 'ident') return { ok: false, refusal: refuse(second, NOT_SIMPLE) };
  if (first.name === second.name) return { ok: false, refusal: refuse(second, `duplicate variable name: ${first.name}`) };
  if (isAccumulator(first.name)) return { ok: false, refusal: refuse(first, OVERWRITES) };
  if (isAccumulator(second.name)) return { ok: false, refusal: refuse(second, OVERWRITES) };
  return { ok: true, variable: first.name, variable2: second.name };
}

/**
 * Error message of macros for an iteration variable that is not a name. Source: cel-go parser/macro.go, ext/comprehensions.go (v0.29.2).
 */
const NOT_SIMPLE = 'argument must be a simple name';
const OVERWRITES = 'iteration variable overwrites accumulator variable';
