import { listOf, objectType } from '#cel';
import type { CelType, ExpressionUse } from '#cel';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import { ExpressionCompiler, expressionList } from '../expressions/compile-expressions.ts';
import type { ExpressionList, PolicyExpression } from '../expressions/compile-expressions.ts';
import { compileMatch } from '../match/match-request.ts';
import type { CompiledMatch } from '../match/match-request.ts';
import { Fields, Unreadable } from '../read/fields.ts';
import { readBinding, readPolicyHead } from '../read/policy.ts';
import type { PolicyHead } from '../read/policy.ts';
import { checkHead, checkOf, compileBinding } from '../validate/compiled-policy.ts';
import type { CompiledBinding, CompilePolicyOptions, ExpressionCheck } from '../validate/compiled-policy.ts';

/** MutatingAdmissionPolicy with defaults. Source: k8s.io/api/admissionregistration/v1/types.go (1.37). */
export interface MutatingPolicy extends PolicyHead {
  readonly mutations: readonly Mutation[];
  /**
   * Decides if the policy is called a second time. `IfNeeded`: the policy is called again if a later policy changed the object. `Never`:
   * the policy is not called again.
   */
  readonly reinvocationPolicy: string;
}

/** Single change of a mutating policy: an apply configuration or a JSON patch, given by an expression. */
export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

/** Mutation as written in the policy document, even if its content does not match its `patchType`. */
export interface WrittenMutation {
  readonly patchType: string;
  /**
   * Expressions of the mutation in its two possible parts. `applyConfiguration` or `jsonPatch` is undefined if the policy omits that part.
   */
  readonly applyConfiguration: string | undefined;
  readonly jsonPatch: string | undefined;
}

/**
 * Reads a MutatingAdmissionPolicy of any API version. Omits mutations that lack the part that their `patchType` requires. Throws
 * `Unreadable` if a field has a wrong type.
 */
export function readMutatingPolicy(document: JsonObject): MutatingPolicy {
  const spec = new Fields(document, '').object('spec');
  return {
    ...readPolicyHead(document),
    reinvocationPolicy: spec.text('reinvocationPolicy'),
    mutations: readMutations(document)
      .map(announced)
      .filter((mutation) => mutation !== undefined),
  };
}

/** Reads the mutations of a MutatingAdmissionPolicy without checking their content. Throws `Unreadable` if a field has a wrong type. */
export function readMutations(document: JsonObject): readonly WrittenMutation[] {
  return new Fields(document, '').object('spec').list('mutations', (value, path) => {
    const fields = new Fields(value, path);
    return {
      patchType: fields.text('patchType'),
      applyConfiguration: fields.optionalObject('applyConfiguration')?.text('expression'),
      jsonPatch: fields.optionalObject('jsonPatch')?.text('expression'),
    };
  });
}

function announced({ patchType, applyConfiguration, jsonPatch }: WrittenMutation): Mutation | undefined {
  if (patchType === 'ApplyConfiguration' && applyConfiguration !== undefined) return { patchType, expression: applyConfiguration };
  if (patchType === 'JSONPatch' && jsonPatch !== undefined) return { patchType, expression: jsonPatch };
  return undefined;
}

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

/**
 * Compiles every expression of a mutating policy and returns the results. `use` decides if the expressions count as newly written or as
 * stored. New expressions may use only features that the previous Kubernetes minor version also has.
 */
export function checkMutations(policy: MutatingPolicy, minor: Minor, use: ExpressionUse): readonly ExpressionCheck[] {
  const { compiler, checks } = checkHead(policy, minor, use);
  for (const [i, { patchType, expression }] of policy.mutations.entries()) {
    const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    const compiled = compiler.mutation('mutation', expression, i, [MUTATION_RESULTS[patchType]]);
    checks.push(checkOf(`spec.mutations[${i}].${field}.expression`, compiled));
  }
  return checks;
}
