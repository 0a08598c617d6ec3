import type { InterpretedProgram } from './interpret/interpreted-program.ts';
import type { Evaluation, EvaluationLimits, Program, Variables } from './program.ts';

/** An interpreted program that also reports the cost and the number of evaluations of each node. */
export class MeasuredProgram implements Program {
  readonly engine = 'interpreted';
  readonly #program: InterpretedProgram;

  /** @param program Program that was planned with the option `observed`. */
  constructor(program: InterpretedProgram) {
    this.#program = program;
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return this.#program.explain(variables, limits);
  }
}
