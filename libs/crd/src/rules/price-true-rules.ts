import type { JsonValue } from '#go';
import type { CompiledRules } from './compiled-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import type { RuleEvaluationOptions } from './evaluation-options.ts';

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
