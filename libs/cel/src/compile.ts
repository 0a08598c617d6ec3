import { RecordedNames } from './language/recorded-names.ts';
import { checkExpression } from './language/check/checker.ts';
import { planProgram } from './engines/plan-program.ts';
import { Issues } from './language/syntax/issues.ts';
import { parseOnce } from './language/syntax/parse-once.ts';
import { sourceOf } from './language/syntax/source.ts';
import { typeText } from './values/types/format.ts';
import { isExactType } from './values/types/equality.ts';
import { validateExpression } from './language/validate/validate.ts';
import { EXPRESSION_WORK } from './work-done.ts';
import type { CodeVariables } from './engines/codegen/variables.ts';
import type { EngineChoice } from './engines/plan-program.ts';
import type { CheckedExpression } from './language/check/checked.ts';
import type { Environment } from './language/environment.ts';
import type { Program, ProgramResult } from './engines/program.ts';
import type { CelType } from './values/types/type.ts';

/** The options for compiling any expression. */
export interface CompileRequest {
  /** The variables that it may mention, qualified names such as `authorizer.requestResource` included, and their types. */
  readonly variables: ReadonlyMap<string, CelType>;
  /** Knowledge of generated code about the variables, beyond their types. Absent: they are CEL values. */
  readonly code?: CodeVariables | undefined;
  readonly environment: Environment;
  /** Types of which the expression must have one; undefined: any will do. */
  readonly results: readonly CelType[] | undefined;
  readonly words: CompileWords;
  /** Without a choice the expression is interpreted, since only the host can link code. */
  readonly engine?: EngineChoice | undefined;
}

/** The caller's wording of upstream's errors about an expression. */
export interface CompileWords {
  /** Stands before the complaints of parser and checker. */
  readonly compile: string;
  /** The whole complaint about a result of the wrong type, by the text of that. */
  readonly resultType: (found: string) => string;
  /** Stands before the error of a constant part. */
  readonly program: string;
}

/** A program with what the checker found, or upstream's text of why there is none. */
export type Compiled =
  | { readonly ok: true; readonly checked: CheckedExpression; readonly outputType: CelType; readonly program: Program }
  | {
      readonly ok: false;
      readonly kind: 'compile' | 'outputType' | 'program';
      readonly error: string;
      /** Result of the checker, if it found no error. */
      readonly checked: CheckedExpression | undefined;
    };

/** Compiles an expression over any variables: parse, check, validate, test the type of the result, make a program. */
export function compileProgram(text: string, request: CompileRequest): Compiled {
  const { variables, environment, engine } = request;
  const code = request.code ?? { kind: 'named', types: variables };
  return compileAnalyzed(analyze(text, variables, environment), request, (checked) =>
    planProgram(() => checked, environment, code, engine),
  );
}

/** Compiles an expression from what parser and checker said of it. */
export function compileAnalyzed(
  analysis: Analysis,
  { environment, results, words }: Pick<CompileRequest, 'environment' | 'results' | 'words'>,
  plan: (checked: CheckedExpression) => ProgramResult,
): Compiled {
  if (!analysis.ok) return { ok: false, kind: 'compile', error: words.compile + analysis.issues.toString(), checked: undefined };
  const { checked } = analysis;
  const { outputType } = checked;
  if (results !== undefined && !results.some((type) => isExactType(type, outputType))) {
    return { ok: false, kind: 'outputType', error: words.resultType(typeText(outputType, environment.semantics)), checked };
  }
  const made = plan(checked);
  if (!made.ok) return { ok: false, kind: 'program', error: words.program + made.error, checked };
  return { ok: true, checked, outputType, program: made.program };
}

/** The result of parser and checker for an expression, with the dated names that they looked up. */
export type Analysis =
  | { readonly ok: true; readonly checked: CheckedExpression; readonly lookedUp: readonly string[] }
  | { readonly ok: false; readonly issues: Issues };

/** Parses, checks and validates an expression. */
export function analyze(text: string, variables: ReadonlyMap<string, CelType>, environment: Environment): Analysis {
  const parsed = parseOnce(text, environment.syntax);
  if (!parsed.ok) return parsed;
  EXPRESSION_WORK.checked++;
  const declarations = new RecordedNames(environment.declarations(variables), environment);
  const issues = new Issues(sourceOf(text, environment.syntax));
  const checked = checkExpression(parsed.expression, declarations, issues);
  if (issues.count === 0) validateExpression(checked, declarations, issues);
  return issues.count === 0 ? { ok: true, checked, lookedUp: declarations.names } : { ok: false, issues };
}
