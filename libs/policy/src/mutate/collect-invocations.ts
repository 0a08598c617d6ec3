import { matchRequest } from '../match/match-request.ts';
import { collectParams, paramKindOf } from '../params.ts';
import type { ParamObject } from '../params.ts';
import type { MatchedAs } from '../expressions/request-values.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { World } from '../world.ts';
import type { CompiledMutatingPolicy, MutatingHook } from './mutating-policy.ts';

/** Planned call of a policy for one binding and one parameter object. */
export interface Invocation {
  readonly compiled: CompiledMutatingPolicy;
  readonly binding: string;
  readonly matched: MatchedAs;
  readonly param: ParamObject | undefined;
  /** Text that identifies the invocation, so that the second pass through the policies can recognize it. */
  readonly key: string;
}

/** Error of a policy. The failure policy decides if the error rejects the request. */
export interface PolicyFault {
  readonly compiled: CompiledMutatingPolicy;
  readonly binding: string | undefined;
  readonly message: string;
  /** Reason in the Status if the error rejects the request. An empty reason means Forbidden. */
  readonly reason: string;
}

/** Policy invocations for a request, in order, and the errors that occurred while policies and bindings were matched. */
export interface CollectedInvocations {
  readonly invocations: readonly Invocation[];
  readonly faults: readonly PolicyFault[];
}

const NO_CONSTRAINTS = 'policy contained no match constraints, a required field';

/**
 * Returns the planned calls of mutating policies for a request, and the errors of misconfigured policies and bindings. All policies and
 * bindings are matched with the request before any policy is called. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go `Dispatch` (1.37).
 */
export function collectInvocations(hooks: readonly MutatingHook[], request: AdmissionRequest, world: World): CollectedInvocations {
  const invocations: Invocation[] = [];
  const faults: PolicyFault[] = [];
  for (const hook of hooks) {
    const { compiled } = hook;
    const fault = (error: string, binding?: string): void => {
      const what = binding === undefined ? 'policy' : 'binding';
      faults.push({ compiled, binding, message: `failed to configure ${what}: ${error}`, reason: '' });
    };
    const matched = compiled.match === undefined ? { error: NO_CONSTRAINTS } : matchRequest(compiled.match, request, world);
    if (matched === 'no') continue;
    if ('error' in matched) {
      fault(matched.error);
      continue;
    }
    invocations.push(...invocationsOf(hook, matched, request, world, fault));
  }
  return { invocations, faults };
}

function invocationsOf(
  { compiled, bindings }: MutatingHook,
  matched: MatchedAs,
  request: AdmissionRequest,
  world: World,
  fault: (error: string, binding?: string) => void,
): Invocation[] {
  const invocations: Invocation[] = [];
  const { name, paramKind } = compiled.policy;
  const kind = paramKindOf(paramKind, world.kinds);
  if (kind !== undefined && 'error' in kind) {
    fault(kind.error);
    return [];
  }
  for (const { binding, match } of bindings) {
    const applies = match === undefined ? matched : matchRequest(match, request, world);
    if (applies === 'no') continue;
    if ('error' in applies) {
      fault(applies.error, binding.name);
      continue;
    }
    const collected = collectParams(kind, binding.paramRef, request.namespace, world.params);
    if (!collected.ok) {
      fault(collected.error, binding.name);
      continue;
    }
    for (const param of collected.params) {
      const key = JSON.stringify([name, binding.name, param?.namespace ?? null, param?.name ?? null]);
      invocations.push({ compiled, binding: binding.name, matched, param, key });
    }
  }
  return invocations;
}
