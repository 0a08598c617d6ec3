import { analyzeRule } from './checked-rules.ts';
import { compileAnalyzed } from './compile.ts';
import { planProgram } from './engines/plan-program.ts';
import { BOOL, STRING } from './values/types/type.ts';
import type { OldSelf } from './checked-rules.ts';
import type { CompileWords } from './compile.ts';
import type { EngineChoice } from './engines/plan-program.ts';
import type { CheckedExpression } from './language/check/checked.ts';
import type { Environment } from './language/environment.ts';
import type { Program } from './engines/program.ts';
import type { DeclaredType } from './values/schema/declared-type.ts';
import type { CelType } from './values/types/type.ts';

/** The options for compiling a rule or message. */
export interface CompileOptions {
  /** What `self` is. */
  readonly self: DeclaredType;
  readonly oldSelf: OldSelf;
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
      /** True if the expression mentions `oldSelf`. */
      readonly usesOldSelf: boolean;
      readonly program: Program;
    }
  | {
      readonly ok: false;
      readonly kind: 'compile' | 'outputType' | 'program';
      readonly error: string;
      /** The expression's type, where it has one. */
      readonly outputType: CelType | undefined;
      /** True if the expression mentions `oldSelf`. Upstream finds this out only if the type is right. */
      readonly usesOldSelf: boolean;
    };

/**
 * Upstream's wording of failures of rules and of messages. Source: apiextensions-apiserver
 * pkg/apiserver/schema/cel/compilation.go (1.37).
 */
const WORDING: Readonly<Record<'bool' | 'string', CompileWords>> = {
  bool: {
    compile: 'compilation failed: ',
    resultType: () => 'cel expression must evaluate to a bool',
    program: 'program instantiation failed: ',
  },
  string: {
    compile: 'messageExpression compilation failed: ',
    resultType: () => 'messageExpression must evaluate to a string',
    program: 'messageExpression instantiation failed: ',
  },
};

const RESULTS = { bool: [BOOL], string: [STRING], any: undefined } as const;

/** Compiles a rule or a message of a schema, and estimates its cost. */
export function compileExpression(text: string, { self, oldSelf, environment, expect, engine }: CompileOptions): CompiledExpression {
  const rule = analyzeRule(text, self, oldSelf, environment);
  const request = { environment, results: RESULTS[expect], words: WORDING[expect === 'string' ? 'string' : 'bool'] };
  const compiled = compileAnalyzed(rule.analysis, request, () =>
    planProgram(
      () => rule.checked(),
      environment,
      { kind: 'rule', self },
      engine,
      () => rule.planned(),
    ),
  );
  if (!compiled.ok) {
    const { kind, error, checked } = compiled;
    return { ok: false, kind, error, outputType: checked?.outputType, usesOldSelf: kind === 'program' && rule.usesOldSelf };
  }
  const { outputType, program } = compiled;
  return {
    ok: true,
    get checked() {
      return rule.checked();
    },
    outputType,
    // Whoever only evaluates asks for no estimate.
    get maxCost() {
      return rule.maxCost();
    },
    usesOldSelf: rule.usesOldSelf,
    program,
  };
}
