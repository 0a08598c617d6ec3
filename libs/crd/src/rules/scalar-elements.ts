import type { CelValue, EvaluationLimits, Program } from '#cel';
import { Cancelled, scalarList } from '#go';
import type { JsonValue } from '#go';
import type { CompiledRules } from './compiled-rules.ts';

/** Elements of a list of scalars between two looks at the token and the budget. */
export const ELEMENTS_AT_ONCE = 256;

/**
 * Returns the only rule of a list's elements if these are integers or strings that the rule uses without a conversion.
 * Undefined for all other lists.
 */
export function onlyScalarRule(items: CompiledRules, list: readonly JsonValue[]): Program | undefined {
  const scalars = scalarList(list);
  const [rule, another] = items.rules;
  if (scalars === undefined || rule?.program === undefined || another !== undefined) return undefined;
  if (items.error !== undefined || items.allOf.length > 0 || rule.usesOldSelf) return undefined;
  const { type, format, intOrString } = items.valueSchema;
  if (intOrString || (scalars.kind === 'ints' ? type !== 'integer' : type !== 'string' || format !== '')) return undefined;
  return rule.program;
}

/** Elements that were passed over, and what their evaluations cost. */
export interface PassedElements {
  /** A multiple of {@link ELEMENTS_AT_ONCE} unless it is the rest of the list. */
  readonly count: number;
  readonly cost: number;
}

/** Passes over elements from `from` on for which the rule is true, as long as `budget` lasts. */
export function passTrueElements(
  program: Program,
  list: readonly JsonValue[],
  from: number,
  budget: number,
  limits: EvaluationLimits,
): PassedElements {
  let [at, cost] = [from, 0];
  while (at < list.length) {
    if (limits.token?.cancelled === true) throw new Cancelled();
    const to = Math.min(at + ELEMENTS_AT_ONCE, list.length);
    const passed = program.evaluateWhileTrue?.(list as readonly CelValue[], { from: at, to }, limits);
    // A refused element, or the last one that the budget allows, is evaluated by itself.
    if (passed === undefined || passed.count < to - at || passed.cost >= budget - cost) break;
    cost += passed.cost;
    at = to;
  }
  return { count: at - from, cost };
}
