import type { Column } from '#go';
import { CelError } from '../values/value.ts';
import type { ValueSchema } from '../values/schema/value-schema.ts';
import type { CelValue } from '../values/value.ts';
import type { DirectCode, PriceCode } from './codegen/generated-rule.ts';
import type { ElementRange, Evaluation, EvaluationLimits, Program, TrueElements, Variables } from './program.ts';

/**
 * Cost units that the interpreter may spend on a rule before code is generated for the rule. Generating and linking code takes about as
 * long as interpreting this many cost units. So an adaptive program takes at most twice the time of the interpreter.
 */
const WARMUP_COST = 3_000;

/** Overhead of an evaluation in the interpreter, converted to cost units. */
const EVALUATION = 10;

const NONE: TrueElements = { count: 0, cost: 0 };

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

  get direct(): DirectCode | undefined {
    return this.#compiled === undefined && this.#warmupCost > 0 ? undefined : this.#made().direct;
  }

  /**
   * Returns generated code for data in which the lists of the given schemas are stored in columns. A column is a long list of scalars that
   * is read in place. The code is generated at once, because columns are so long that generated code always saves time.
   */
  codeForColumns(columns: ReadonlySet<ValueSchema>): DirectCode | undefined {
    return this.#made().codeForColumns?.(columns);
  }

  /**
   * Returns generated code for the elements of a column, which is a long list of scalars that is read in place. The code is generated at
   * once, for the same reason as in {@link codeForColumns}.
   */
  codeForElements(layout: Column['layout']): DirectCode | undefined {
    return this.#made().codeForElements?.(layout);
  }

  /**
   * Returns generated code that computes the cost of the rule for valid data. The code is generated at once, because callers request it
   * only if it saves time.
   */
  codeForValid(): PriceCode | undefined {
    return this.#made().codeForValid?.();
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    if (this.#compiled !== undefined || this.#warmupCost <= 0) return this.#made().evaluate(variables, limits);
    if (limits.costLimit <= this.#warmupCost) return this.#interpret(variables, limits);
    const tried = this.#interpret(variables, { ...limits, costLimit: this.#warmupCost });
    const stopped = tried.value instanceof CelError && tried.value.fatal && this.#warmupCost <= 0;
    return stopped ? this.#made().evaluate(variables, limits) : tried;
  }

  evaluateWhileTrue(elements: readonly CelValue[], range: ElementRange, limits: EvaluationLimits): TrueElements {
    const ready = this.#compiled !== undefined || this.#warmupCost <= 0;
    return (ready ? this.#made().evaluateWhileTrue?.(elements, range, limits) : undefined) ?? NONE;
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
