import { isJsonObject, Cancelled, scalarList } from '#go';
import type { JsonObject, JsonValue, CancellationToken } from '#go';
import type { CompiledRules } from './compiled-rules.ts';
import type { RuleEvaluationOptions, RulesResult } from './node-evaluation.ts';
import { NodeEvaluation } from './node-evaluation.ts';
import { RuleCursor } from './rule-cursor.ts';
import type { DirectCode, EvaluationLimits, Program } from '#cel';

/** Number of list elements that are evaluated between two checks of the cancellation token and the budget. */
const ELEMENTS_AT_ONCE = 256;

const NEVER_CANCELLED: CancellationToken = { cancelled: false };

/**
 * Returns the program (executable expression) of the rule on a list's elements, if the elements have exactly one rule. All elements must be
 * integers or all must be strings, and the rule must read them without a conversion. Returns undefined in all other cases.
 */
function onlyScalarRule(items: CompiledRules, list: readonly JsonValue[]): Program | undefined {
  const scalars = scalarList(list);
  const [rule, another] = items.rules;
  if (scalars === undefined || rule?.program === undefined || another !== undefined) return undefined;
  if (items.error !== undefined || items.allOf.length > 0 || rule.usesOldSelf) return undefined;
  const { type, format, intOrString } = items.valueSchema;
  if (intOrString || (scalars.kind === 'ints' ? type !== 'integer' : type !== 'string' || format !== '')) return undefined;
  return rule.program;
}

/**
 * Result of evaluating a rule on consecutive elements of a list until a group of elements does not pass. It contains the number of elements
 * in the groups that passed, and their total cost. In a group that passed, the rule is true for each element.
 */
interface PassedElements {
  /** Number of elements. It is a multiple of {@link ELEMENTS_AT_ONCE} unless the elements reach the end of the list. */
  readonly count: number;
  readonly cost: number;
}

/**
 * Evaluates a rule on the elements of a list from index `from`, in groups of {@link ELEMENTS_AT_ONCE}. Stops before the first group in
 * which the rule is not true for each element, or in which `budget` (in cost units) is exhausted. Returns the number of elements in the
 * earlier groups, and the cost of their evaluations. Throws `Cancelled` if the token requests cancellation.
 */
function passTrueElements(
  program: Program,
  list: readonly JsonValue[],
  from: number,
  budget: number,
  limits: EvaluationLimits,
): PassedElements {
  const code = program.codeFor?.('value');
  let [at, cost] = [from, 0];
  while (at < list.length) {
    if (limits.token?.cancelled === true) throw new Cancelled();
    // If an evaluation can take long, a cancellation must be able to stop it. So the caller evaluates such elements one by one.
    if (code === undefined || code.runsLong) break;
    const to = Math.min(at + ELEMENTS_AT_ONCE, list.length);
    const spent = costOfTrueElements(code, list, { from: at, to }, limits);
    // Some element in this group fails the rule, or the group reaches the budget. So the caller evaluates the elements one by one.
    if (spent === undefined || spent >= budget - cost) break;
    cost += spent;
    at = to;
  }
  return { count: at - from, cost };
}

/**
 * Returns the cost of a rule on the elements of a list from index `from` up to index `to`, which is excluded. Returns undefined if the rule
 * is not true for one of them, or exceeds the limit.
 */
function costOfTrueElements(
  { rule, run }: DirectCode,
  list: readonly JsonValue[],
  { from, to }: { readonly from: number; readonly to: number },
  limits: EvaluationLimits,
): number | undefined {
  const token = limits.token ?? NEVER_CANCELLED;
  let cost = 0;
  for (let at = from; at < to; at++) {
    if (rule(list[at], undefined, limits.costLimit, token, run) !== true || run.cost > limits.costLimit) return undefined;
    cost += run.cost;
  }
  return cost;
}

/** Evaluates all rules of an object. Source: apiextensions-apiserver pkg/apiserver/schema/cel/validation.go (1.37). */
export function evaluateRules(
  rules: CompiledRules,
  value: JsonValue,
  oldValue: JsonValue | undefined,
  options: RuleEvaluationOptions,
): RulesResult {
  const { path, correlation } = options;
  const walk = new RuleWalk(new NodeEvaluation(options));
  walk.node(rules, new RuleCursor(value, { path, oldValue: oldValue ?? null, correlation }));
  return walk.evaluation.result;
}

/** Traversal of a value together with the rules of its schema, in the order of the API server. */
class RuleWalk {
  readonly evaluation: NodeEvaluation;

  constructor(evaluation: NodeEvaluation) {
    this.evaluation = evaluation;
  }

  node(rules: CompiledRules, at: RuleCursor): void {
    const { value } = at;
    if (value === null) return;
    this.evaluation.evaluate(rules, at);
    if (this.evaluation.isOver) return;
    for (const branch of rules.allOf) {
      this.node(branch, at.branch(rules.schema));
      if (this.evaluation.isOver) return;
    }
    if (Array.isArray(value)) this.#items(rules, at, value);
    else if (isJsonObject(value)) this.#fields(rules, at, value);
  }

  #items(rules: CompiledRules, at: RuleCursor, list: readonly JsonValue[]): void {
    const { items } = rules;
    if (items === undefined) return;
    const scalarRule = this.evaluation.isObserved ? undefined : onlyScalarRule(items, list);
    for (let i = 0; i < list.length; i++) {
      if (scalarRule !== undefined && i % ELEMENTS_AT_ONCE === 0) {
        const { remaining, limits } = this.evaluation;
        const passed = passTrueElements(scalarRule, list, i, remaining, limits);
        this.evaluation.spend(passed.cost);
        i += passed.count;
        if (i >= list.length) return;
      }
      this.node(items, at.item(i, list[i] as JsonValue, rules.schema));
      if (this.evaluation.isOver) return;
    }
  }

  #fields(rules: CompiledRules, at: RuleCursor, object: JsonObject): void {
    const additional = rules.additionalProperties;
    if (additional !== undefined) {
      for (const key of Object.keys(object)) {
        this.node(additional, at.entry(key, object[key] as JsonValue, rules.schema));
        if (this.evaluation.isOver) return;
      }
    }
    for (const [key, child] of rules.properties) {
      const field = object[key];
      if (field === undefined || field === null) continue;
      this.node(child, at.field(key, field, rules.schema));
      if (this.evaluation.isOver) return;
    }
  }
}
