import type { EngineChoice, ExpressionUse } from '#cel';
import { Cancelled, isJsonObject } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { ExpressionCompiler, expressionList } from '../expressions/compile-expressions.ts';
import type { ExpressionList, PolicyExpression } from '../expressions/compile-expressions.ts';
import { compileMatch } from '../match/match-request.ts';
import type { CompiledMatch } from '../match/match-request.ts';
import { Unreadable } from '../read/fields.ts';
import { readBinding, readValidatingPolicy } from '../read/policy.ts';
import type { PolicyBinding, PolicyHead, ValidatingPolicy } from '../read/policy.ts';

/** Compiled policy, which can be evaluated for any number of requests. */
export interface CompiledPolicy {
  readonly policy: ValidatingPolicy;
  /** Compiled match constraints. Undefined if the policy has no match constraints, which causes an error for every request. */
  readonly match: CompiledMatch | undefined;
  readonly matchConditions: ExpressionList;
  readonly validations: ExpressionList;
  /** Message expressions, in the order of the validations. An element is undefined if its validation has no message expression. */
  readonly messages: ExpressionList;
  readonly auditAnnotations: ExpressionList;
}

/** Compiled binding, which can be evaluated for any number of requests. */
export interface CompiledBinding {
  readonly binding: PolicyBinding;
  /** Compiled match resources; undefined if the binding applies to every request that its policy matches. */
  readonly match: CompiledMatch | undefined;
}

/** The options for compiling a policy. */
export interface CompilePolicyOptions {
  readonly minor: Minor;
  readonly engine: EngineChoice | undefined;
  readonly token?: CancellationToken | undefined;
}

/**
 * Compiles all expressions of a policy in the order of the server. A compile error is reported when the expression is evaluated. Throws
 * `Cancelled` if the token requests cancellation.
 */
function compilePolicy(policy: ValidatingPolicy, { minor, engine, token }: CompilePolicyOptions): CompiledPolicy {
  const hasParams = policy.paramKind !== undefined;
  const compiler = new ExpressionCompiler({ minor, use: 'stored', engine, hasParams, hasVariables: true, token });
  for (const variable of policy.variables) compiler.variable(variable);
  const variables = latest(compiler.variables);
  const list = (expressions: ExpressionList['expressions']): ExpressionList => expressionList(expressions, variables);
  return {
    policy,
    match: policy.matchConstraints && compileMatch(policy.matchConstraints),
    matchConditions: list(policy.matchConditions.map(({ name, expression }, i) => compiler.compile('matchCondition', expression, i, name))),
    validations: list(policy.validations.map(({ expression }, i) => compiler.compile('validation', expression, i))),
    messages: list(
      policy.validations.map(({ messageExpression }, i) =>
        messageExpression === '' ? undefined : compiler.compile('messageExpression', messageExpression, i),
      ),
    ),
    auditAnnotations: list(
      policy.auditAnnotations.map(({ key, valueExpression }, i) => compiler.compile('auditAnnotation', valueExpression, i, key)),
    ),
  };
}

