import { OBJECT_BUDGET } from '#kube';
import { policyHas } from '../minors.ts';
import { ExpressionCompiler, expressionList } from './compile-expressions.ts';
import { evaluateList } from './evaluate-list.ts';
import { RequestValues } from './request-values.ts';
import type { EngineChoice, ExpressionUse, Variables } from '#cel';
import type { CancellationToken } from '#go';
import type { Minor } from '#kube';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { CompiledExpression } from './compile-expressions.ts';
import type { ExpressionResult, ProgramRun } from './evaluate-list.ts';
import type { NamedExpression } from '../read/policy.ts';
import type { HeldObject } from '../request/typed-object.ts';
import type { World } from '../world.ts';

/** Single expression in the environment of policies, with the variables that are declared before it. */
export interface LoneExpression {
  readonly variables: readonly CompiledExpression[];
  readonly expression: CompiledExpression;
}

/** The options for compiling the expression. */
export interface LoneExpressionOptions {
  readonly minor: Minor;
  readonly use: ExpressionUse;
  readonly engine: EngineChoice | undefined;
  /** True if `params` is declared. */
  readonly hasParams: boolean;
  /** True if the expression may make objects and patches, as mutations do. */
  readonly patchTypes?: boolean | undefined;
}

/** Compiles a single expression in the environment of a policy. Its value may have any type. */
export function compileLoneExpression(
  text: string,
  variables: readonly NamedExpression[],
  { hasParams, patchTypes = false, ...options }: LoneExpressionOptions,
): LoneExpression {
  const compiler = new ExpressionCompiler({ ...options, hasParams, hasVariables: true });
  for (const variable of variables) compiler.variable(variable);
  const expression =
    patchTypes && policyHas(options.minor, 'policiesMutate')
      ? compiler.mutation('expression', text, 0, undefined)
      : compiler.compile('expression', text, 0);
  return { variables: compiler.variables, expression };
}

/** The result of evaluating an expression. */
export interface LoneResult {
  /** Value of the expression or an error. If there is an error and `cost` is undefined, the budget was exceeded. */
  readonly result: ExpressionResult;
  /** Cost including variables, in cost units. Undefined if the budget was exceeded. */
  readonly cost: number | undefined;
  readonly runs: readonly ProgramRun[];
}

/** Evaluates an expression on a request; undefined where the namespace of the request does not exist. */
export function evaluateLoneExpression(
  { variables, expression }: LoneExpression,
  request: AdmissionRequest,
  world: World,
  { params, budget = OBJECT_BUDGET, token }: { params: HeldObject | undefined; budget?: number | undefined; token?: CancellationToken },
): LoneResult | undefined {
  const { namespace: name, kind, resource } = request;
  const stored = name === '' || kind.kind === 'Namespace' ? undefined : world.namespaces.get(name);
  if (stored === undefined && name !== '' && kind.kind !== 'Namespace') return undefined;
  const namespace = stored === undefined ? undefined : world.namespaces.shown(name);
  const shown = { namespace, params: params ?? null, authorizer: true };
  const seen = new RequestValues(request, world);
  const values = (mentioned: ReadonlySet<string>): Variables => seen.of({ kind, resource }, shown, mentioned);
  const runs: ProgramRun[] = [];
  const list = evaluateList(expressionList([expression], variables), { values, budget, runs, token });
  if (!list.ok) return { result: list, cost: undefined, runs };
  return { result: list.results[0], cost: budget - list.remaining, runs };
}
