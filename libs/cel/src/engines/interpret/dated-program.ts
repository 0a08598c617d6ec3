import type { Evaluation, EvaluationLimits, Program, Variables } from '../program.ts';
import { underRules } from '../../values/value-rules.ts';
import type { ValueRules } from '../../values/value-rules.ts';

/** A program of a minor whose values behave in older ways. */
export class DatedProgram implements Program {
  readonly #program: Program;
  readonly #rules: ValueRules;
  constructor(program: Program, rules: ValueRules) {
    this.#program = program;
    this.#rules = rules;
  }
  get engine(): Program['engine'] {
    return this.#program.engine;
  }
  get obstacle(): string | undefined {
    return this.#program.obstacle;
  }
  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return underRules(this.#rules, () => this.#program.evaluate(variables, limits));
  }
}
