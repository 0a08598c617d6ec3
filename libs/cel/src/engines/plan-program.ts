import { AdaptiveProgram } from './adaptive-program.ts';
import { CompiledProgram } from './codegen/compiled-program.ts';
import { generate } from './codegen/generate.ts';
import { MeasuredProgram } from './measured-program.ts';
import { planInterpreted } from './interpret/plan.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { Environment } from '../language/environment.ts';
import type { Evaluation, EvaluationLimits, Program, ProgramResult, Variables } from './program.ts';
import type { DeclaredType } from '../values/schema/declared-type.ts';

/**
 * Which engine a program gets. `adaptive`: the interpreter at first, generated code where it pays. `compiled`: generated code from the start,
 * where the generator knows all parts of the expression. `interpreted`: no code at all. `measured`: interpreted, and each evaluation says what
 * its nodes cost.
 */
export type EngineChoice = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** Makes a program of a checked expression. */
export function planProgram(checked: CheckedExpression, environment: Environment, self: DeclaredType, engine: EngineChoice): ProgramResult {
  const planned = planInterpreted(checked, environment, { observed: engine === 'measured' });
  if (!planned.ok) return planned;
  if (engine === 'measured') return { ok: true, program: new MeasuredProgram(planned.program) };
  const compile = (): Program => {
    const generated = generate(checked, environment, self);
    return generated.ok
      ? new CompiledProgram(generated, environment.semantics, planned.program)
      : new InterpretedFallback(planned.program, generated.obstacle);
  };
  return { ok: true, program: chosen(engine, planned.program, compile) };
}

/** A program whose expression the generator does not know in full. */
class InterpretedFallback implements Program {
  readonly engine = 'interpreted';
  readonly obstacle: string;
  readonly #program: Program;
  constructor(program: Program, obstacle: string) {
    this.#program = program;
    this.obstacle = obstacle;
  }
  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return this.#program.evaluate(variables, limits);
  }
}

function chosen(engine: EngineChoice, interpreted: Program, compile: () => Program): Program {
  if (engine === 'interpreted') return interpreted;
  return engine === 'compiled' ? compile() : new AdaptiveProgram(interpreted, compile);
}
