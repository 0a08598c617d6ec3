import { EXPANSION, LEGACY_ACCUMULATOR, OPERATOR } from '../../library/names.ts';
import type { ComprehensionExpr, Expr } from './ast.ts';
import type { ExpansionFactory } from './node-factory.ts';

/**
 * Range and iteration variables of a comprehension. A single variable takes the element or key. Two variables take the index and the
 * element, or the key and the value.
 */
export interface Iteration {
  readonly range: Expr;
  readonly variable: string;
  readonly variable2?: string;
}

/**
 * Expands `all`: the result is true unless the predicate is false for an element. Nodes are created and numbered in the order of cel-go
 * parser/macro.go `makeQuantifier` (v0.29.2).
 */
export function allFold(nodes: ExpansionFactory, iteration: Iteration, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'bool', value: true });
  const condition = notStrictlyFalse(nodes, accumulator(nodes));
  const step = nodes.call(OPERATOR.and, accumulator(nodes), predicate);
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/** Expands `exists`: the result is false unless the predicate is true for an element. */
export function existsFold(nodes: ExpansionFactory, iteration: Iteration, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'bool', value: false });
  const condition = notStrictlyFalse(nodes, nodes.call(OPERATOR.not, accumulator(nodes)));
  const step = nodes.call(OPERATOR.or, accumulator(nodes), predicate);
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/** Expands `exists_one`: counts the elements for which the predicate is true. The loop always visits all elements. */
export function existsOneFold(nodes: ExpansionFactory, iteration: Iteration, predicate: Expr): Expr {
  const initial = nodes.constant({ type: 'int', value: 0n });
  const one = nodes.eachTime('one', () => nodes.constant({ type: 'int', value: 1n }));
  const condition = nodes.constant({ type: 'bool', value: true });
  const step = nodes.call(OPERATOR.conditional, predicate, nodes.call(OPERATOR.add, accumulator(nodes), one()), accumulator(nodes));
  const result = nodes.call(OPERATOR.equals, accumulator(nodes), one());
  return fold(nodes, iteration, { initial, condition, step, result });
}

/**
 * Expands `map`, `filter` and `transformList` to a loop that builds a list. For each entry of the range that passes `filter`, the loop
 * appends the value of the expression `element`.
 */
export function listFold(nodes: ExpansionFactory, iteration: Iteration, element: Expr, filter: Expr | undefined): Expr {
  const own = nodes.eachTime('accumulator', () => accumulator(nodes));
  const initial = nodes.list();
  const condition = nodes.constant({ type: 'bool', value: true });
  const append = nodes.call(OPERATOR.add, own(), nodes.list(element));
  const step = filter === undefined ? append : nodes.call(OPERATOR.conditional, filter, append, own());
  return fold(nodes, iteration, { initial, condition, step, result: own() });
}

/**
 * Expands `transformMap` and `transformMapEntry` to a loop that builds a map. In each iteration, the loop inserts the expressions that
 * `entry` returns: either a key and a value, or one map with a single entry. As in upstream, the loop step is created before the initial
 * map. Source: cel-go ext/comprehensions.go (v0.29.2).
 */
export function mapFold(nodes: ExpansionFactory, iteration: Iteration, entry: () => readonly Expr[], filter: Expr | undefined): Expr {
  const insert = nodes.call(EXPANSION.mapInsert, accumulator(nodes), ...entry());
  const step = filtered(nodes, insert, filter);
  const initial = nodes.map();
  const condition = nodes.constant({ type: 'bool', value: true });
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/**
 * Expands `transformList` to the same loop as {@link listFold}. In contrast to `listFold`, creates the nodes of the loop step before the
 * node of the initial list, as all macros with two variables do.
 */
export function transformListFold(nodes: ExpansionFactory, iteration: Iteration, element: Expr, filter: Expr | undefined): Expr {
  const append = nodes.call(OPERATOR.add, accumulator(nodes), nodes.list(element));
  const step = filtered(nodes, append, filter);
  const initial = nodes.list();
  const condition = nodes.constant({ type: 'bool', value: true });
  return fold(nodes, iteration, { initial, condition, step, result: accumulator(nodes) });
}

/**
 * Binding of a name to the value of `value`, for the expression `result`, which uses the name. The binding becomes a comprehension without
 * iterations, and `step` creates its unused loop step.
 */
export interface Binding {
  readonly name: string;
  readonly value: () => Expr;
  readonly step: () => Expr;
  readonly result: Expr;
}

/**
 * Returns a node that binds a value to a name for one expression. It is a comprehension with an empty range, whose initial accumulator is
 * the bound value. Source: cel-go cel/library.go `optMap`, ext/lists.go `sortByMacro` (v0.29.2).
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

/**
 * Returns true if a comprehension only binds a value to a name: its range is an empty list and its loop condition is `false`.
 * Comprehensions whose accumulator is `__result__` do not count.
 */
export function isBinding(node: ComprehensionExpr): boolean {
  const { iterRange, loopCondition } = node;
  if (iterRange.kind !== 'list' || iterRange.elements.length > 0 || node.accuVar === LEGACY_ACCUMULATOR) return false;
  return loopCondition.kind === 'constant' && loopCondition.constant.type === 'bool' && !loopCondition.constant.value;
}
