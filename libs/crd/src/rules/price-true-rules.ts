import type { JsonValue } from '#go';
import type { CompiledRules } from './compiled-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import type { RuleEvaluationOptions } from './evaluation-options.ts';

/** The cost limits of evaluations, and their cancellation token. See {@link RuleEvaluationOptions}. */
export type EvaluationBounds = Pick<RuleEvaluationOptions, 'costLimit' | 'budget' | 'token'>;

/**
 * Returns the cost units of the rules if all are true within the budget; otherwise undefined. Then a caller that
 * reports errors must evaluate them again. Throws `Cancelled` if the token requests it.
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
