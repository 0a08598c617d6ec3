import { listOf, objectType } from '#cel';
import type { CelType } from '#cel';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import { ExpressionCompiler, expressionList } from '../expressions/compile-expressions.ts';
import type { PolicyExpression, ExpressionList } from '../expressions/compile-expressions.ts';
import { compileMatch } from '../match/match-request.ts';
import type { CompiledMatch } from '../match/match-request.ts';
import { readBinding } from '../read/binding.ts';
import { Unreadable } from '../read/fields.ts';
import { compileBinding } from '../validate/compiled-policy.ts';
import type { CompiledBinding, CompilePolicyOptions } from '../validate/compiled-policy.ts';
import { readMutatingPolicy } from './mutating-policy.ts';
import type { Mutation, MutatingPolicy } from './mutating-policy.ts';

/** Compiled mutating policy that can be evaluated for any number of requests. */
export interface CompiledMutatingPolicy {
  readonly policy: MutatingPolicy;
  /** Compiled match constraints. Undefined if the policy has no match constraints, which causes an error for every request. */
  readonly match: CompiledMatch | undefined;
  readonly matchConditions: ExpressionList;
  readonly mutations: readonly CompiledMutation[];
}

/** Mutation of a policy, with its compiled expression. */
export interface CompiledMutation {
  readonly patchType: Mutation['patchType'];
  readonly expression: PolicyExpression;
  /** Expression list with the mutation's expression and the variables that it uses. */
  readonly list: ExpressionList;
}

/** Mutating policy with its bindings. A policy has an effect only through its bindings. */
export interface MutatingHook {
  readonly compiled: CompiledMutatingPolicy;
  readonly bindings: readonly CompiledBinding[];
}

/** Mutating policies of a server, in the order in which they were given. The order in a server is random. */
export interface MutatingPolicySet {
  readonly minor: Minor;
  readonly hooks: readonly MutatingHook[];
}

/** Result of compiling policies: the policies, or the reason why a document is invalid. */
export type MutatingPolicySetResult =
  | { readonly ok: true; readonly set: MutatingPolicySet }
  | { readonly ok: false; readonly error: string };

/** Type that the expression of a mutation must have, for each patch type. */
export const MUTATION_RESULTS: Readonly<Record<Mutation['patchType'], CelType>> = {
  ApplyConfiguration: objectType('Object'),
  JSONPatch: listOf(objectType('JSONPatch')),
};

/**
 * Reads and compiles MutatingAdmissionPolicies and their bindings. Policies without bindings have no effect, and bindings without a policy
 * have no effect either.
 */
export function compileMutatingPolicies(
  policies: readonly JsonObject[],
  bindings: readonly JsonObject[],
  options: CompilePolicyOptions,
): MutatingPolicySetResult {
  try {
    const read = bindings.map(readBinding);
    const hooks: MutatingHook[] = [];
    for (const document of policies) {
      const policy = readMutatingPolicy(document);
      const own = read.filter(({ policyName }) => policyName === policy.name).map(compileBinding);
      if (own.length > 0) hooks.push({ compiled: compileMutatingPolicy(policy, options), bindings: own });
    }
    return { ok: true, set: { minor: options.minor, hooks } };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

/**
 * Compiles the expressions of a mutating policy. Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/compilation.go
 * `compilePolicy` (1.37).
 */
function compileMutatingPolicy(policy: MutatingPolicy, { minor, engine, token }: CompilePolicyOptions): CompiledMutatingPolicy {
  const compiler = new ExpressionCompiler({
    minor,
    use: 'stored',
    engine,
    hasParams: policy.paramKind !== undefined,
    hasVariables: true,
    token,
  });
  for (const variable of policy.variables) compiler.variable(variable);
  return {
    policy,
    match: policy.matchConstraints && compileMatch(policy.matchConstraints),
    matchConditions: expressionList(
      policy.matchConditions.map(({ name, expression }, i) => compiler.compile('matchCondition', expression, i, name)),
      compiler.variables,
    ),
    mutations: policy.mutations.map(({ patchType, expression: text }, i) => {
      const expression = compiler.mutation('mutation', text, i, [MUTATION_RESULTS[patchType]]);
      return { patchType, expression, list: expressionList([expression], compiler.variables) };
    }),
  };
}