/** Returns the variables without duplicates. If several variables have the same name, the last one is used. */
function latest(variables: readonly PolicyExpression[]): readonly PolicyExpression[] {
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

/** Compiles the match criteria of a binding. */
export function compileBinding(binding: PolicyBinding): CompiledBinding {
  return { binding, match: binding.matchResources && compileMatch(binding.matchResources) };
}

/** Validating policy with its bindings. A policy has an effect only through its bindings. */
export interface PolicyHook {
  readonly compiled: CompiledPolicy;
  readonly bindings: readonly CompiledBinding[];
}

/**
 * Validating policies of a server, in the order in which they were given. The order in a server is random. Policies without bindings have
 * no effect.
 */
export interface CompiledPolicySet {
  readonly minor: Minor;
  readonly hooks: readonly PolicyHook[];
}

/** Result of compiling validating policies: the compiled policies, or the reason why a document is invalid. */
export type PolicySetResult = { readonly ok: true; readonly set: CompiledPolicySet } | { readonly ok: false; readonly error: string };

/** Options for compiling policies. */
export interface CompilePoliciesOptions {
  readonly minor: Minor;
  readonly engine: EngineChoice | undefined;
  readonly token?: CancellationToken | undefined;
}

/**
 * Reads and compiles ValidatingAdmissionPolicies and their bindings. Bindings of unknown policies have no effect. Throws {@link Cancelled}
 * if the token requests cancellation.
 */
export function compilePolicies(
  policies: readonly JsonValue[],
  bindings: readonly JsonValue[],
  { minor, engine, token }: CompilePoliciesOptions,
): PolicySetResult {
  try {
    const read = bindings.map((document, i) => readBinding(asObject(document, `bindings[${i}]`)));
    const byPolicy = Map.groupBy(read, ({ policyName }) => policyName);
    const hooks: PolicyHook[] = [];
    for (const [i, document] of policies.entries()) {
      if (token?.cancelled === true) throw new Cancelled();
      const policy = readValidatingPolicy(asObject(document, `policies[${i}]`));
      const own = byPolicy.get(policy.name)?.map(compileBinding);
      if (own !== undefined) hooks.push({ compiled: compilePolicy(policy, { minor, engine, token }), bindings: own });
    }
    return { ok: true, set: { minor, hooks } };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

function asObject(document: JsonValue, what: string): JsonObject {
  if (isJsonObject(document)) return document;
  throw new Unreadable(`${what} is no object`);
}

/** Result of compiling one expression of a policy. */
export interface ExpressionCheck {
  /** Field path of the expression, for example `spec.validations[0].expression`. */
  readonly path: string;
  /** Type of the expression's result; undefined if the expression does not compile. */
  readonly outputType: string | undefined;
  readonly error: string | undefined;
}

/**
 * Compiles the kinds of expressions that both validating and mutating policies have: first the variables, then the match conditions.
 * Returns the result for each of these expressions. Also returns the compiler, with which the caller compiles the remaining expressions of
 * the policy.
 */
export function checkHead(
  policy: PolicyHead,
  minor: Minor,
  use: ExpressionUse,
): { compiler: ExpressionCompiler; checks: ExpressionCheck[] } {
  const hasParams = policy.paramKind !== undefined;
  const compiler = new ExpressionCompiler({ minor, use, engine: 'interpreted', hasParams, hasVariables: true });
  const checks = policy.variables.map((variable, i) => checkOf(`spec.variables[${i}].expression`, compiler.variable(variable)));
  for (const [i, { name, expression }] of policy.matchConditions.entries()) {
    checks.push(checkOf(`spec.matchConditions[${i}].expression`, compiler.compile('matchCondition', expression, i, name)));
  }
  return { compiler, checks };
}

/**
 * Compiles every expression of a validating policy and returns the results. `use` decides if the expressions count as newly written or as
 * stored. New expressions may use only features that the previous Kubernetes minor version also has.
 */
export function checkExpressions(policy: ValidatingPolicy, minor: Minor, use: ExpressionUse): readonly ExpressionCheck[] {
  const { compiler, checks } = checkHead(policy, minor, use);
  for (const [i, { expression, messageExpression }] of policy.validations.entries()) {
    const at = `spec.validations[${i}]`;
    checks.push(checkOf(`${at}.expression`, compiler.compile('validation', expression, i)));
    if (messageExpression.trim() !== '')
      checks.push(checkOf(`${at}.messageExpression`, compiler.compile('messageExpression', messageExpression, i)));
  }
  for (const [i, { key, valueExpression }] of policy.auditAnnotations.entries()) {
    checks.push(checkOf(`spec.auditAnnotations[${i}].valueExpression`, compiler.compile('auditAnnotation', valueExpression, i, key)));
  }
  return checks;
}

/**
 * Converts the result of compiling one expression of a policy to an {@link ExpressionCheck}: the expression's type, or its compile error.
 * `path` is the field path of the expression in the policy.
 */
export function checkOf(path: string, { compiled, typeText }: PolicyExpression): ExpressionCheck {
  return { path, outputType: typeText, error: compiled.ok ? undefined : compiled.error };
}
