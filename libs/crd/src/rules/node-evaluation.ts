import { CelError, Optional, wrapValue } from '#cel';
import type { Evaluation, EvaluationLimits, Program, Variables } from '#cel';
import { Cancelled, goQuote, goTrim, utf8Length } from '#go';
import type { CancellationToken } from '#go';
import {
  childPath,
  fieldErrorText,
  invalid,
  messageNote,
  OMIT,
  pathText,
  unusedMessage,
  wordedValue,
  duplicate,
  forbidden,
  required,
} from '#kube';
import type { FieldError, FieldPath, BadValueInput } from '#kube';
import { CRD_CHANGES } from '../minors/minors.ts';
import type { Correlation } from '../object/correlate.ts';
import type { ValidationRule } from '../schema/schema-props.ts';
import type { EvaluatedRule } from '../verdict.ts';
import type { RuleObserver, CompiledRule, CompiledRules } from './compiled-rules.ts';
import type { RuleCursor } from './rule-cursor.ts';

/** Options for evaluating rules. */
export interface RuleEvaluationOptions {
  /** Path of the value; undefined for a whole object. */
  readonly path: FieldPath | undefined;
  readonly costLimit: number;
  readonly budget: number;
  readonly token: CancellationToken | undefined;
  /** Correlation of the object with its old value. It allows unchanged parts to remain invalid. Undefined if there is no ratcheting. */
  readonly correlation: Correlation | undefined;
  /** True if the result also lists the cost of each rule. */
  readonly explain: boolean;
  readonly observer: RuleObserver | undefined;
  /**
   * True if the error of a failed rule shows the rejected value when it is a scalar. Before Kubernetes 1.35, errors show only the type of
   * the value.
   */
  readonly showsScalars: boolean;
  /** Callback for each failed rule that is only a warning because the value is unchanged. `text` is the text of the warning. */
  readonly warn: (text: string) => void;
  /** Callback for each failed rule whose messageExpression has no effect. `text` is a note in the words of Assay. */
  readonly note?: (text: string) => void;
}

/** Result of evaluating rules: the errors, the remaining budget, and the cost of each rule on request. */
export interface RulesResult {
  readonly errors: FieldError[];
  /** Cost units that are left of the budget. Negative if a cost limit stopped the evaluation. */
  readonly remaining: number;
  readonly evaluated: readonly EvaluatedRule[] | undefined;
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The result of a message expression: a text, an unusable value, or an error that ends the evaluation. */
type Message =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unusable'; readonly why: string }
  | { readonly kind: 'fatal'; readonly error: string };

/**
 * Evaluation of the CEL rules of one object or value, one schema node at a time. All nodes share one cost budget. Source:
 * apiextensions-apiserver pkg/apiserver/schema/cel/validation.go `validateExpressions` (1.37).
 */
export class NodeEvaluation {
  readonly errors: FieldError[] = [];
  readonly limits: EvaluationLimits;
  #remaining: number;
  readonly #evaluated: EvaluatedRule[] | undefined;
  readonly #options: RuleEvaluationOptions;

  constructor(options: RuleEvaluationOptions) {
    this.#options = options;
    this.limits = { costLimit: options.costLimit, token: options.token };
    this.#remaining = options.budget;
    this.#evaluated = options.explain ? [] : undefined;
  }

  /** Number of cost units that remain in the budget. It is negative if a cost limit stopped the evaluation. */
  get remaining(): number {
    return this.#remaining;
  }

  /** True if the remaining budget is negative, because a cost limit stopped the evaluation. No further rule is evaluated. */
  get isOver(): boolean {
    return this.#remaining < 0;
  }

  /** True if the caller wants each evaluation to be reported. */
  get isObserved(): boolean {
    return this.#evaluated !== undefined || this.#options.observer !== undefined;
  }

