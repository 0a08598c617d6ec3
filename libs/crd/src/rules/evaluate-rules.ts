import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { MapListIndex } from '../object/map-list-index.ts';
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
  const { path, correlation, explain, observer } = options;
  // Correlation only excuses refusals: where no rule is refused, old values need not be looked up.
  if (correlation !== undefined && !explain && observer === undefined) {
    const trial = new RuleWalk(new NodeEvaluation(options, 'first error'));
    trial.node(rules, new RuleCursor(path, value, oldValue ?? null, undefined, undefined));
    if (trial.evaluation.errors.length === 0) return { errors: [], remaining: trial.evaluation.remaining, evaluated: undefined };
  }
  const walk = new RuleWalk(new NodeEvaluation(options, 'all errors'));
  walk.node(rules, new RuleCursor(path, value, oldValue ?? null, correlation, undefined));
  return walk.evaluation.result;
}

/** Maps whose keys are stable between updates. */
export function mapIsCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic';
}

/** Walks a value beside the rules of its schema, in upstream's order. */
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
      this.node(branch, at.branch());
      if (this.evaluation.isOver) return;
    }
    if (Array.isArray(value)) this.#items(rules, at, value);
    else if (isJsonObject(value)) this.#fields(rules, at, value);
  }

  #items(rules: CompiledRules, at: RuleCursor, list: readonly JsonValue[]): void {
    const { items } = rules;
    if (items === undefined) return;
    const { oldValue } = at;
    const oldItems = Array.isArray(oldValue) && rules.schema.listType === 'map' ? new MapListIndex(rules.schema, oldValue) : undefined;
    const scalarRule = this.evaluation.isObserved ? undefined : onlyScalarRule(items, list);
    for (let i = 0; i < list.length; i++) {
      if (scalarRule !== undefined && i % ELEMENTS_AT_ONCE === 0) {
        const { remaining, limits } = this.evaluation;
        const passed = passTrueElements(scalarRule, list, i, remaining, limits);
        this.evaluation.spend(passed.cost);
        i += passed.count;
        if (i >= list.length) return;
      }
      const item = list[i] as JsonValue;
      this.node(items, at.item(i, item, oldItems?.get(item) ?? null));
      if (this.evaluation.isOver) return;
    }
  }

  #fields(rules: CompiledRules, at: RuleCursor, object: JsonObject): void {
    const { oldValue } = at;
    const oldObject = isJsonObject(oldValue) && mapIsCorrelatable(rules.schema.mapType) ? oldValue : undefined;
    const additional = rules.additionalProperties;
    if (additional !== undefined) {
      for (const key of Object.keys(object)) {
        this.node(additional, at.entry(key, oldObject));
        if (this.evaluation.isOver) return;
      }
    }
    for (const [key, child] of rules.properties) {
      if (object[key] === undefined || object[key] === null) continue;
      this.node(child, at.field(key, oldObject));
      if (this.evaluation.isOver) return;
    }
  }
}
