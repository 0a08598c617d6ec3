import { CompiledProgram } from './codegen/compiled-program.ts';
import { generate } from './codegen/generate.ts';
import { DatedProgram } from './interpret/dated-program.ts';
import { planProgram as planInterpreted } from './interpret/plan.ts';
import { areLatest, valueRules } from './runtime/value-rules.ts';
import type { CheckedExpression } from './check/checked.ts';
import type { Environment } from './environment.ts';
import type { Evaluation, EvaluationLimits, Program, ProgramResult, Variables } from './program.ts';
import type { DeclaredType } from './schema/declared-type.ts';

/** Which engine a program gets: `compiled` where the generator knows all parts of the expression, else the interpreter. */
export type EngineChoice = 'compiled' | 'interpreted';

/** Makes a program of a checked expression. */
export function planProgram(
  checked: CheckedExpression,
  environment: Environment,
  self: DeclaredType,
  engine: EngineChoice = 'compiled',
): ProgramResult {
  const planned = planInterpreted(checked, environment);
  if (!planned.ok) return planned;
  const underRules = (program: Program): ProgramResult => ({ ok: true, program: underRulesOf(environment, program) });
  if (engine === 'interpreted') return underRules(planned.program);
  const compile = (): Program => {
    const generated = generate(checked, environment, self);
    return generated.ok ? new CompiledProgram(generated, planned.program) : planned.program;
  };
  return underRules(new DeferredProgram(compile));
}

/** Older minors compare some values in other ways. */
function underRulesOf({ minor }: Environment, program: Program): Program {
  const rules = valueRules(minor);
  return areLatest(rules) ? program : new DatedProgram(program, rules);
}

/** A program whose code is generated when it is first run: rules that are only priced never need it. */
class DeferredProgram implements Program {
  readonly #compile: () => Program;
  #program: Program | undefined;

  constructor(compile: () => Program) {
    this.#compile = compile;
  }

  get engine(): EngineChoice {
    return this.#made().engine;
  }

  /** The generated code, for those who want to read it. */
  get source(): string | undefined {
    const program = this.#made();
    return program instanceof CompiledProgram ? program.source : undefined;
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return this.#made().evaluate(variables, limits);
  }

  #made(): Program {
    return (this.#program ??= this.#compile());
  }
}
