import { CelError, Optional, wrapValue } from '#cel';
import type { CelValue, Evaluation, EvaluationLimits, Program, Variables } from '#cel';
import { Cancelled, goQuote, goTrim, isJsonObject, scalarList, utf8Length } from '#go';
import { childPath, duplicate, fieldErrorText, forbidden, indexPath, invalid, keyPath, OMIT, pathText, required } from '#kube';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { BadValueInput, FieldError, FieldPath } from '#kube';
import type { Correlation } from '../object/correlate.ts';
import { MapListIndex } from '../object/map-list-index.ts';
import type { ValidationRule } from '../schema/schema-props.ts';
import type { EvaluatedRule } from '../verdict.ts';
import type { CompiledRule, CompiledRules, RuleObserver } from './compiled-rules.ts';

/** Bytes of an evaluated message. */
const MESSAGE_LIMIT = 5 * 1024;

/** How rules are to be evaluated. */
export interface EvaluationOptions {
  /** Where the value stands; undefined for a whole object. */
  readonly path: FieldPath | undefined;
  readonly costLimit: number;
  readonly budget: number;
  readonly token: CancellationToken | undefined;
  /** The object beside its older self; unchanged parts may stay invalid. */
  readonly correlation: Correlation | undefined;
  /** Also list what each rule cost. */
  readonly explain: boolean;
  readonly observer: RuleObserver | undefined;
  /** Whether an error shows the scalar that a rule refused; before, it showed the value's type. Since 1.35. */
  readonly showsScalars: boolean;
  /** Where upstream puts failures that it tolerates. */
  readonly warn: (text: string) => void;
}

/** What rules said. */
export interface EvaluationResult {
  readonly errors: FieldError[];
  /** Units left; negative when a limit stopped the evaluation. */
  readonly remaining: number;
  readonly evaluated: readonly EvaluatedRule[] | undefined;
}

/** Evaluates all rules of an object. Source: apiextensions-apiserver pkg/apiserver/schema/cel/validation.go (1.37). */
export function evaluateRules(
  rules: CompiledRules,
  value: JsonValue,
  oldValue: JsonValue | undefined,
  options: EvaluationOptions,
): EvaluationResult {
  const { correlation, explain, observer } = options;
  // Older selves only excuse refusals: where no rule is refused, none is looked for.
  if (correlation !== undefined && !explain && observer === undefined) {
    const trial = new RuleEvaluation(options, true);
    trial.node(rules, options.path, value, oldValue ?? null, undefined, undefined);
    if (trial.errors.length === 0) return { errors: [], remaining: trial.remaining, evaluated: undefined };
  }
  const evaluation = new RuleEvaluation(options, false);
  evaluation.node(rules, options.path, value, oldValue ?? null, correlation, undefined);
  return { errors: evaluation.errors, remaining: evaluation.remaining, evaluated: evaluation.evaluated };
}

/** Elements of a list of scalars between two looks at the token and the budget. */
const ELEMENTS_AT_ONCE = 256;

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The message, or else the rule, as errors about the rule itself show it. */
function ruleText(rule: ValidationRule): string {
  return goTrim(rule.message === '' ? rule.rule : rule.message);
}

/** Maps whose keys are stable between updates. */
export function mapIsCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic';
}

/** What a message expression gave: a text, nothing usable, or an error that ends the evaluation. */
type Message = { readonly text: string } | { readonly unusable: true } | { readonly fatal: string };

class RuleEvaluation {
  readonly errors: FieldError[] = [];
  remaining: number;
  readonly evaluated: EvaluatedRule[] | undefined;
  private readonly options: EvaluationOptions;
  private readonly limits: EvaluationLimits;
  private readonly untilFirst: boolean;

  /** @param untilFirst end with the first error, whatever it is worth: the evaluation is then done again */
  constructor(options: EvaluationOptions, untilFirst: boolean) {
    this.untilFirst = untilFirst;
    this.options = options;
    this.limits = { costLimit: options.costLimit, token: options.token };
    this.remaining = options.budget;
    this.evaluated = options.explain ? [] : undefined;
  }

  private get isOver(): boolean {
    return this.remaining < 0 || (this.untilFirst && this.errors.length > 0);
  }

  /** `current` correlates the node itself, `parent` the nearest node above that could be correlated. */
  node(
    rules: CompiledRules,
    path: FieldPath | undefined,
    value: JsonValue,
    oldValue: JsonValue,
    current: Correlation | undefined,
    parent: Correlation | undefined,
  ): void {
    if (value === null) return;
    this.expressions(rules, path, value, oldValue, current, parent);
    if (this.isOver) return;
    for (const branch of rules.allOf) {
      this.node(branch, path, value, oldValue, undefined, parent);
      if (this.isOver) return;
    }
    if (Array.isArray(value)) this.items(rules, path, value, oldValue, current, parent);
    else if (isJsonObject(value)) this.fields(rules, path, value, oldValue, current, parent);
  }

