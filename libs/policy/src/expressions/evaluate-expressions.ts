import { CelError, LazyMap } from '#cel';
import type { CelValue, CheckedExpression, EngineChoice, Evaluation, ExpressionUse, NodeReadings, Variables } from '#cel';
import { Cancelled, goQuote } from '#go';
import type { CancellationToken } from '#go';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { policyHas } from '../minors.ts';
import type { NamedExpression } from '../read/policy.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { HeldObject } from '../request/held-object.ts';
import type { World } from '../world.ts';
import { ExpressionCompiler, expressionList } from './compile-expressions.ts';
import type { ExpressionList, PolicyExpression, PolicyExpressionPart } from './compile-expressions.ts';
import { RequestValues } from './request-values.ts';

/**
 * Record of one evaluation of an expression. `index` is the index of the expression among the expressions of the same `part`. Records are
 * listed in the order in which the evaluations ended.
 */
export interface ProgramRun {
  readonly part: PolicyExpressionPart;
  readonly index: number;
  readonly name: string | undefined;
  /** Part of the policy that first used the variable, if the expression is a variable. Undefined for other expressions. */
  readonly for: PolicyExpressionPart | undefined;
  /** Cost of the expression in cost units, excluding the variables that it used. */
  readonly cost: number;
  /** Value of the expression. If the evaluation failed, the value is the error. */
  readonly value: CelValue;
  /** Type-checked expression, with the costs and counts of its nodes. Only the engine `measured` records them. */
  readonly measured?: { readonly checked: CheckedExpression; readonly readings: NodeReadings };
}

/** Result of one expression of a list: its value or an error. Undefined if the list has no expression at this index. */
export type ExpressionResult = { readonly ok: true; readonly value: CelValue } | { readonly ok: false; readonly error: string } | undefined;

/**
 * Result of evaluating an {@link ExpressionList}: the results of its expressions and the remaining cost budget, or the error that ended the
 * evaluation.
 */
export type ListResult =
  | { readonly ok: true; readonly results: readonly ExpressionResult[]; readonly remaining: number }
  | { readonly ok: false; readonly error: string };

/** Inputs for the evaluation of an {@link ExpressionList}, whose expressions share one cost budget. */
export interface ListInputs {
  /**
   * Returns the values of the variables in `mentioned`, by name, except the policy's own variables in `variables`. A variable that the
   * request does not have is omitted.
   */
  readonly values: (mentioned: ReadonlySet<string>) => Variables;
  /** Cost budget for the whole list of expressions, in CEL cost units. */
  readonly budget: number;
  /** List that receives one record for each evaluation of an expression. */
  readonly runs: ProgramRun[];
  readonly token: CancellationToken | undefined;
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * Evaluates all expressions of a list with one shared cost budget. A variable is evaluated at its first use, once for the whole list.
 * Throws {@link Cancelled} if the token requests cancellation. Source: k8s.io/apiserver/pkg/admission/plugin/cel/condition.go `ForInput`,
 * activation.go `Evaluate` (1.37).
 */
export function evaluateList(list: ExpressionList, inputs: ListInputs): ListResult {
  const results: ExpressionResult[] = [];
  const { expressions } = list;
  if (expressions.length === 0) return { ok: true, results, remaining: inputs.budget };
  if (inputs.token?.cancelled === true) throw new Cancelled();
  const evaluation = new ListEvaluation(list, inputs);
  let remaining = inputs.budget;
  for (const expression of expressions) {
    if (expression === undefined) {
      results.push(undefined);
      continue;
    }
    const { compiled, text } = expression;
    if (!compiled.ok) {
      results.push({ ok: false, error: `compilation error: ${compiled.error}` });
      continue;
    }
    const { value, cost, variableCost } = evaluation.evaluate(expression, compiled.program);
    if (variableCost + cost > remaining) return { ok: false, error: OUT_OF_BUDGET };
    remaining -= variableCost + cost;
    results.push(
      value instanceof CelError ? { ok: false, error: `expression '${text}' resulted in error: ${value.message}` } : { ok: true, value },
    );
  }
  return { ok: true, results, remaining };
}

/** Evaluation of one list of expressions. It stores the values of variables and adds up their cost. */
class ListEvaluation {
  readonly #values: Variables;
  readonly #inputs: ListInputs;
  readonly #limits: { readonly costLimit: number; readonly token: CancellationToken | undefined };
  #variableCost = 0;
  #current: PolicyExpressionPart | undefined;

  constructor({ variables, mentioned }: ExpressionList, inputs: ListInputs) {
    this.#inputs = inputs;
    this.#limits = { costLimit: PER_CALL_LIMIT, token: inputs.token };
    const values = inputs.values(mentioned);
    this.#values =
      variables.length === 0
        ? values
        : {
            ...values,
            variables: new LazyMap(new Map(variables.map((variable) => [variable.name ?? '', () => this.#variable(variable)]))),
          };
  }

  /** Evaluates an expression. The returned `variableCost` is the cost of the variables that this expression is the first to use. */
  evaluate(expression: PolicyExpression, program: { evaluate: Runs }): Evaluation & { readonly variableCost: number } {
    this.#current = expression.part;
    this.#variableCost = 0;
    const evaluation = heeded(program.evaluate(this.#values, this.#limits));
    this.#note(expression, evaluation, undefined);
    return { ...evaluation, variableCost: this.#variableCost };
  }

  #variable(variable: PolicyExpression): CelValue {
    const { name = '', compiled } = variable;
    if (!compiled.ok) return new CelError(`composited variable ${goQuote(name)} fails to compile: ${compiled.error}`);
    const evaluation = heeded(compiled.program.evaluate(this.#values, this.#limits));
    this.#variableCost += evaluation.cost;
    this.#note(variable, evaluation, this.#current);
    const { value } = evaluation;
    return value instanceof CelError ? new CelError(`composited variable ${goQuote(name)} fails to evaluate: ${value.message}`) : value;
  }

  #note(
    { part, index, name, compiled }: PolicyExpression,
    { cost, value, readings }: Evaluation,
    by: PolicyExpressionPart | undefined,
  ): void {
    const measured = compiled.ok && readings !== undefined ? { checked: compiled.checked, readings } : undefined;
    this.#inputs.runs.push({ part, index, name, for: by, cost, value, ...(measured && { measured }) });
  }
}

type Runs = (values: Variables, limits: { readonly costLimit: number; readonly token: CancellationToken | undefined }) => Evaluation;

/**
 * Returns the evaluation unchanged. Throws `Cancelled` if the evaluation was interrupted, because a policy must not treat an interruption
 * as a CEL error.
 */
function heeded(evaluation: Evaluation): Evaluation {
  if (evaluation.value instanceof CelError && evaluation.value.code === 'interrupted') throw new Cancelled();
  return evaluation;
}

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
