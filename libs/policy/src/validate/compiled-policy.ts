import { ExpressionCompiler, expressionList } from '../expressions/compile-expressions.ts';
import { compileMatch } from '../match/match-request.ts';
import type { EngineChoice } from '#cel';
import type { CancellationToken } from '#go';
import type { Minor } from '#kube';
import type { PolicyExpression, ExpressionList } from '../expressions/compile-expressions.ts';
import type { CompiledMatch } from '../match/match-request.ts';
import type { PolicyBinding } from '../read/binding.ts';
import type { ValidatingPolicy } from '../read/policy.ts';

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
export function compilePolicy(policy: ValidatingPolicy, { minor, engine, token }: CompilePolicyOptions): CompiledPolicy {
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
