import type { CelType, CelValue, Environment, Evaluation } from '#cel';
import { nodeEngine } from '#runner/linker';
import { checkExpression } from '../../../libs/cel/src/language/check/checker.ts';
import { planProgram } from '../../../libs/cel/src/engines/plan-program.ts';
import { planInterpreted } from '../../../libs/cel/src/engines/interpret/plan.ts';
import type { ProgramResult } from '../../../libs/cel/src/engines/program.ts';
import type { JudgingEngine } from '../judging-engine.ts';
import { Issues } from '../../../libs/cel/src/language/syntax/issues.ts';
import { Source } from '../../../libs/cel/src/language/syntax/source.ts';
import { parseExpression } from '../../../libs/cel/src/language/syntax/parser.ts';

/** A recorded expression with everything that its evaluation needs: environment, variables and limits. */
export interface RecordedExpression {
  readonly text: string;
  readonly environment: Environment;
  readonly types: ReadonlyMap<string, CelType>;
  readonly values: Readonly<Record<string, CelValue>>;
  /** True if constant parts of the expression are computed during planning. */
  readonly folds: boolean;
  readonly costLimit: number;
  readonly engine: JudgingEngine;
}

/** The result of running an expression, or the error that prevented the run. */
export type Run =
  | { readonly ok: true; readonly outputType: CelType; readonly evaluation: Evaluation }
  | { readonly ok: false; readonly error: string };

/** Parses, checks, plans and evaluates a recorded expression. */
export function runExpression({ text, environment, types, values, folds, costLimit, engine }: RecordedExpression): Run {
  const parsed = parseExpression(text, environment.syntax);
  if (!parsed.ok) return { ok: false, error: parsed.issues.toString() };
  const issues = new Issues(new Source(text));
  const checked = checkExpression(parsed.expression, environment.declarations(types), issues);
  if (issues.count > 0) return { ok: false, error: issues.toString() };
  const planned = plan();
  if (!planned.ok) return planned;
  return {
    ok: true,
    outputType: checked.outputType,
    evaluation: planned.program.evaluate(values, { costLimit, token: undefined }),
  };

  /**
   * Plans the checked expression. If constants must not be folded, the interpreter runs the expression, because generated code always folds
   * constants.
   */
  function plan(): ProgramResult {
    if (!folds) return planInterpreted(checked, environment, { folds });
    return planProgram(() => checked, environment, { kind: 'named', types }, nodeEngine(engine));
  }
}
