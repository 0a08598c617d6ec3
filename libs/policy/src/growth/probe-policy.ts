import type { CancellationToken, JsonObject } from '#go';
import { CelError } from '#cel';
import { OBJECT_BUDGET } from '#kube';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import { collectInvocations } from '../mutate/collect-invocations.ts';
import { mutate } from '../mutate/mutate.ts';
import type { MutationWorld } from '../mutate/mutate.ts';
import type { MutatingHook } from '../mutate/compiled-mutating-policy.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { admit } from '../validate/admit.ts';
import { MATCH_CONDITIONS_BUDGET } from '../validate/evaluate-policy.ts';
import type { PolicyHook } from '../validate/policy-set.ts';

/** Policy with its bindings, of either kind. */
export type ProbedPolicy =
  | { readonly kind: 'validating'; readonly hook: PolicyHook }
  | { readonly kind: 'mutating'; readonly hook: MutatingHook };

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

/** One evaluation of the expressions of a policy: for one binding and one parameter object, or of one mutation. */
export interface ProbedRun {
  /** Parameter object: its name, or `namespace/name` if the object has a namespace. Empty if there is no parameter object. */
  readonly param: string;
  /** Name of the binding; undefined for a mutation. */
  readonly binding: string | undefined;
  readonly evaluations: readonly ProgramRun[];
}

/** Costs of a policy and of each of its expressions when the policy is evaluated for one request. */
export interface PolicyProbe {
  readonly expressions: ReadonlyMap<string, ProbedExpression>;
  readonly runs: readonly ProbedRun[];
  /** Number of bindings that match the request. Zero if the policy does not match it. */
  readonly bindings: number;
  /** Number of pairs of a matching binding and a parameter object. A binding without parameters counts once. */
  readonly invocations: number;
  /** Number of these pairs that have a parameter object. */
  readonly parameters: number;
  /** Name of the matching binding whose evaluations cost most. Undefined if no binding matches. */
  readonly dearestBinding: string | undefined;
  /** Total cost of all evaluations of expressions, in cost units. */
  readonly cost: number;
  /** Message of the refusal; undefined if the policy allows the request. */
  readonly refusal: string | undefined;
  /** Object after the mutations of a mutating policy. Undefined for a validating policy. */
  readonly mutated: JsonObject | undefined;
}

/** Returns the text that identifies an expression in a policy. */
export const expressionKey = ({ part, index, name }: PolicyExpressionPlace): string => `${part} ${index} ${name ?? ''}`;

/**
 * Evaluates one policy for a request and returns the costs of its expressions. Throws `Cancelled` if the token requests cancellation.
 */
export function probePolicy(policy: ProbedPolicy, request: AdmissionRequest, world: MutationWorld, token?: CancellationToken): PolicyProbe {
  const { runs, ...outcome } =
    policy.kind === 'validating' ? validated(policy.hook, request, world, token) : mutated(policy.hook, request, world, token);
  const cost = runs.reduce((sum, { evaluations }) => sum + costOf(evaluations), 0);
  return { ...outcome, runs, cost, expressions: expressionsOf(runs.map(({ evaluations }) => evaluations)) };
}

const costOf = (evaluations: readonly ProgramRun[]): number => evaluations.reduce((sum, run) => sum + run.cost, 0);

type Outcome = Pick<PolicyProbe, 'runs' | 'bindings' | 'invocations' | 'parameters' | 'dearestBinding' | 'refusal' | 'mutated'>;

function validated(hook: PolicyHook, request: AdmissionRequest, world: MutationWorld, token: CancellationToken | undefined): Outcome {
  const { policies, refusal } = admit({ minor: world.minor, hooks: [hook] }, request, world, { token });
  const bindings = policies.flatMap((policy) => policy.bindings);
  const runs = bindings.flatMap(({ binding, runs: own }) => own.map(({ param, evaluations }) => ({ param, binding, evaluations })));
  const matching = bindings.filter(({ matched }) => matched).length;
  const parameters = runs.filter(({ param }) => param !== '').length;
  const costs = bindings.flatMap(({ binding, matched, runs: own }) =>
    matched ? [{ binding, cost: costOf(own.flatMap(({ evaluations }) => evaluations)) }] : [],
  );
  const dearestBinding = costs.toSorted((a, b) => b.cost - a.cost)[0]?.binding;
  return { runs, bindings: matching, invocations: runs.length, parameters, dearestBinding, refusal: refusal?.message, mutated: undefined };
}

function mutated(hook: MutatingHook, request: AdmissionRequest, world: MutationWorld, token: CancellationToken | undefined): Outcome {
  const conditions: ProgramRun[][] = [];
  const verdict = mutate({ minor: world.minor, hooks: [hook] }, request, world, { token, conditions });
  const runs = [
    ...conditions.map((evaluations) => ({ param: '', binding: undefined, evaluations })),
    ...verdict.mutations.map(({ param, evaluations }) => ({ param, binding: undefined, evaluations })),
  ];
  const { invocations } = collectInvocations([hook], request, world);
  const bindings = new Set(invocations.map(({ binding }) => binding)).size;
  const parameters = invocations.filter(({ param }) => param !== undefined).length;
  const dearestBinding = invocations[0]?.binding;
  return {
    runs,
    bindings,
    invocations: invocations.length,
    parameters,
    dearestBinding,
    refusal: verdict.refusal?.message ?? verdict.panic,
    mutated: verdict.object,
  };
}

/**
 * Returns the name and size of the budget that an evaluation uses. Match conditions share one budget, validations and their messages share
 * another, and audit annotations share a third. Each mutation has its own. A variable uses the budget of the part that uses the variable
 * first.
 */
function budgetOf({ part, for: by }: ProgramRun): { readonly name: string; readonly budget: number } {
  const list = by ?? part;
  if (list === 'matchCondition') return { name: list, budget: MATCH_CONDITIONS_BUDGET };
  return { name: list === 'auditAnnotation' || list === 'mutation' ? list : 'validation', budget: OBJECT_BUDGET };
}

function expressionsOf(evaluations: readonly (readonly ProgramRun[])[]): ReadonlyMap<string, ProbedExpression> {
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
  return expressions;
}
