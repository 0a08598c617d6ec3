import type { Column } from '#go';
import { CelError } from '../values/value.ts';
import type { ValueSchema } from '../values/schema/value-schema.ts';
import type { CelValue } from '../values/value.ts';
import type { DirectCode, PriceCode } from './codegen/generated-rule.ts';
import type { ElementRange, Evaluation, EvaluationLimits, Program, TrueElements, Variables } from './program.ts';

/**
 * Cost units that a rule may spend in the interpreter before code is generated for it. Generating and linking take about as long as the
 * interpreter needs for this many units, so at worst the time is spent twice.
 */
const PATIENCE = 3_000;

/** Overhead of an evaluation in the interpreter, in cost units. */
const EVALUATION = 10;

const NONE: TrueElements = { count: 0, cost: 0 };

/** A program that is interpreted until it has shown that it is worth generating code for: rules that run once or twice never are. */
export class AdaptiveProgram implements Program {
  readonly #interpreted: Program;
  readonly #compile: () => Program;
  #patience = PATIENCE;
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

  get direct(): DirectCode | undefined {
    return this.#compiled === undefined && this.#patience > 0 ? undefined : this.#made().direct;
  }

  /** Long lists are worth it at once. */
  codeForColumns(columns: ReadonlySet<ValueSchema>): DirectCode | undefined {
    return this.#made().codeForColumns?.(columns);
  }

  /** See {@link codeForColumns}. */
  codeForElements(layout: Column['layout']): DirectCode | undefined {
    return this.#made().codeForElements?.(layout);
  }

  /** Asked for by who knows that it is worth it. */
  codeForValid(): PriceCode | undefined {
    return this.#made().codeForValid?.();
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    if (this.#compiled !== undefined || this.#patience <= 0) return this.#made().evaluate(variables, limits);
    if (limits.costLimit <= this.#patience) return this.#interpret(variables, limits);
    const tried = this.#interpret(variables, { ...limits, costLimit: this.#patience });
    const stopped = tried.value instanceof CelError && tried.value.fatal && this.#patience <= 0;
    return stopped ? this.#made().evaluate(variables, limits) : tried;
  }

  evaluateWhileTrue(elements: readonly CelValue[], range: ElementRange, limits: EvaluationLimits): TrueElements {
    const ready = this.#compiled !== undefined || this.#patience <= 0;
    return (ready ? this.#made().evaluateWhileTrue?.(elements, range, limits) : undefined) ?? NONE;
  }

  #interpret(variables: Variables, limits: EvaluationLimits): Evaluation {
    const evaluation = this.#interpreted.evaluate(variables, limits);
    this.#patience -= evaluation.cost + EVALUATION;
    return evaluation;
  }

  #made(): Program {
    return (this.#compiled ??= this.#compile());
  }
}
