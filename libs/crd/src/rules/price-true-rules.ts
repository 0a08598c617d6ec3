import type { JsonValue } from '#go';
import type { CompiledRules } from './compiled-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import type { RuleEvaluationOptions } from './evaluation-options.ts';

/** What evaluations may cost, and who may end them. See {@link RuleEvaluationOptions}. */
export type EvaluationBounds = Pick<RuleEvaluationOptions, 'costLimit' | 'budget' | 'token'>;

/**
 * Cost units of rules that are all true, with budget left; undefined where one is not or the budget ends: then whoever words errors has to evaluate them.
 * Throws `Cancelled` when the token asks for it.
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