  private items(
    rules: CompiledRules,
    path: FieldPath | undefined,
    list: readonly JsonValue[],
    oldValue: JsonValue,
    current: Correlation | undefined,
    parent: Correlation | undefined,
  ): void {
    const items = rules.items;
    if (items === undefined) return;
    const oldItems = Array.isArray(oldValue) && rules.schema.listType === 'map' ? new MapListIndex(rules.schema, oldValue) : undefined;
    const elements = this.whollyScalar(items, list);
    for (let i = 0; i < list.length; i++) {
      if (elements !== undefined && i % ELEMENTS_AT_ONCE === 0) i += this.passedAtOnce(elements, list, i);
      if (i >= list.length) return;
      const item = list[i] as JsonValue;
      const child = current?.item(i);
      this.node(items, indexPath(path, i), item, oldItems?.get(item) ?? null, child, current ?? parent);
      if (this.isOver) return;
    }
  }

  /** The only rule of a list's elements where these are integers or strings that the rule sees as they are; undefined for all other lists. */
  private whollyScalar(items: CompiledRules, list: readonly JsonValue[]): Program | undefined {
    const scalars = scalarList(list);
    const [rule, another] = items.rules;
    if (scalars === undefined || rule?.program === undefined || another !== undefined) return undefined;
    if (items.error !== undefined || items.allOf.length > 0 || rule.usesOldSelf) return undefined;
    if (this.evaluated !== undefined || this.options.observer !== undefined) return undefined;
    const { type, format, intOrString } = items.valueSchema;
    if (intOrString || (scalars.kind === 'ints' ? type !== 'integer' : type !== 'string' || format !== '')) return undefined;
    return rule.program;
  }

  /** Passes over elements for which the rule is true; their number, a multiple of {@link ELEMENTS_AT_ONCE} unless that is the rest. */
  private passedAtOnce(program: Program, list: readonly JsonValue[], from: number): number {
    let at = from;
    while (at < list.length) {
      if (this.limits.token?.cancelled === true) throw new Cancelled();
      const to = Math.min(at + ELEMENTS_AT_ONCE, list.length);
      const passed = program.evaluateWhileTrue?.(list as readonly CelValue[], { from: at, to }, this.limits);
      // An element that is refused, or the last that the budget allows, is told by evaluating it by itself.
      if (passed === undefined || passed.count < to - at || passed.cost >= this.remaining) break;
      this.remaining -= passed.cost;
      at = to;
    }
    return at - from;
  }

  private fields(
    rules: CompiledRules,
    path: FieldPath | undefined,
    object: JsonObject,
    oldValue: JsonValue,
    current: Correlation | undefined,
    parent: Correlation | undefined,
  ): void {
    const oldObject = isJsonObject(oldValue) && mapIsCorrelatable(rules.schema.mapType) ? oldValue : undefined;
    const additional = rules.additionalProperties;
    if (additional !== undefined) {
      for (const key of Object.keys(object)) {
        this.field(additional, keyPath(path, key), key, object, oldObject, current, parent);
        if (this.isOver) return;
      }
    }
    for (const [key, child] of rules.properties) {
      if (object[key] === undefined || object[key] === null) continue;
      this.field(child, childPath(path, key), key, object, oldObject, current, parent);
      if (this.isOver) return;
    }
  }

  private field(
    rules: CompiledRules,
    at: FieldPath,
    key: string,
    object: JsonObject,
    oldObject: JsonObject | undefined,
    current: Correlation | undefined,
    parent: Correlation | undefined,
  ): void {
    const value = object[key] as JsonValue;
    const old = oldObject?.[key] ?? null;
    // The type's own fields have no older self.
    if (current !== undefined && parent === undefined && (key === 'apiVersion' || key === 'kind')) {
      this.node(rules, at, value, old, undefined, undefined);
    } else this.node(rules, at, value, old, current?.field(key), current ?? parent);
  }

  private stop(error: FieldError): void {
    this.errors.push(error);
    this.remaining = -1;
  }