  get result(): RulesResult {
    return { errors: this.errors, remaining: this.#remaining, evaluated: this.#evaluated };
  }

  /** Subtracts `cost` from the remaining budget. */
  spend(cost: number): void {
    this.#remaining -= cost;
  }

  /** Evaluates the rules of a node. */
  evaluate(rules: CompiledRules, at: RuleCursor): void {
    const { type } = rules.schema;
    const { value } = at;
    if (rules.error !== undefined) {
      this.errors.push(invalid(at.path, type, `rule compiler initialization error: ${rules.error}`));
      return;
    }
    if (rules.rules.length === 0) return;
    if (this.#remaining <= 0) return this.#stop(invalid(at.path, type, OUT_OF_BUDGET));
    const self = wrapValue(value, rules.valueSchema);
    const oldValue = rules.usesOldSelf ? at.oldValue : null;
    const old = oldValue === null ? undefined : wrapValue(oldValue, rules.valueSchema);
    const variables: Variables = { self, oldSelf: old };
    for (const rule of rules.rules) {
      if (rule.error !== undefined) {
        this.errors.push(invalid(at.path, type, `rule compile error: ${rule.error}`));
        continue;
      }
      if (rule.program === undefined) continue;
      const optional = rule.source.optionalOldSelf === true;
      if (rule.usesOldSelf && oldValue === null && !optional) continue;
      const own = optional && rules.usesOldSelf ? { self, oldSelf: new Optional(old) } : variables;
      const result = this.#run(rule.program, own);
      this.#evaluated?.push({
        path: pathText(at.path),
        rule: rule.source.rule,
        cost: result.cost,
        ...(result.value !== true && { failed: true }),
      });
      this.#options.observer?.(rule, at.path, result);
      if (result.cost > this.#remaining) return this.#stop(invalid(at.path, type, OUT_OF_BUDGET));
      this.#remaining -= result.cost;
      if (result.value === true) continue;
      if (result.value instanceof CelError) this.#fail(result.value, rule, type, at);
      else this.#refuse(rule, variables, type, at);
      if (this.#remaining < 0) return;
    }
  }

  #stop(error: FieldError): void {
    this.errors.push(error);
    this.#remaining = -1;
  }

  #run(program: Program, variables: Variables): Evaluation {
    const result = program.evaluate(variables, this.limits);
    if (result.value instanceof CelError && result.value.fatal && this.limits.token?.cancelled === true) throw new Cancelled();
    return result;
  }

  /** Reports a rule whose evaluation ended with an error. */
  #fail({ code, message }: CelError, rule: CompiledRule, type: string, { path }: RuleCursor): void {
    const about = ruleText(rule.source);
    switch (code) {
      case 'noSuchOverload': {
        const detail = `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${about}`;
        this.errors.push(invalid(path, type, detail));
        return;
      }
      case 'costLimitExceeded': {
        const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${about}`;
        return this.#stop(invalid(path, type, detail));
      }
      case 'interrupted':
      case 'other':
        this.errors.push(invalid(path, type, `${message} evaluating rule: ${about}`));
    }
  }

  /**
   * Reports a rule that evaluated to false. The report is a warning if the value is unchanged and the rule does not use `oldSelf`;
   * otherwise it is an error.
   */
  #refuse(rule: CompiledRule, variables: Variables, type: string, at: RuleCursor): void {
    const path = rule.fieldPath === '' ? at.path : childPath(at.path, rule.fieldPath);
    const add = (error: FieldError): void => {
      if (!rule.usesOldSelf && at.unchanged) this.#options.warn(fieldErrorText(error));
      else this.errors.push(error);
    };
    const message = rule.message === undefined ? undefined : this.#message(rule, rule.message, variables);
    if (message?.kind === 'fatal') {
      add(invalid(path, type, message.error));
      this.#remaining = -1;
      return;
    }
    if (message?.kind === 'unusable')
      this.#options.note?.(messageNote(at.path === undefined ? 'a rule of the object' : `a rule at ${pathText(at.path)}`, message.why));
    const { source } = rule;
    const own = source.message === '' ? `failed rule: ${goTrim(source.rule)}` : goTrim(source.message);
    const compound = type === 'object' || type === 'array';
    const bad: BadValueInput = !this.#options.showsScalars ? type : compound ? OMIT : at.value;
    const shown = wordedValue(bad, CRD_CHANGES.scalarsAreShown);
    add(errorForReason(source.reason, path, shown, message?.kind === 'text' ? message.text : own));
  }

  #message(rule: CompiledRule, program: Program, variables: Variables): Message {
    const { value, cost } = this.#run(program, variables);
    if (cost > this.#remaining) {
      const error = 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
      return { kind: 'fatal', error };
    }
    if (value instanceof CelError && value.code === 'costLimitExceeded') {
      const source = goQuote(rule.source.messageExpression);
      return {
        kind: 'fatal',
        error: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`,
      };
    }
    this.#remaining -= cost;
    if (typeof value !== 'string') return { kind: 'unusable', why: value instanceof CelError ? value.message : 'its value is no text' };
    const text = goTrim(value);
    const why = unusedMessage(text, utf8Length(text));
    return why === undefined ? { kind: 'text', text } : { kind: 'unusable', why };
  }
}

/** Returns the text that identifies a rule in errors about the rule: its message, or the rule expression if the message is empty. */
function ruleText(rule: ValidationRule): string {
  return goTrim(rule.message === '' ? rule.rule : rule.message);
}

/** Returns the error for a failed rule. `reason` determines the error type. Without a known reason the type is `Invalid value`. */
function errorForReason(reason: string | undefined, path: FieldPath | undefined, value: BadValueInput, detail: string): FieldError {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- any other reason is an invalid value
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}
