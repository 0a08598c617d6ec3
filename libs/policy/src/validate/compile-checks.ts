import { ExpressionCompiler } from '../expressions/compile-expressions.ts';
import type { ExpressionUse } from '#cel';
import type { Minor } from '#kube';
import type { PolicyExpression } from '../expressions/compile-expressions.ts';
import type { PolicyHead, ValidatingPolicy } from '../read/policy.ts';

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
