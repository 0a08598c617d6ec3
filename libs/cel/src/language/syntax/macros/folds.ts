import { EXPANSION, OPERATOR } from '../../../library/names.ts';
import type { Expr } from '../ast.ts';
import type { ExpansionFactory } from '../node-factory.ts';

/** The variables that a fold binds: one (element or key), or two (index and element, or key and value). */
export interface FoldVariables {
  readonly variable: string;
  readonly variable2?: string;
}

/** `all`: true until a predicate says no. Nodes are made (and numbered) in the order of cel-go parser/macro.go `makeQuantifier` (v0.29.2). */
export function allFold(nodes: ExpansionFactory, range: Expr, variables: FoldVariables, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'bool', value: true });
  const condition = notStrictlyFalse(nodes, accumulator(nodes));
  const step = nodes.call(OPERATOR.and, accumulator(nodes), predicate);
  return fold(nodes, range, variables, { initial, condition, step, result: accumulator(nodes) });
}

/** `exists`: false until a predicate says yes. */
export function existsFold(nodes: ExpansionFactory, range: Expr, variables: FoldVariables, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'bool', value: false });
  const condition = notStrictlyFalse(nodes, nodes.call(OPERATOR.not, accumulator(nodes)));
  const step = nodes.call(OPERATOR.or, accumulator(nodes), predicate);
  return fold(nodes, range, variables, { initial, condition, step, result: accumulator(nodes) });
}

/** `exists_one`: counts, never stops early. */
export function existsOneFold(nodes: ExpansionFactory, range: Expr, variables: FoldVariables, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'int', value: 0n });
  const one = nodes.eachTime('one', () => nodes.constant({ type: 'int', value: 1n }));
  const condition = nodes.constant({ type: 'bool', value: true });
  const step = nodes.call(OPERATOR.conditional, predicate, nodes.call(OPERATOR.add, accumulator(nodes), one()), accumulator(nodes));
  const result = nodes.call(OPERATOR.equals, accumulator(nodes), one());
  return fold(nodes, range, variables, { initial, condition, step, result });
}

/** `map`, `filter`, `transformList`: appends `element` for every entry, or for those that pass the filter. */
export function listFold(nodes: ExpansionFactory, range: Expr, variables: FoldVariables, element: Expr, filter: Expr | undefined): Expr {
  const own = nodes.eachTime('accumulator', () => accumulator(nodes));
  const initial = nodes.list();
  const condition = nodes.constant({ type: 'bool', value: true });
  const append = nodes.call(OPERATOR.add, own(), nodes.list(element));
  const step = filter === undefined ? append : nodes.call(OPERATOR.conditional, filter, append, own());
  return fold(nodes, range, variables, { initial, condition, step, result: own() });
}

/**
 * `transformMap`, `transformMapEntry`: inserts what `entry` makes (a key and a value, or a one-entry map). Upstream makes the step before
 * the initial map. Source: cel-go ext/comprehensions.go (v0.29.2).
 */
export function mapFold(
  nodes: ExpansionFactory,
  range: Expr,
  variables: FoldVariables,
  entry: () => readonly Expr[],
  filter: Expr | undefined,
): Expr {
  const insert = nodes.call(EXPANSION.mapInsert, accumulator(nodes), ...entry());
  const step = filtered(nodes, insert, filter);
  const initial = nodes.map();
  const condition = nodes.constant({ type: 'bool', value: true });
  return fold(nodes, range, variables, { initial, condition, step, result: accumulator(nodes) });
}

/** As {@link listFold}, with the node order of the two-variable macros: the step is made before the initial list. */
export function transformListFold(
  nodes: ExpansionFactory,
  range: Expr,
  variables: FoldVariables,
  element: Expr,
  filter: Expr | undefined,
): Expr {
  const append = nodes.call(OPERATOR.add, accumulator(nodes), nodes.list(element));
  const step = filtered(nodes, append, filter);
  const initial = nodes.list();
  const condition = nodes.constant({ type: 'bool', value: true });
  return fold(nodes, range, variables, { initial, condition, step, result: accumulator(nodes) });
}

/**
 * A value bound to a name for one use: a fold over nothing whose initial value is the bound one.
 * Source: cel-go cel/library.go `optMap`, ext/lists.go `sortByMacro` (v0.29.2).
 */
export function bindFold(nodes: ExpansionFactory, name: string, value: () => Expr, step: () => Expr, result: Expr): Expr {
  const range = nodes.list();
  const initial = value();
  const condition = nodes.constant({ type: 'bool', value: false });
  return nodes.comprehension({ range, variable: '#unused', accumulator: name, initial, condition, step: step(), result });
}

function fold(
  nodes: ExpansionFactory,
  range: Expr,
  variables: FoldVariables,
  parts: { initial: Expr; condition: Expr; step: Expr; result: Expr },
): Expr {
  return nodes.comprehension({ range, ...variables, accumulator: nodes.accumulatorName, ...parts });
}

const accumulator = (nodes: ExpansionFactory): Expr => nodes.ident(nodes.accumulatorName);

const notStrictlyFalse = (nodes: ExpansionFactory, operand: Expr): Expr => nodes.call(OPERATOR.notStrictlyFalse, operand);

function filtered(nodes: ExpansionFactory, step: Expr, filter: Expr | undefined): Expr {
  return filter === undefined ? step : nodes.call(OPERATOR.conditional, filter, step, accumulator(nodes));
}
