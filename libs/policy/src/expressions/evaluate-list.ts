import { CelError, LazyMap } from '#cel';
import { Cancelled, goQuote } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import type { CelValue, Evaluation, Variables } from '#cel';
import type { CancellationToken } from '#go';
import type { CompiledExpression, ExpressionList, ExpressionPart } from './compile-expressions.ts';

/** One run of a program, in the order in which they ended. */
export interface ProgramRun {
  readonly part: ExpressionPart;
  readonly index: number;
  readonly name: string | undefined;
  /** For a variable: the part that it was evaluated for. */
  readonly for: ExpressionPart | undefined;
  /** Cost units of the program itself, without the variables that it asked for. */
  readonly cost: number;
  /** Value of the program; an error of the expression is also a value. */
  readonly value: CelValue;
}

/** The outcome of one expression of a list; undefined where the list has none. */
export type ExpressionResult = { readonly ok: true; readonly value: CelValue } | { readonly ok: false; readonly error: string } | undefined;

/** The outcomes of a list and what is left of its budget, or the error that ended it. */
export type ListResult =
  | { readonly ok: true; readonly results: readonly ExpressionResult[]; readonly remaining: number }
  | { readonly ok: false; readonly error: string };

/** The inputs for evaluating a list. */
export interface ListInputs {
  /** Returns the values of the mentioned variables by name, without `variables`. An absent variable has no value. */
  readonly values: (mentioned: ReadonlySet<string>) => Variables;
  /** Cost units that the list may take. */
  readonly budget: number;
  /** Receives a record of each run. */
  readonly runs: ProgramRun[];
  readonly token: CancellationToken | undefined;
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * Evaluates all expressions of a list under one budget. Throws {@link Cancelled} where the token says stop. Variables are evaluated when they are first asked for, once for the whole list.
 * Source: k8s.io/apiserver/pkg/admission/plugin/cel/condition.go `ForInput`, activation.go `Evaluate` (1.37).
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

/** One evaluation of a list, with its variables and their cost. */
class ListEvaluation {
  readonly #values: Variables;
  readonly #inputs: ListInputs;
  readonly #limits: { readonly costLimit: number; readonly token: CancellationToken | undefined };
  #variableCost = 0;
  #current: ExpressionPart | undefined;

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

  /** Runs a program. `variableCost` is the cost of the variables that it used first. */
  evaluate(expression: CompiledExpression, program: { evaluate: Runs }): Evaluation & { readonly variableCost: number } {
    this.#current = expression.part;
    this.#variableCost = 0;
    const evaluation = heeded(program.evaluate(this.#values, this.#limits));
    this.#note(expression, evaluation, undefined);
    return { ...evaluation, variableCost: this.#variableCost };
  }

  #variable(variable: CompiledExpression): CelValue {
    const { name = '', compiled } = variable;
    if (!compiled.ok) return new CelError(`composited variable ${goQuote(name)} fails to compile: ${compiled.error}`);
    const evaluation = heeded(compiled.program.evaluate(this.#values, this.#limits));
    this.#variableCost += evaluation.cost;
    this.#note(variable, evaluation, this.#current);
    const { value } = evaluation;
    return value instanceof CelError ? new CelError(`composited variable ${goQuote(name)} fails to evaluate: ${value.message}`) : value;
  }

  #note({ part, index, name }: CompiledExpression, { cost, value }: Evaluation, by: ExpressionPart | undefined): void {
    this.#inputs.runs.push({ part, index, name, for: by, cost, value });
  }
}

type Runs = (values: Variables, limits: { readonly costLimit: number; readonly token: CancellationToken | undefined }) => Evaluation;

/** Returns an evaluation unchanged. Throws if it was interrupted, because a policy must not ignore this as an error. */
function heeded(evaluation: Evaluation): Evaluation {
  if (evaluation.value instanceof CelError && evaluation.value.code === 'interrupted') throw new Cancelled();
  return evaluation;
}
