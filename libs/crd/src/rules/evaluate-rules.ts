import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { CompiledRules } from './compiled-rules.ts';
import type { RuleEvaluationOptions, RulesResult } from './evaluation-options.ts';
import { NodeEvaluation } from './node-evaluation.ts';
import { RuleCursor } from './rule-cursor.ts';
import { ELEMENTS_AT_ONCE, onlyScalarRule, passTrueElements } from './scalar-elements.ts';

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
