import { declareType, EMPTY_SCHEMA } from '#cel';
import { LATEST_MINOR } from '#kube';
import type { CelType, CelValue, DeclaredType, Environment, Evaluation } from '#cel';
import { nodeEngine } from '#runner/linker';
import { checkExpression } from '../../../libs/cel/src/language/check/checker.ts';
import { planProgram } from '../../../libs/cel/src/engines/plan-program.ts';
import { planInterpreted } from '../../../libs/cel/src/engines/interpret/plan.ts';
import type { ProgramResult, Variables } from '../../../libs/cel/src/engines/program.ts';
import type { JudgingEngine } from '../judging-engine.ts';
import { Issues } from '../../../libs/cel/src/language/syntax/issues.ts';
import { parseExpression } from '../../../libs/cel/src/language/syntax/parser.ts';

/** What `self` would be, where no text mentions it. */
const NO_SELF = declareType({ ...EMPTY_SCHEMA, type: 'string' }, false, LATEST_MINOR) as DeclaredType;

/** An expression of a table with all that it needs. */
export interface RecordedExpression {
  readonly text: string;
  readonly environment: Environment;
  readonly types: ReadonlyMap<string, CelType>;
  readonly values: Readonly<Record<string, CelValue>>;
  /** Whether constant parts are computed first. */
  readonly folds: boolean;
  readonly costLimit: number;
  readonly engine: JudgingEngine;
}

/** What running an expression gave: a result, or the text of why it did not run. */
export type Run =
  { readonly ok: true; readonly outputType: CelType; readonly evaluation: Evaluation } | { readonly ok: false; readonly error: string };

/** Parses, checks, plans and evaluates with any variables. */
export function runExpression({ text, environment, types, values, folds, costLimit, engine }: RecordedExpression): Run {
  const parsed = parseExpression(text, environment.syntax);
  if (!parsed.ok) return { ok: false, error: parsed.issues.toString() };
  const issues = new Issues(parsed.source);
  const checked = checkExpression(parsed.expression, environment.declarations(types), issues);
  if (issues.count > 0) return { ok: false, error: issues.toString() };
  const planned = plan();
  if (!planned.ok) return planned;
  return {
    ok: true,
    outputType: checked.outputType,
    evaluation: planned.program.evaluate(values as unknown as Variables, { costLimit, token: undefined }),
  };

  /** Generated code always folds, and knows `self` by its schema only. Other variables have no code: the interpreter runs what mentions them. */
  function plan(): ProgramResult {
    const generates = folds && !types.has('self') && !types.has('oldSelf');
    return generates ? planProgram(checked, environment, NO_SELF, nodeEngine(engine)) : planInterpreted(checked, environment, { folds });
  }
}
