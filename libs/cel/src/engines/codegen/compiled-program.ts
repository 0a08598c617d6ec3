import { Cancelled } from '#go';
import { EvaluationPanic } from '../../values/errors.ts';
import { CelError, Optional } from '../../values/value.ts';
import { RawList, RawMap } from '../../values/wrap.ts';
import { GeneratedRun } from './generated-rule.ts';
import type { CancellationToken, JsonValue } from '#go';
import type { ElementRange, Evaluation, EvaluationLimits, Program, TrueElements, Variables } from '../program.ts';
import type { CelValue } from '../../values/value.ts';
import type { Semantics } from '../../values/semantics.ts';
import type { DirectCode, GeneratedRule } from './generated-rule.ts';

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
 * Functions that generate special code of a rule on request. The code either evaluates lists in columns, evaluates the elements of one
 * column, or computes only the cost for valid data. A column is a long list of scalars that is read in place.
 */
export type SpecialCode = Required<Pick<Program, 'codeForColumns' | 'codeForElements' | 'codeForValid'>>;

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
    // The exact cost at which a limit stops an evaluation is found by walking the same way again.
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
  readonly codeForColumns: SpecialCode['codeForColumns'];
  readonly codeForElements: SpecialCode['codeForElements'];
  readonly codeForValid: SpecialCode['codeForValid'];

  constructor(code: LinkedCode) {
    super(code);
    const { codeForColumns, codeForElements, codeForValid } = code.special;
    this.codeForColumns = codeForColumns;
    this.codeForElements = codeForElements;
    this.codeForValid = codeForValid;
  }

  get direct(): DirectCode {
    return { rule: this.rule, run: this.current, runsLong: this.runsLong };
  }

  evaluateWhileTrue(elements: readonly CelValue[], { from, to }: ElementRange, { costLimit, token }: EvaluationLimits): TrueElements {
    // Elements that need a while each are looked at one by one.
    if (this.runsLong) return { count: 0, cost: 0 };
    const rule = this.rule;
    const run = this.current;
    const polled = token ?? NEVER_CANCELLED;
    let cost = 0;
    let at = from;
    for (; at < to; at++) {
      if (rule(elements[at], undefined, costLimit, polled, run) !== true || run.cost > costLimit) break;
      cost += run.cost;
    }
    return { count: at - from, cost };
  }

  protected override run({ self, oldSelf }: Variables, { costLimit, token }: EvaluationLimits): CelValue | undefined {
    const polled = token ?? NEVER_CANCELLED;
    if (oldSelf === undefined) return this.rule(rawOf(self), undefined, costLimit, polled, this.current);
    const old = oldSelf instanceof Optional ? oldSelf.value : oldSelf;
    // An old value in error is not the same as none.
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
