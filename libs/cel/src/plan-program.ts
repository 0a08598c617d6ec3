import { planProgram as planInterpreted } from './interpret/plan.ts';
import type { CheckedExpression } from './check/checked.ts';
import type { Environment } from './environment.ts';
import type { ProgramResult } from './program.ts';

/** Makes a program of a checked expression. */
export function planProgram(checked: CheckedExpression, environment: Environment): ProgramResult {
  return planInterpreted(checked, environment);
}
