import { EXPANSION, OPERATOR } from '../../../library/names.ts';
import type { Expr } from '../ast.ts';
import type { ExpansionFactory } from '../node-factory.ts';

/** The range of a fold and the variables that it binds: one (element or key), or two (index and element, or key and value). */
export interface Iteration {
  readonly range: Expr;
  readonly variable: string;
  readonly variable2?: string;
}

/** `all`: true until a predicate says no. Nodes are made (and numbered) in the order of cel-go parser/macro.go `makeQuantifier` (v0.29.2). */
export function allFold(nodes: ExpansionFactory, iteration: Iteration, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'bool', value: true });
  const condition = notStrictlyFalse(nodes, accumulator(nodes));
  const step = nodes.call(OPERATOR.and, accumulator(nodes), predicate);
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/** `exists`: false until a predicate says yes. */
export function existsFold(nodes: ExpansionFactory, iteration: Iteration, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'bool', value: false });
  const condition = notStrictlyFalse(nodes, nodes.call(OPERATOR.not, accumulator(nodes)));
  const step = nodes.call(OPERATOR.or, accumulator(nodes), predicate);
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/** `exists_one`: counts, never stops early. */
export function existsOneFold(nodes: ExpansionFactory, iteration: Iteration, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'int', value: 0n });
  const one = nodes.eachTime('one', () => nodes.constant({ type: 'int', value: 1n }));
  const condition = nodes.constant({ type: 'bool', value: true });
  const step = nodes.call(OPERATOR.conditional, predicate, nodes.call(OPERATOR.add, accumulator(nodes), one()), accumulator(nodes));
  const result = nodes.call(OPERATOR.equals, accumulator(nodes), one());
  return fold(nodes, iteration, { initial, condition, step, result });
}

/** Expands `map`, `filter` and `transformList`: appends `element` for every entry that passes the filter. */
export function listFold(nodes: ExpansionFactory, iteration: Iteration, element: Expr, filter: Expr | undefined): Expr {
  const own = nodes.eachTime('accumulator', () => accumulator(nodes));
  const initial = nodes.list();
  const condition = nodes.constant({ type: 'bool', value: true });
  const append = nodes.call(OPERATOR.add, own(), nodes.list(element));
  const step = filter === undefined ? append : nodes.call(OPERATOR.conditional, filter, append, own());
  return fold(nodes, iteration, { initial, condition, step, result: own() });
}

/**
 * `transformMap`, `transformMapEntry`: inserts what `entry` makes (a key and a value, or a one-entry map). Upstream makes the step before
 * the initial map. Source: cel-go ext/comprehensions.go (v0.29.2).
 */
export function mapFold(nodes: ExpansionFactory, iteration: Iteration, entry: () => readonly Expr[], filter: Expr | undefined): Expr {
  const insert = nodes.call(EXPANSION.mapInsert, accumulator(nodes), ...entry());
  const step = filtered(nodes, insert, filter);
  const initial = nodes.map();
  const condition = nodes.constant({ type: 'bool', value: true });
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/** Like {@link listFold}, with the node order of the two-variable macros: the step comes before the initial list. */
export function transformListFold(nodes: ExpansionFactory, iteration: Iteration, element: Expr, filter: Expr | undefined): Expr {
  const append = nodes.call(OPERATOR.add, accumulator(nodes), nodes.list(element));
  const step = filtered(nodes, append, filter);
  const initial = nodes.list();
  const condition = nodes.constant({ type: 'bool', value: true });
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/** A name, its value, and the expression that uses it. */
export interface Binding {
  readonly name: string;
  readonly value: () => Expr;
  readonly step: () => Expr;
  readonly result: Expr;
}

/**
 * Returns a value bound to a name for one use: a fold over nothing whose initial value is the bound one.
 * Source: cel-go cel/library.go `optMap`, ext/lists.go `sortByMacro` (v0.29.2).
 */
export function bindFold(nodes: ExpansionFactory, { name, value, step, result }: Binding): Expr {
  const range = nodes.list();
  const initial = value();
  const condition = nodes.constant({ type: 'bool', value: false });
  return nodes.comprehension({ range, variable: '#unused', accumulator: name, initial, condition, step: step(), result });
}

function fold(nodes: ExpansionFactory, iteration: Iteration, parts: { initial: Expr; condition: Expr; step: Expr; result: Expr }): Expr {
  return nodes.comprehension({ ...iteration, accumulator: nodes.accumulatorName, ...parts });
}

const accumulator = (nodes: ExpansionFactory): Expr => nodes.ident(nodes.accumulatorName);

const notStrictlyFalse = (nodes: ExpansionFactory, operand: Expr): Expr => nodes.call(OPERATOR.notStrictlyFalse, operand);

function filtered(nodes: ExpansionFactory, step: Expr, filter: Expr | undefined): Expr {
  return filter === undefined ? step : nodes.call(OPERATOR.conditional, filter, step, accumulator(nodes));
}
