import { newJsonObject } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import { OBJECT_BUDGET } from '#kube';
import type { ProgramRun } from '../expressions/evaluate-expressions.ts';
import { isExcluded } from '../match/match-request.ts';
import type { AdmissionRequest, Operation } from '../request/admission-request.ts';
import { apiVersionOf } from '../request/kinds.ts';
import type { GroupVersionKind } from '../request/kinds.ts';
import type { ObjectSchemas } from '../schemas/object-schemas.ts';
import type { PolicyRefusal } from '../validate/verdict.ts';
import type { World } from '../world.ts';
import { collectInvocations } from './collect-invocations.ts';
import type { PolicyFault } from './collect-invocations.ts';
import type { MutatingPolicySet } from './mutating-policy.ts';
import { MutationPass } from './mutation-pass.ts';

/** The result of the mutating policies for a request. */
export interface MutationVerdict {
  /** Refusal of the request; undefined if the request is admitted. */
  readonly refusal: PolicyRefusal | undefined;
  /** Object after all mutations. Undefined if the request has no object. */
  readonly object: JsonObject | undefined;
  /** True if the policies were called a second time because the object changed. */
  readonly reinvoked: boolean;
  /** Records of all mutations that were called, in order. */
  readonly mutations: readonly MutationRun[];
  /**
   * Error of a panic in the server's code. Undefined if the server does not panic. If the server panics, the other properties have no
   * meaning.
   */
  readonly panic: string | undefined;
}

/** Record of one call of a mutation. `index` is the index of the mutation in its policy. */
export interface MutationRun {
  readonly policy: string;
  /** Parameter object: its name, or `namespace/name` if the object has a namespace. Empty if there is no parameter object. */
  readonly param: string;
  readonly index: number;
  /** Number of the pass through the policies in which the mutation was called: 1, or 2 for the pass that calls policies a second time. */
  readonly pass: number;
  readonly error: string | undefined;
  /** Records of all evaluated expressions, in the order in which the evaluations ended. */
  readonly evaluations: readonly ProgramRun[];
}

/** Cluster state that mutating policies read: the state that all admission policies read, and also the schemas of the objects. */
export interface MutationWorld extends World {
  readonly schemas: ObjectSchemas;
}

/** Limits for the mutations of one request. */
export interface MutateLimits {
  /** Cost budget of each mutation, in cost units. Default: the budget of the server. */
  readonly budget?: number | undefined;
  readonly token?: CancellationToken | undefined;
  /** List that receives the evaluations of the match conditions of each called policy. Undefined if nobody reads them. */
  readonly conditions?: ProgramRun[][] | undefined;
}

const MUTATED: readonly Operation[] = ['CREATE', 'UPDATE', 'CONNECT'];

/**
 * Applies the MutatingAdmissionPolicies to a request. Finds all policies that apply, and calls them in order, each on the result of the
 * previous policy. If the object changed, policies that request reinvocation are called a second time. Source:
 * k8s.io/apiserver/pkg/admission/reinvocation.go, plugin/policy/generic/policy_dispatcher.go `Dispatch` (1.37).
 */
export function mutate(
  set: MutatingPolicySet,
  request: AdmissionRequest,
  world: MutationWorld,
  limits: MutateLimits = {},
): MutationVerdict {
  const { object } = request;
  if (!MUTATED.includes(request.operation) || isExcluded(request.resource)) {
    return { refusal: undefined, object, reinvoked: false, mutations: [], panic: undefined };
  }
  const reinvocation = new Reinvocation();
  const first = pass(set, request, world, { ...limits, number: 1, reinvocation });
  const again = reinvocation.isDue && first.refusal === undefined && first.panic === undefined;
  if (!again) return { ...first, reinvoked: false };
  reinvocation.begin();
  const second = pass(set, { ...request, object: first.object }, world, { ...limits, number: 2, reinvocation });
  return { ...second, reinvoked: true, mutations: [...first.mutations, ...second.mutations] };
}

/** Runs one pass through all policies and returns its result. */
function pass(
  { hooks, minor }: MutatingPolicySet,
  request: AdmissionRequest,
  world: MutationWorld,
  { budget = OBJECT_BUDGET, token, conditions, number, reinvocation }: MutateLimits & { number: number; reinvocation: Reinvocation },
): Omit<MutationVerdict, 'reinvoked'> {
  const { invocations, faults } = collectInvocations(hooks, request, world);
  const mutations: MutationRun[] = [];
  const work = new MutationPass(request, world, minor, { budget, token, conditions, number, reinvocation, mutations });
  const ended = invocations.length === 0 ? undefined : work.run(invocations);
  if (ended?.kind === 'panicked') return { refusal: undefined, object: undefined, mutations, panic: ended.error };
  const refusal = ended?.kind === 'refused' ? ended.refusal : refusalOf([...faults, ...work.faults]);
  const object = refusal === undefined && work.result !== undefined ? ofKind(work.result, request.kind) : request.object;
  return { refusal, object, mutations, panic: undefined };
}

/** Returns `object` with the apiVersion and kind of `kind`. Changes that a patch makes to these two fields are thus discarded. */
function ofKind(object: JsonObject, kind: GroupVersionKind): JsonObject {
  return Object.assign(newJsonObject(), object, { apiVersion: apiVersionOf(kind), kind: kind.kind });
}

/**
 * Returns the refusal that results from failed policies, or undefined if no policy refuses the request. Policies with failure policy
 * `Ignore` are skipped. The first remaining error determines the message and reason.
 */
function refusalOf(faults: readonly PolicyFault[]): PolicyRefusal | undefined {
  const counting = faults.filter(({ compiled }) => compiled.policy.failurePolicy !== 'Ignore');
  const [first] = counting;
  if (first === undefined) return undefined;
  const causes = counting.map(faultText);
  return { code: 403, reason: first.reason === '' ? 'Forbidden' : first.reason, message: causes[0] ?? '', causes };
}

function faultText({ compiled: { policy }, binding, message }: PolicyFault): string {
  return binding === undefined
    ? `policy "${policy.name}" denied request: ${message}`
    : `policy '${policy.name}' with binding '${binding}' denied request: ${message}`;
}

/**
 * State that decides which policies are called a second time. A policy is called again if it requests reinvocation and the object changed
 * after its call. Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/reinvocationcontext.go (1.37).
 */
export class Reinvocation {
  /**
   * Keys of the invocations that request reinvocation and were called since the last change of the object. They are called again if a later
   * invocation changes the object.
   */
  #invoked = new Set<string>();
  readonly #toReinvoke = new Set<string>();
  #due = false;
  #begun = false;

  /** True if the object changed, which makes a second pass necessary. */
  get isDue(): boolean {
    return this.#due;
  }

  /** Starts the second pass through the policies. */
  begin(): void {
    this.#begun = true;
  }

  /** Returns true if an invocation must be called in this pass. In the first pass, every invocation is called. */
  calls(key: string): boolean {
    return !this.#begun || this.#toReinvoke.has(key);
  }

  /** Records that an invocation was called which requests reinvocation. */
  add(key: string): void {
    this.#invoked.add(key);
  }

  /** Records that the object was changed. All invocations recorded so far are scheduled for the second pass. */
  changed(): void {
    this.#due = true;
    for (const key of this.#invoked) this.#toReinvoke.add(key);
    this.#invoked = new Set();
  }
}
