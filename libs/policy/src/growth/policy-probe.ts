import { CelError } from '#cel';
import { OBJECT_BUDGET } from '#kube';
import { admit } from '../validate/admit.ts';
import { MATCH_CONDITIONS_BUDGET } from '../validate/evaluate-policy.ts';
import type { CancellationToken } from '#go';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { PolicyHook } from '../validate/policy-set.ts';
import type { World } from '../world.ts';

/** Identity of an expression in a policy: its kind (such as `validation`), its index in the list of this kind, and its name. */
export type PolicyExpressionPlace = Pick<ProgramRun, 'part' | 'index' | 'name'>;

/** Cost of one expression when its policy is evaluated for a request. */
export interface ProbedExpression extends PolicyExpressionPlace {
  /** Cost of the expression in its most expensive evaluation, in cost units. */
  readonly cost: number;
  /**
   * Total cost of all expressions that share the budget of this expression, in the most expensive evaluation of the policy, in cost units.
   */
  readonly sharedCost: number;
  /** Cost budget that the expression shares with other expressions, in cost units. */
  readonly budget: number;
  /** True if an evaluation of the expression exceeded the cost limit of one evaluation and was stopped. */
  readonly isStopped: boolean;
}

/** Costs of a policy and of each of its expressions when the policy is evaluated for one request. */
export interface PolicyProbe {
  readonly expressions: ReadonlyMap<string, ProbedExpression>;
  /** Total cost of all evaluations of expressions, in cost units. */
  readonly cost: number;
}

/**
 * Returns the name and size of the budget that an evaluation uses. Match conditions share one budget, validations and their messages share
 * another, and audit annotations share a third. A variable uses the budget of the part that uses the variable first.
 */
function budgetOf({ part, for: by }: ProgramRun): { readonly name: string; readonly budget: number } {
  const list = by ?? part;
  if (list === 'matchCondition') return { name: list, budget: MATCH_CONDITIONS_BUDGET };
  return { name: list === 'auditAnnotation' ? list : 'validation', budget: OBJECT_BUDGET };
}

/** Returns the text that identifies an expression in a policy. */
export const expressionKey = ({ part, index, name }: PolicyExpressionPlace): string => `${part} ${index} ${name ?? ''}`;

/** Evaluates one policy for a request and returns the costs of its expressions. */
export function probePolicy(hook: PolicyHook, request: AdmissionRequest, world: World, token?: CancellationToken): PolicyProbe {
  const { policies } = admit({ minor: world.minor, hooks: [hook] }, request, world, { token });
  const evaluations = policies.flatMap(({ bindings }) => bindings.flatMap(({ runs }) => runs.map((run) => run.evaluations)));
  const expressions = new Map<string, ProbedExpression>();
  for (const runs of evaluations) {
    const shared = new Map<string, number>();
    for (const run of runs) shared.set(budgetOf(run).name, (shared.get(budgetOf(run).name) ?? 0) + run.cost);
    for (const run of runs) {
      const { part, index, name, cost, value } = run;
      const key = expressionKey(run);
      const known = expressions.get(key);
      const budget = budgetOf(run);
      expressions.set(key, {
        part,
        index,
        name,
        cost: Math.max(cost, known?.cost ?? 0),
        sharedCost: Math.max(shared.get(budget.name) ?? 0, known?.sharedCost ?? 0),
        budget: budget.budget,
        isStopped: known?.isStopped === true || (value instanceof CelError && value.code === 'costLimitExceeded'),
      });
    }
  }
  return { expressions, cost: evaluations.flat().reduce((sum, { cost }) => sum + cost, 0) };
}
