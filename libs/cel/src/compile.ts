import { RecordedNames } from './language/recorded-names.ts';
import { checkExpression } from './language/check/checker.ts';
import { planProgram } from './engines/plan-program.ts';
import { Issues } from './language/syntax/issues.ts';
import type { UndefinedField } from './language/syntax/issues.ts';
import { parseOnce } from './language/syntax/parse-once.ts';
import { sourceOf } from './language/syntax/source.ts';
import { isExactType, typeText } from './values/types/type.ts';
import type { CelType } from './values/types/type.ts';
import { validateExpression } from './language/validate.ts';
import { EXPRESSION_WORK } from './work-done.ts';
import type { CodeVariables } from './engines/codegen/variables.ts';
import type { EngineChoice } from './engines/plan-program.ts';
import type { CheckedExpression } from './language/check/checked.ts';
import type { Environment } from './language/environment.ts';
import type { Program, ProgramResult } from './engines/program.ts';

/** Options for compiling a CEL expression whose variables the caller chooses. */
export interface CompileRequest {
  /** Types of the variables that the expression may mention, by name. A name may be qualified, such as `authorizer.requestResource`. */
  readonly variables: ReadonlyMap<string, CelType>;
  /**
   * Facts about the variables, in addition to their types, that code generation can use: whether they are the data `self` and `oldSelf` of
   * a rule. If this property is absent, the variables are CEL values.
   */
  readonly code?: CodeVariables | undefined;
  readonly environment: Environment;
  /** Permitted result types of the expression. Undefined if any type is permitted. */
  readonly results: readonly CelType[] | undefined;
  readonly messages: CompileMessages;
  /**
   * Engine that evaluates the expression. Without it, the expression is interpreted. Generated code needs an engine, because only the
   * calling program can link code.
   */
  readonly engine?: EngineChoice | undefined;
}

/** Texts of upstream's error messages about an expression. Upstream has different texts for rules, message expressions and other uses. */
export interface CompileMessages {
  /** Prefix of the error message if the parser or the checker finds an error. */
  readonly compile: string;
  /** Returns the whole error message for an expression whose result type is wrong. `found` is the text of the actual type. */
  readonly resultType: (found: string) => string;
  /** Prefix of the error message if no program can be created because a constant part fails. */
  readonly program: string;
}

/**
 * Result of compiling an expression. On success, it contains the executable program and the result of the type checker. On failure, it
 * contains upstream's error message.
 */
export type Compiled =
  | { readonly ok: true; readonly checked: CheckedExpression; readonly outputType: CelType; readonly program: Program }
  | {
      readonly ok: false;
      readonly kind: 'compile' | 'outputType' | 'program';
      readonly error: string;
      /** Result of the checker. Undefined if the checker found an error. */
      readonly checked: CheckedExpression | undefined;
      /** Fields that the expression reads although their types do not declare them. Absent if the checker found no errors. */
      readonly undefinedFields?: readonly UndefinedField[];
    };

/**
 * Compiles an expression: parses and type-checks it, and validates its literals and constant arguments. Then tests if its result type is
 * permitted, and creates an executable program. Returns the program, or the first error.
 */
export function compileProgram(text: string, request: CompileRequest): Compiled {
  const { variables, environment, engine } = request;
  const code = request.code ?? { kind: 'named', types: variables };
  return compileAnalyzed(analyze(text, variables, environment), request, (checked) =>
    planProgram(() => checked, environment, code, engine),
  );
}

/**
 * Tests the result type of an expression that has already been parsed and checked, and creates its program with `plan`. Returns the error
 * of parser, checker, type test or `plan` if one of them failed.
 */
export function compileAnalyzed(
  analysis: Analysis,
  { environment, results, messages }: Pick<CompileRequest, 'environment' | 'results' | 'messages'>,
  plan: (checked: CheckedExpression) => ProgramResult,
): Compiled {
  if (!analysis.ok) {
    const { issues } = analysis;
    return {
      ok: false,
      kind: 'compile',
      error: messages.compile + issues.toString(),
      checked: undefined,
      undefinedFields: issues.undefinedFields,
    };
  }
  const { checked } = analysis;
  const { outputType } = checked;
  if (results !== undefined && !results.some((type) => isExactType(type, outputType))) {
    return { ok: false, kind: 'outputType', error: messages.resultType(typeText(outputType, environment.semantics)), checked };
  }
  const made = plan(checked);
  if (!made.ok) return { ok: false, kind: 'program', error: messages.program + made.error, checked };
  return { ok: true, checked, outputType, program: made.program };
}

/**
 * Result of parser and checker for an expression. `lookedUp` contains names that the checker looked up. These are the names whose
 * declaration depends on the Kubernetes minor version.
 */
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
