import { OBJECT_BUDGET } from '#kube';
import { policyHas } from '../minors.ts';
import { ExpressionCompiler, expressionList } from './compile-expressions.ts';
import { evaluateList } from './evaluate-list.ts';
import { RequestValues } from './request-values.ts';
import type { EngineChoice, ExpressionUse, Variables } from '#cel';
import type { CancellationToken } from '#go';
import type { Minor } from '#kube';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { PolicyExpression } from './compile-expressions.ts';
import type { ExpressionResult, ProgramRun } from './evaluate-list.ts';
import type { NamedExpression } from '../read/policy.ts';
import type { HeldObject } from '../request/typed-object.ts';
import type { World } from '../world.ts';

/** Expression that is compiled outside a policy but in the environment of policies, with the variables that it can use. */
export interface LoneExpression {
  readonly variables: readonly PolicyExpression[];
  readonly expression: PolicyExpression;
}

/** Options for compiling an expression outside a policy. */
export interface LoneExpressionOptions {
  readonly minor: Minor;
  readonly use: ExpressionUse;
  readonly engine: EngineChoice | undefined;
  /** True if `params` is declared. */
  readonly hasParams: boolean;
  /** True if the expression may create objects and JSON patches, as mutations do. */
  readonly patchTypes?: boolean | undefined;
}

/** Compiles a single expression, without a policy, in the environment of policies. The value may have any type. */
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

/** Result of evaluating an expression outside a policy. */
export interface LoneResult {
  /** Value of the expression, or an error. If `cost` is undefined, the error means that the budget was exceeded. */
  readonly result: ExpressionResult;
  /** Cost of the expression and its variables, in cost units. Undefined if the budget was exceeded. */
  readonly cost: number | undefined;
  readonly runs: readonly ProgramRun[];
}

/**
 * Evaluates a compiled expression outside a policy for an admission request, with the variables of policies. Returns undefined if `world`
 * (the state of the cluster) does not contain the namespace of the request.
 */
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
