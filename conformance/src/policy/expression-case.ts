import { compileLoneExpression, evaluateLoneExpression } from '#policy';
import { CelError } from '#cel';
import type { JsonObject } from '#go';
import type { PolicyExpression } from '#policy';
import { CaseProblem, numberField, textField } from '../case-context.ts';
import { objectsOf, requestOf } from './read-case.ts';
import { evaluationParts, filled, printedValue } from './verdict-parts.ts';
import type { CaseContext } from '../case-context.ts';
import type { VerdictObject } from '../canonical-text.ts';

/**
 * Computes the verdict on an `expr` case of policies: compiles one expression in the policy environment. If the case has a request, the
 * expression is also evaluated on it.
 */
export function judgePolicyExpression(testCase: JsonObject, { minor, engine }: CaseContext): VerdictObject {
  const params = objectsOf(testCase, 'params');
  const variables = objectsOf(testCase, 'variables').map((variable) => ({
    name: textField(variable, 'name') ?? '',
    expression: textField(variable, 'expression') ?? '',
  }));
  const lone = compileLoneExpression(textField(testCase, 'expression') ?? '', variables, {
    minor,
    use: testCase['newExpression'] === true ? 'new' : 'stored',
    engine,
    hasParams: testCase['hasParams'] === true || params.length > 0,
    patchTypes: testCase['patchTypes'] === true,
  });
  const compiled = [
    ...lone.variables.map((variable, i) => compiledParts(`variables[${i}]`, variable)),
    compiledParts('expression', lone.expression),
  ];
  if (testCase['object'] === undefined && testCase['oldObject'] === undefined) return { compiled };
  const { request, world } = requestOf(testCase, minor);
  const found = evaluateLoneExpression(lone, request, world, {
    params: params[0] && { object: params[0], type: undefined },
    budget: numberField(testCase, 'budget'),
  });
  if (found === undefined) throw new CaseProblem(`namespaces "${request.namespace}" not found`);
  const { result, cost, runs } = found;
  const outcome =
    result?.ok === true ? (result.value instanceof CelError ? {} : printedValue(result.value, minor)) : { error: result?.error };
  return { compiled, result: { part: 'expression', cost, ...outcome }, uses: filled(runs.map((run) => evaluationParts(run, minor))) };
}

function compiledParts(path: string, { compiled, typeText }: PolicyExpression): VerdictObject {
  return { path, outputType: typeText, error: compiled.ok ? undefined : compiled.error };
}
