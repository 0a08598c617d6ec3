import { CelError } from '#cel';
import { OBJECT_BUDGET } from '#kube';
import { admit } from '../validate/admit.ts';
import { MATCH_CONDITIONS_BUDGET } from '../validate/evaluate-policy.ts';
import type { CancellationToken } from '#go';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { PolicyHook } from '../validate/policy-set.ts';
import type { World } from '../world.ts';

/** Part, index and name that identify an expression in a policy. */
export type ExpressionPlace = Pick<ProgramRun, 'part' | 'index' | 'name'>;

/** Cost of one expression when its policy is evaluated for a request. */
export interface ProbedExpression extends ExpressionPlace {
  /** Cost of the most expensive evaluation of the expression, in cost units. */
  readonly cost: number;
  /** Cost of all expressions that share its budget, in the most expensive evaluation of the policy, in cost units. */
  readonly sharedCost: number;
  /** Budget that these expressions share, in cost units. */
  readonly budget: number;
  /** True if an evaluation of the expression was stopped by the limit of one evaluation. */
  readonly isStopped: boolean;
}

/** The costs of a policy for one object. */
export interface PolicyProbe {
  readonly expressions: ReadonlyMap<string, ProbedExpression>;
  /** Cost of all evaluations of expressions, in cost units. */
  readonly cost: number;
}

/**
 * Returns the budget that applies to an evaluation. There is one budget for match conditions, one for validations with their messages, and
 * one for audit annotations. A variable counts for the part that uses it first.
 */
function budgetOf({ part, for: by }: ProgramRun): { readonly name: string; readonly budget: number } {
  const list = by ?? part;
  if (list === 'matchCondition') return { name: list, budget: MATCH_CONDITIONS_BUDGET };
  return { name: list === 'auditAnnotation' ? list : 'validation', budget: OBJECT_BUDGET };
}

/** Identifies an expression in a policy. */
export const expressionKey = ({ part, index, name }: ExpressionPlace): string => `${part} ${index} ${name ?? ''}`;

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
