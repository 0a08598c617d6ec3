import { CelError } from '../values/value.ts';
import type { CodeLayout, DirectCode, Evaluation, EvaluationLimits, PriceCode, Program, Variables } from './program.ts';

/**
 * Cost units that the interpreter may spend on a rule before code is generated for the rule. Generating and linking code takes about as
 * long as interpreting this many cost units. So an adaptive program takes at most twice the time of the interpreter.
 */
const WARMUP_COST = 3_000;

/** Overhead of an evaluation in the interpreter, converted to cost units. */
const EVALUATION = 10;

/**
 * A program that is interpreted at first and runs generated code after enough evaluations. Code is not generated for rules that are
 * evaluated only once or twice.
 */
export class AdaptiveProgram implements Program {
  readonly #interpreted: Program;
  readonly #compile: () => Program;
  #warmupCost = WARMUP_COST;
  #compiled: Program | undefined;

  constructor(interpreted: Program, compile: () => Program) {
    this.#interpreted = interpreted;
    this.#compile = compile;
  }

  get engine(): Program['engine'] {
    return this.#made().engine;
  }

  get obstacle(): string | undefined {
    return this.#made().obstacle;
  }

  get warmupCost(): number {
    return this.#warmupCost;
  }

  codeFor(layout: 'valid'): PriceCode | undefined;
  codeFor(layout: Exclude<CodeLayout, 'valid'>): DirectCode | undefined;
  /**
   * Returns generated code for a layout. Code for the layout `value` exists after enough evaluations. Code for any other layout is
   * generated at once, because callers request it only if it saves time. Undefined if there is no code yet, or none at all.
   */
  codeFor(layout: CodeLayout): DirectCode | PriceCode | undefined {
    if (layout === 'valid') return this.#made().codeFor?.(layout);
    return layout === 'value' && this.#isInterpreted ? undefined : this.#made().codeFor?.(layout);
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    if (!this.#isInterpreted) return this.#made().evaluate(variables, limits);
    if (limits.costLimit <= this.#warmupCost) return this.#interpret(variables, limits);
    const tried = this.#interpret(variables, { ...limits, costLimit: this.#warmupCost });
    const stopped = tried.value instanceof CelError && tried.value.fatal && this.#warmupCost <= 0;
    return stopped ? this.#made().evaluate(variables, limits) : tried;
  }

  /** True while the interpreter runs the program. */
  get #isInterpreted(): boolean {
    return this.#compiled === undefined && this.#warmupCost > 0;
  }

  #interpret(variables: Variables, limits: EvaluationLimits): Evaluation {
    const evaluation = this.#interpreted.evaluate(variables, limits);
    this.#warmupCost -= evaluation.cost + EVALUATION;
    return evaluation;
  }

  #made(): Program {
    return (this.#compiled ??= this.#compile());
  }
}
