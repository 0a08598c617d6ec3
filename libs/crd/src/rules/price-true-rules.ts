import type { JsonValue } from '#go';
import type { CompiledRules, CompiledRule } from './compiled-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import type { RuleEvaluationOptions } from './node-evaluation.ts';

/** Cost limits and cancellation token of an evaluation. See {@link RuleEvaluationOptions}. */
export type EvaluationBounds = Pick<RuleEvaluationOptions, 'costLimit' | 'budget' | 'token'>;

/**
 * Returns the cost of the rules in cost units if every rule is true and the budget suffices. Returns undefined in all other cases; a caller
 * that needs the errors must then evaluate the rules again. Throws `Cancelled` if the token is cancelled.
 */
export function priceTrueRules(
  rules: CompiledRules,
  value: JsonValue,
  oldValue: JsonValue | undefined,
  { costLimit, budget, token }: EvaluationBounds,
): number | undefined {
  if (budget <= 0) return undefined;
  const { errors, remaining } = evaluateRules(rules, value, oldValue, {
    path: undefined,
    costLimit,
    budget,
    token,
    correlation: undefined,
    explain: false,
    observer: undefined,
    showsScalars: false,
    warn: () => undefined,
  });
  return errors.length > 0 || remaining <= 0 ? undefined : budget - remaining;
}

/**
 * Returns true if the rule uses `oldSelf`. Such a rule is evaluated only if there is an old value, or if the rule declares `oldSelf`
 * optional.
 */
export const isTransition = (rule: CompiledRule): boolean => rule.usesOldSelf;

/** Returns true if the rule uses only the new value. */
export const isStateless = (rule: CompiledRule): boolean => !rule.usesOldSelf;

/**
 * Returns the rules of a schema for which `keep` returns true, or undefined if there are none. `keep` must be `isTransition` or
 * `isStateless`. If some rules cannot be compiled, their error is part of the result only for `isStateless`. The function compiles all
 * rules of the schema.
 */
export function selectRules(rules: CompiledRules, keep: typeof isTransition): CompiledRules | undefined {
  const below = (child: CompiledRules | undefined): CompiledRules | undefined => child && selectRules(child, keep);
  const kept: CompiledRules = {
    rules: rules.rules.filter(keep),
    error: keep === isTransition ? undefined : rules.error,
    schema: rules.schema,
    valueSchema: rules.valueSchema,
    usesOldSelf: rules.usesOldSelf,
    items: below(rules.items),
    properties: rules.properties.flatMap(([name, child]) => {
      const chosen = selectRules(child, keep);
      return chosen === undefined ? [] : [[name, chosen] as const];
    }),
    additionalProperties: below(rules.additionalProperties),
    allOf: rules.allOf.map((branch) => selectRules(branch, keep)).filter((branch) => branch !== undefined),
  };
  return isEmpty(kept) ? undefined : kept;
}

const isEmpty = ({ rules, error, items, properties, additionalProperties, allOf }: CompiledRules): boolean =>
  rules.length === 0 &&
  error === undefined &&
  items === undefined &&
  properties.length === 0 &&
  additionalProperties === undefined &&
  allOf.length === 0;