  private expressions(
    rules: CompiledRules,
    path: FieldPath | undefined,
    value: JsonValue,
    oldValue: JsonValue,
    current: Correlation | undefined,
    parent: Correlation | undefined,
  ): void {
    const type = rules.schema.type;
    if (rules.error !== undefined) {
      this.errors.push(invalid(path, type, `rule compiler initialization error: ${rules.error}`));
      return;
    }
    if (rules.rules.length === 0) return;
    if (this.remaining <= 0) {
      this.stop(invalid(path, type, OUT_OF_BUDGET));
      return;
    }
    const self = wrapValue(value, rules.valueSchema);
    const old = rules.usesOldSelf && oldValue !== null ? wrapValue(oldValue, rules.valueSchema) : undefined;
    const variables: Variables = { self, oldSelf: old };
    const place: RulePlace = { path, type, value, current, parent };
    for (const rule of rules.rules) {
      if (rule.error !== undefined) {
        this.errors.push(invalid(path, type, `rule compile error: ${rule.error}`));
        continue;
      }
      if (rule.program === undefined) continue;
      const optional = rule.source.optionalOldSelf === true;
      if (rule.usesOldSelf && oldValue === null && !optional) continue;
      const own = optional && rules.usesOldSelf ? { self, oldSelf: new Optional(old) } : variables;
      if (!this.rule(rule, rule.program, own, variables, place)) return;
    }
  }

  /** Evaluates one rule; false when the evaluation is over. */
  private rule(rule: CompiledRule, program: Program, variables: Variables, messageVariables: Variables, at: RulePlace): boolean {
    const { path, type } = at;
    const result = this.evaluate(program, variables);
    this.evaluated?.push({ path: pathText(path), rule: rule.source.rule, cost: result.cost });
    this.options.observer?.(rule, path, result);
    if (result.cost > this.remaining) {
      this.stop(invalid(path, type, OUT_OF_BUDGET));
      return false;
    }
    this.remaining -= result.cost;
    if (result.value === true) return true;
    if (result.value instanceof CelError) return this.evaluationError(result.value, rule, at);
    return this.refusal(rule, messageVariables, at);
  }

  private evaluate(program: Program, variables: Variables): Evaluation {
    const result = program.evaluate(variables, this.limits);
    if (result.value instanceof CelError && result.value.fatal && this.limits.token?.cancelled === true) throw new Cancelled();
    return result;
  }

  private evaluationError(error: CelError, rule: CompiledRule, { path, type }: RulePlace): boolean {
    const text = error.message;
    const about = ruleText(rule.source);
    if (text.startsWith('no such overload')) {
      const detail = `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${about}`;
      this.errors.push(invalid(path, type, detail));
      return true;
    }
    if (text.startsWith('operation cancelled: actual cost limit exceeded')) {
      this.stop(
        invalid(path, type, `'${text}': no further validation rules will be run due to call cost exceeds limit for rule: ${about}`),
      );
      return false;
    }
    this.errors.push(invalid(path, type, `${text} evaluating rule: ${about}`));
    return true;
  }

  /** A rule that is false: an error, or a warning where nothing changed. */
  private refusal(rule: CompiledRule, variables: Variables, at: RulePlace): boolean {
    const { type, value, current, parent } = at;
    const path = rule.fieldPath === '' ? at.path : childPath(at.path, rule.fieldPath);
    const add = (error: FieldError): void => {
      const unchanged = current === undefined ? (parent?.unchanged ?? false) : current.unchanged;
      if (!rule.usesOldSelf && unchanged) this.options.warn(fieldErrorText(error));
      else this.errors.push(error);
    };
    let detail: string | undefined;
    if (rule.message !== undefined) {
      const message = this.message(rule, rule.message, variables);
      if ('fatal' in message) {
        add(invalid(path, type, message.fatal));
        this.remaining = -1;
        return false;
      }
      if ('text' in message) detail = message.text;
    }
    detail ??= rule.source.message === '' ? `failed rule: ${goTrim(rule.source.rule)}` : goTrim(rule.source.message);
    const compound = type === 'object' || type === 'array';
    const bad: BadValueInput = !this.options.showsScalars ? type : compound ? OMIT : value;
    add(errorForReason(rule.source.reason, path, bad, detail));
    return true;
  }

  private message(rule: CompiledRule, program: Program, variables: Variables): Message {
    const { value, cost } = this.evaluate(program, variables);
    if (cost > this.remaining) {
      return { fatal: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run' };
    }
    if (value instanceof CelError && value.message.startsWith('operation cancelled: actual cost limit exceeded')) {
      const source = goQuote(rule.source.messageExpression);
      return { fatal: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}` };
    }
    this.remaining -= cost;
    if (typeof value !== 'string') return { unusable: true };
    const text = goTrim(value);
    return text === '' || text.includes('\n') || utf8Length(text) > MESSAGE_LIMIT ? { unusable: true } : { text };
  }
}

/** Where a rule is evaluated. */
interface RulePlace {
  readonly path: FieldPath | undefined;
  readonly type: string;
  readonly value: JsonValue;
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

function errorForReason(reason: string | undefined, path: FieldPath | undefined, value: BadValueInput, detail: string): FieldError {
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
