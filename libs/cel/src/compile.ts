import { checkExpression } from './language/check/checker.ts';
import { estimateCost } from './prices/estimate.ts';
import { schemaSize } from './prices/schema-size.ts';
import { planProgram } from './engines/plan-program.ts';
import type { EngineChoice } from './engines/plan-program.ts';
import { celTypeOf } from './values/schema/declared-type.ts';
import { Issues } from './language/syntax/issues.ts';
import { parseOnce } from './language/syntax/parse-once.ts';
import { typeText } from './values/types/format.ts';
import { optionalOf } from './values/types/type.ts';
import { validateExpression } from './language/validate/validate.ts';
import type { CheckedExpression } from './language/check/checked.ts';
import type { Environment } from './language/environment.ts';
import type { Program, ProgramResult } from './engines/program.ts';
import type { DeclaredType } from './values/schema/declared-type.ts';
import type { CelType } from './values/types/type.ts';

/** What a rule or message is compiled against. */
export interface CompileOptions {
  /** What `self` is. */
  readonly self: DeclaredType;
  /** How `oldSelf` is declared: as `self`, or as an optional of that (`optionalOldSelf: true`). */
  readonly oldSelf: 'plain' | 'optional';
  readonly environment: Environment;
  /** The type that the expression must have: `bool` for rules, `string` for messages. */
  readonly expect: 'bool' | 'string' | 'any';
  /** Without a choice the expression is interpreted, since only the host can link code. */
  readonly engine?: EngineChoice | undefined;
}

/** A compiled expression, or upstream's text of why it cannot be one. */
export type CompiledExpression =
  | {
      readonly ok: true;
      readonly checked: CheckedExpression;
      readonly outputType: CelType;
      /** Most cost units that one evaluation can take, by estimate. */
      readonly maxCost: bigint;
      /** Whether the expression mentions `oldSelf`. */
      readonly usesOldSelf: boolean;
      readonly program: Program;
    }
  | {
      readonly ok: false;
      readonly kind: 'compile' | 'outputType' | 'program';
      readonly error: string;
      /** The expression's type, where it has one. */
      readonly outputType: CelType | undefined;
      /** Whether the expression mentions `oldSelf`; upstream finds out only when the type is right. */
      readonly usesOldSelf: boolean;
    };

/** The name that upstream makes up for the type of `self`; it ends in digits of the clock there. */
const SELF_TYPE_NAME = 'selfType0';

/** How upstream words failures of rules and of messages. Source: apiextensions-apiserver pkg/apiserver/schema/cel/compilation.go (1.37). */
const WORDING = {
  bool: {
    compile: 'compilation failed: ',
    outputType: 'cel expression must evaluate to a bool',
    program: 'program instantiation failed: ',
  },
  string: {
    compile: 'messageExpression compilation failed: ',
    outputType: 'messageExpression must evaluate to a string',
    program: 'messageExpression instantiation failed: ',
  },
} as const;

/** Compiles one expression: parse, check, validate, make a program, estimate its cost. */
export function compileExpression(text: string, options: CompileOptions): CompiledExpression {
  const { environment, expect } = options;
  const words = WORDING[expect === 'string' ? 'string' : 'bool'];
  const analysis = analyze(text, options);
  if (!analysis.ok) {
    return { ok: false, kind: 'compile', error: words.compile + analysis.issues.toString(), outputType: undefined, usesOldSelf: false };
  }
  const { checked } = analysis;
  const { outputType } = checked;
  if (expect !== 'any' && typeText(outputType) !== expect) {
    return { ok: false, kind: 'outputType', error: words.outputType, outputType, usesOldSelf: false };
  }
  const usesOldSelf = [...checked.references.values()].some(({ name }) => name === 'oldSelf');
  const made = makeProgram(checked, options);
  if (!made.ok) return { ok: false, kind: 'program', error: words.program + made.error, outputType, usesOldSelf };
  const estimate = estimateCost(checked, { sizeAt: (path) => schemaSize(options.self, path), costs: environment.costs });
  return { ok: true, checked, outputType, maxCost: estimate.max, usesOldSelf, program: made.program };
}

function analyze(
  text: string,
  { self, oldSelf, environment }: CompileOptions,
): { readonly ok: true; readonly checked: CheckedExpression } | { readonly ok: false; readonly issues: Issues } {
  const parsed = parseOnce(text, environment.syntax);
  if (!parsed.ok) return parsed;
  const type = celTypeOf(self, SELF_TYPE_NAME);
  const variables = new Map([
    ['self', type],
    ['oldSelf', oldSelf === 'optional' ? optionalOf(type) : type],
  ]);
  const declarations = environment.declarations(variables);
  const issues = new Issues(parsed.source);
  const checked = checkExpression(parsed.expression, declarations, issues);
  if (issues.count === 0) validateExpression(checked, declarations, issues);
  return issues.count === 0 ? { ok: true, checked } : { ok: false, issues };
}

function makeProgram(checked: CheckedExpression, { environment, self, engine }: CompileOptions): ProgramResult {
  return planProgram(checked, environment, self, engine);
}
