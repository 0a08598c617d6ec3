import { CompiledProgram } from './codegen/compiled-program.ts';
import { generate } from './codegen/generate.ts';
import { planProgram as planInterpreted } from './interpret/plan.ts';
import type { CheckedExpression } from './check/checked.ts';
import type { Environment } from './environment.ts';
import type { ProgramResult } from './program.ts';
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
  if (!planned.ok || engine === 'interpreted') return planned;
  const generated = generate(checked, environment, self);
  return generated.ok ? { ok: true, program: new CompiledProgram(generated, planned.program) } : planned;
}
