import { CelError } from '#cel';
import type { CheckedExpression, NodeReadings } from '#cel';
import { utf8Length, writeJson } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import { OBJECT_BUDGET } from '#kube';
import type { Server } from '#kube';
import { compileAdmission } from '../admission/policy-documents.ts';
import type { ProgramRun } from '../expressions/evaluate-expressions.ts';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';
import { collectInvocations } from '../mutate/collect-invocations.ts';
import { mutate } from '../mutate/mutate.ts';
import type { MutationWorld } from '../mutate/mutate.ts';
import type { MutatingHook } from '../mutate/mutating-policy.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { admit } from '../validate/admit.ts';
import type { PolicyHook } from '../validate/compiled-policy.ts';
import { MATCH_CONDITIONS_BUDGET } from '../validate/evaluate-policy.ts';
import type { PolicySubject } from './multiply-policy.ts';

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
  readonly costliestBinding: string | undefined;
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

type Outcome = Pick<PolicyProbe, 'runs' | 'bindings' | 'invocations' | 'parameters' | 'costliestBinding' | 'refusal' | 'mutated'>;

function validated(hook: PolicyHook, request: AdmissionRequest, world: MutationWorld, token: CancellationToken | undefined): Outcome {
  const { policies, refusal } = admit({ minor: world.minor, hooks: [hook] }, request, world, { token });
  const bindings = policies.flatMap((policy) => policy.bindings);
  const runs = bindings.flatMap(({ binding, runs: own }) => own.map(({ param, evaluations }) => ({ param, binding, evaluations })));
  const matching = bindings.filter(({ matched }) => matched).length;
  const parameters = runs.filter(({ param }) => param !== '').length;
  const costs = bindings.flatMap(({ binding, matched, runs: own }) =>
    matched ? [{ binding, cost: costOf(own.flatMap(({ evaluations }) => evaluations)) }] : [],
  );
  const costliestBinding = costs.toSorted((a, b) => b.cost - a.cost)[0]?.binding;
  return {
    runs,
    bindings: matching,
    invocations: runs.length,
    parameters,
    costliestBinding,
    refusal: refusal?.message,
    mutated: undefined,
  };
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
  const costliestBinding = invocations[0]?.binding;
  return {
    runs,
    bindings,
    invocations: invocations.length,
    parameters,
    costliestBinding,
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

/** Request that a study sends to variants of a policy, with the server that answers. */
export interface SampleRequest {
  readonly request: AdmissionRequest;
  readonly server: Server;
  readonly authorizer: readonly AuthorizationRule[];
}

/** A compiled policy, with the cluster state that it reads for the sample request. */
export interface CompiledSubject {
  readonly policy: ProbedPolicy;
  readonly world: MutationWorld;
}

/**
 * Compiles a policy with its bindings for the engine that counts. Returns the reason if a document is invalid, or if the server does not
 * evaluate policies of this kind. Throws `Cancelled` if the token requests cancellation.
 */
export function compileSubject(
  { policy, bindings, cluster, definitions }: PolicySubject,
  { request, server, authorizer }: SampleRequest,
  token?: CancellationToken,
): CompiledSubject | string {
  const documents = { policies: [policy, ...bindings], cluster, definitions };
  const compiled = compileAdmission(documents, { ...server, engine: 'measured', token });
  if (!compiled.ok) return compiled.error;
  const { validating, mutating } = compiled.policies;
  const [validatingHook] = validating.hooks;
  const [mutatingHook] = mutating?.hooks ?? [];
  const world = compiled.policies.world(request.namespace, authorizer);
  if (validatingHook !== undefined) return { policy: { kind: 'validating', hook: validatingHook }, world };
  if (mutatingHook !== undefined) return { policy: { kind: 'mutating', hook: mutatingHook }, world };
  if (isMutating(policy) && mutating === undefined)
    return `Kubernetes ${server.minor} applies no MutatingAdmissionPolicies: their feature gate is off`;
  return 'the policy has no binding';
}

/** Returns true for a MutatingAdmissionPolicy. */
export const isMutating = ({ kind }: JsonObject): boolean => kind === 'MutatingAdmissionPolicy';

/** Compiles a policy and evaluates it for the sample request. Returns the reason if the policy cannot be used. */
export function probeSubject(subject: PolicySubject, sample: SampleRequest, token?: CancellationToken): PolicyProbe | string {
  const compiled = compileSubject(subject, sample, token);
  return typeof compiled === 'string' ? compiled : probePolicy(compiled.policy, sample.request, compiled.world, token);
}

/** Numbers of steps that a server does for one request under one policy, from which a time can be predicted. */
export interface RequestFacts {
  /** Number of bindings that a server compares with the request. */
  readonly bindings: number;
  /** Number of pairs of a matching binding and a parameter object. A binding without parameters counts once. */
  readonly invocations: number;
  /** Number of invocations that have a parameter object. */
  readonly parameters: number;
  /** Number of parameter objects that bindings with a selector compare with their selectors, added up over the bindings. */
  readonly candidates: number;
  /** Number of lists of expressions that share a budget and are evaluated, added up over the invocations. */
  readonly lists: number;
  readonly evaluations: readonly { readonly isVariable: boolean; readonly checked: CheckedExpression; readonly readings: NodeReadings }[];
  /** Number of apply configurations that are merged into the object, and of JSON patches that are applied to it. */
  readonly applied: number;
  readonly patched: number;
  /** Size of the request's object as JSON, in bytes. */
  readonly objectBytes: number;
}

/** Counts the steps of a request. The policy must have been compiled for the engine that counts. */
export function requestFacts(probe: PolicyProbe, { policy, world }: CompiledSubject, request: AdmissionRequest): RequestFacts {
  const { runs, bindings, invocations, parameters } = probe;
  const selecting = policy.hook.bindings.filter(({ binding }) => binding.paramRef?.selector !== undefined).length;
  const types = policy.kind === 'mutating' ? policy.hook.compiled.mutations.map(({ patchType }) => patchType) : [];
  const mutations = runs.flatMap(({ evaluations }) => evaluations.filter(({ part }) => part === 'mutation'));
  const patched = mutations.filter(({ index }) => types[index] === 'JSONPatch').length;
  return {
    bindings: policy.hook.bindings.length,
    invocations,
    parameters,
    candidates: bindings === 0 || policy.hook.compiled.policy.paramKind === undefined ? 0 : selecting * world.params.all().length,
    lists: runs.reduce((sum, { evaluations }) => sum + new Set(evaluations.map((run) => run.for ?? run.part)).size, 0),
    evaluations: runs.flatMap(({ evaluations }) =>
      evaluations.flatMap(({ part, measured }) => (measured === undefined ? [] : [{ isVariable: part === 'variable', ...measured }])),
    ),
    applied: mutations.length - patched,
    patched,
    objectBytes: request.object === undefined ? 0 : utf8Length(writeJson(request.object)),
  };
}
