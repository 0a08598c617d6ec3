import { analyzeRule } from './checked-rules.ts';
import { compileAnalyzed } from './compile.ts';
import { planProgram } from './engines/plan-program.ts';
import { BOOL, STRING } from './values/types/type.ts';
import type { OldSelf } from './checked-rules.ts';
import type { CompileMessages } from './compile.ts';
import type { EngineChoice } from './engines/plan-program.ts';
import type { CheckedExpression } from './language/check/checked.ts';
import type { Environment } from './language/environment.ts';
import type { Program } from './engines/program.ts';
import type { DeclaredType } from './values/schema/declared-type.ts';
import type { CelType } from './values/types/type.ts';

/** Options of compiling a rule or a message expression. */
export interface CompileOptions {
  /** Declared type of the variable `self`. */
  readonly self: DeclaredType;
  readonly oldSelf: OldSelf;
  readonly environment: Environment;
  /** Required result type of the expression: `bool` for rules, `string` for messages. */
  readonly expect: 'bool' | 'string' | 'any';
  /**
   * Engine that evaluates the expression. If it is absent, the expression is interpreted. Generated code needs an engine, because only the
   * calling program can link code.
   */
  readonly engine?: EngineChoice | undefined;
}

/** A compiled expression, or upstream's error message if the expression cannot be compiled. */
export type CompiledExpression =
  | {
      readonly ok: true;
      readonly checked: CheckedExpression;
      readonly outputType: CelType;
      /** Estimated maximum cost of one evaluation, in cost units. */
      readonly maxCost: bigint;
      /** True if the expression mentions `oldSelf`. */
      readonly usesOldSelf: boolean;
      readonly program: Program;
    }
  | {
      readonly ok: false;
      readonly kind: 'compile' | 'outputType' | 'program';
      readonly error: string;
      /** Result type of the expression. Undefined if the checker found an error. */
      readonly outputType: CelType | undefined;
      /**
       * True if the expression mentions `oldSelf`. Always false if `kind` is `compile` or `outputType`, because upstream does not look for
       * `oldSelf` in these cases.
       */
      readonly usesOldSelf: boolean;
    };

/**
 * Upstream's error messages for rules and for message expressions. Source: apiextensions-apiserver pkg/apiserver/schema/cel/compilation.go
 * (1.37).
 */
const WORDING: Readonly<Record<'bool' | 'string', CompileMessages>> = {
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

/** Compiles a rule or a message expression of a schema. The maximum cost is estimated when `maxCost` is first read. */
export function compileExpression(text: string, { self, oldSelf, environment, expect, engine }: CompileOptions): CompiledExpression {
  const rule = analyzeRule(text, self, oldSelf, environment);
  const request = { environment, results: RESULTS[expect], messages: WORDING[expect === 'string' ? 'string' : 'bool'] };
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
    // This getter computes the estimate only on access, because an evaluation does not need the estimate.
    get maxCost() {
      return rule.maxCost();
    },
    usesOldSelf: rule.usesOldSelf,
    program,
  };
}
