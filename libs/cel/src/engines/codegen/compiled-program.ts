import { Cancelled } from '#go';
import type { CancellationToken, JsonValue } from '#go';
import type { Semantics } from '../../values/semantics.ts';
import { CelError, EvaluationPanic, Optional } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { RawList, RawMap } from '../../values/wrap.ts';
import { GeneratedRun } from '../program.ts';
import type { CodeLayout, DirectCode, Evaluation, EvaluationLimits, GeneratedRule, PriceCode, Program, Variables } from '../program.ts';

/**
 * Function that creates a function of one parameter from the text of its body. The host (the calling program) provides it, for example by
 * `node:vm`, or in a browser page as `(parameter, body) => new Function(parameter, body)`. It throws an EvalError if the host forbids code
 * from strings.
 */
export type Linker = (parameter: string, body: string) => (argument: readonly unknown[]) => unknown;

/**
 * Result of {@link linkCode}, which runs generated source code: the value of the source, or the reason why the environment forbids running
 * it.
 */
export type LinkResult = { readonly ok: true; readonly linked: unknown } | { readonly ok: false; readonly obstacle: string };

/**
 * Links generated source with its constants and returns the value of the source, which is usually a function. The source refers to the
 * constants as `K`. Only the generator of the source knows the type of the value.
 */
export function linkCode(link: Linker, source: string, constants: readonly unknown[]): LinkResult {
  try {
    return { ok: true, linked: link('K', source)(constants) };
  } catch (thrown) {
    if (isEvalError(thrown)) return { ok: false, obstacle: FORBIDDEN };
    throw thrown;
  }
}

/** Text of {@link Program.obstacle} if the host forbids linking code, for example by a Content-Security-Policy without `unsafe-eval`. */
const FORBIDDEN = 'the host forbids code from strings';

/**
 * Returns true if a thrown value is an EvalError. Tests the name of the error, because a linker from another realm throws that realm's own
 * EvalError class.
 */
const isEvalError = (thrown: unknown): boolean => (thrown as { readonly name?: unknown } | null)?.name === 'EvalError';

const NEVER_CANCELLED: CancellationToken = { cancelled: false };

/** Generated code of an expression as a callable function (`rule`), with all data that its evaluation needs. */
export interface LinkedCode {
  readonly rule: GeneratedRule;
  /** True if the code has loops, or calls functions with loops. */
  readonly runsLong: boolean;
  readonly semantics: Semantics;
  /** Program for the interpreter. It completes the evaluations that the generated code cannot complete. */
  readonly interpreted: Program;
  readonly special: SpecialCode;
  readonly rebuild: () => Program;
}

/**
 * Function that generates code of a rule for a special layout: for columns, for the elements of one column, or for valid data. The rule's
 * program does not run this code itself.
 */
export interface SpecialCode {
  (layout: 'valid'): PriceCode | undefined;
  (layout: Exclude<CodeLayout, 'valid' | 'value'>): DirectCode | undefined;
}

/** A program that runs generated code. If the code returns undefined, the interpreter evaluates the expression. */
abstract class CompiledProgram implements Program {
  readonly engine = 'compiled';
  readonly rebuild: () => Program;
  protected readonly rule: GeneratedRule;
  protected readonly runsLong: boolean;
  protected readonly current: GeneratedRun;
  readonly #interpreted: Program;

  constructor({ rule, runsLong, semantics, interpreted, rebuild }: LinkedCode) {
    this.rebuild = rebuild;
    this.rule = rule;
    this.runsLong = runsLong;
    this.#interpreted = interpreted;
    this.current = new GeneratedRun(semantics);
  }

  /**
   * Runs the generated code. Returns undefined if the code does not support the data or an operation, so that the interpreter must evaluate
   * the expression.
   */
  protected abstract run(variables: Variables, limits: EvaluationLimits): CelValue | undefined;

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    const value = this.runsLong ? this.#runInterruptibly(variables, limits) : this.run(variables, limits);
    // Only the interpreter knows the exact cost at which a limit ends an evaluation, so it repeats the evaluation.
    if (value === undefined || this.current.cost > limits.costLimit) return this.#interpreted.evaluate(variables, limits);
    return { value, cost: this.current.cost };
  }

  /**
   * Runs code that can be cancelled. Returns undefined if the token was cancelled, or if upstream panics for the same operation. The
   * interpreter then evaluates the expression and produces the right error message.
   */
  #runInterruptibly(variables: Variables, limits: EvaluationLimits): CelValue | undefined {
    try {
      this.current.begin(limits.token);
      return this.run(variables, limits);
    } catch (thrown) {
      if (thrown instanceof Cancelled || thrown instanceof EvaluationPanic) return undefined;
      throw thrown;
    }
  }
}

/**
 * Executable form of a rule that runs generated code. If the schema of `self` and `oldSelf` permits it, their values are passed as JSON
 * data without conversion to CEL values.
 */
export class RuleProgram extends CompiledProgram {
  readonly #special: SpecialCode;

  constructor(code: LinkedCode) {
    super(code);
    this.#special = code.special;
  }

  codeFor(layout: 'valid'): PriceCode | undefined;
  codeFor(layout: Exclude<CodeLayout, 'valid'>): DirectCode | undefined;
  codeFor(layout: CodeLayout): DirectCode | PriceCode | undefined {
    if (layout === 'value') return { rule: this.rule, run: this.current, runsLong: this.runsLong };
    return layout === 'valid' ? this.#special(layout) : this.#special(layout);
  }

  protected override run({ self, oldSelf }: Variables, { costLimit, token }: EvaluationLimits): CelValue | undefined {
    const polled = token ?? NEVER_CANCELLED;
    if (oldSelf === undefined) return this.rule(rawOf(self), undefined, costLimit, polled, this.current);
    const old = oldSelf instanceof Optional ? oldSelf.value : oldSelf;
    // Generated code cannot read an error as the old value, and undefined would mean that there is no old value.
    if (old instanceof CelError) return undefined;
    return this.rule(rawOf(self), old === undefined ? undefined : rawOf(old), costLimit, polled, this.current);
  }
}

/**
 * Program that runs generated code for an expression that is not a rule and may have any variables. The variables are passed as CEL values.
 */
export class ExpressionProgram extends CompiledProgram {
  protected override run(variables: Variables, { costLimit, token }: EvaluationLimits): CelValue | undefined {
    return this.rule(variables, undefined, costLimit, token ?? NEVER_CANCELLED, this.current);
  }
}

/**
 * Returns a variable in the form that generated code expects: objects and lists without their CEL wrappers. The result for an error is
 * undefined, because generated code does not support errors.
 */
function rawOf(value: CelValue | undefined): JsonValue | CelValue | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof RawMap) return value.raw;
  if (value instanceof RawList) return value.raw as JsonValue[];
  return value instanceof CelError ? undefined : value;
}
