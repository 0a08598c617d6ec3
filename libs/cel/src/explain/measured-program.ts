import { underRules } from '../runtime/value-rules.ts';
import type { InterpretedProgram } from '../interpret/interpreted-program.ts';
import type { Evaluation, EvaluationLimits, NodeReadings, Program, Variables } from '../program.ts';
import type { ValueRules } from '../runtime/value-rules.ts';

/** An interpreted program that also says what each node did cost, and how often it was evaluated. */
export class MeasuredProgram implements Program {
  readonly engine = 'interpreted';
  readonly #program: InterpretedProgram;
  readonly #rules: ValueRules;

  /** @param program planned to be observed */
  constructor(program: InterpretedProgram, rules: ValueRules) {
    this.#program = program;
    this.#rules = rules;
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation & { readonly readings: NodeReadings } {
    return underRules(this.#rules, () => this.#program.explain(variables, limits));
  }
}
