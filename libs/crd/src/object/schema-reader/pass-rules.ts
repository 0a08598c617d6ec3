import { CONVERTED_FORMATS, Optional, wrapValue } from '#cel';
import type { DirectCode, EvaluationLimits, PriceCode, Program } from '#cel';
import type { Column, JsonValue } from '#go';
import type { CompiledRule, CompiledRules } from '../../rules/compiled-rules.ts';
import { hasEmbedded } from '../../structural/holds.ts';
import type { ReaderRun } from './reader-run.ts';

/** Returns true if generated code of a rule can use the JSON values of the rule's schema node without converting them to CEL values. */
export function canReadRaw({ valueSchema: { type, format, intOrString } }: CompiledRules): boolean {
  if (intOrString) return true;
  return (
    type === 'object' ||
    type === 'array' ||
    type === 'integer' ||
    type === 'boolean' ||
    (type === 'string' && !CONVERTED_FORMATS.has(format))
  );
}

/**
 * Evaluation of one rule of a schema node. Generated code that reads and validates objects calls it for each value of the node. The rule is
 * compiled when the node has its first value. At first, the CEL program of the rule is evaluated. As soon as generated code of the rule
 * exists, that code is called directly.
 */
export class RuleCall {
  /**
   * Generated code of the rule that is called directly. It is undefined before it is generated, if the rule uses `oldSelf`, or if CEL needs
   * a conversion of the values.
   */
  #direct: DirectCode | undefined;
  /**
   * Generated code of the rule for columns. The key is the column's layout if the rule is evaluated on the elements of a column, else
   * `columns`. An entry is undefined if no code could be generated.
   */
  readonly #columnCode = new Map<Column['layout'] | 'columns', DirectCode | undefined>();
  readonly #rules: CompiledRules;
  readonly #index: number;

  constructor(rules: CompiledRules, index: number) {
    this.#rules = rules;
    this.#index = index;
  }

  /**
   * Evaluates the rule on a new value, and adds its cost to the costs in `run`. `false` means that the exact validation must evaluate the
   * rule.
   */
  passes(value: JsonValue, run: ReaderRun): boolean {
    const direct = this.#direct;
    if (direct === undefined) return this.#passesByProgram(value, run);
    const { rule, run: evaluation } = direct;
    if (direct.runsLong) evaluation.begin(run.token);
    if (rule(value, undefined, run.costLimit, run.token, evaluation) !== true || evaluation.cost > run.costLimit) return false;
    run.cost += evaluation.cost;
    return true;
  }

  /**
   * Returns the rule's code for valid data. Returns undefined if there is no such code, or if the rule uses `oldSelf`. Also returns
   * undefined if the values of the rule's node need a conversion or contain embedded resources.
   */
  codeForValid(): PriceCode | undefined {
    const rule = this.#rules.rules[this.#index] as CompiledRule;
    if (rule.usesOldSelf || !canReadRaw(this.#rules) || hasEmbedded(this.#rules.valueSchema)) return undefined;
    return rule.program?.codeFor?.('valid');
  }

  #passesByProgram(value: JsonValue, run: ReaderRun): boolean {
    const rule = this.#rules.rules[this.#index] as CompiledRule;
    const { program } = rule;
    if (program === undefined) return rule.error === undefined;
    // A new value has no old value. Kubernetes then skips a rule with `oldSelf`, unless `oldSelf` is optional. An update evaluates such
    // rules later.
    const isOptional = rule.source.optionalOldSelf === true;
    if (rule.usesOldSelf && (run.isUpdate || !isOptional)) return true;
    const limits: EvaluationLimits = { costLimit: run.costLimit, token: run.token };
    const oldSelf = isOptional && this.#rules.usesOldSelf ? new Optional(undefined) : undefined;
    const result = program.evaluate({ self: wrapValue(value, this.#rules.valueSchema), oldSelf }, limits);
    if (canReadRaw(this.#rules) && !rule.usesOldSelf) this.#direct = program.codeFor?.('value');
    run.cost += result.cost;
    return result.value === true;
  }

  /**
   * Evaluates the rule like {@link passes} for a created object. The value is a column, which is a list without a value for each element,
   * or contains columns.
   */
  passesOverColumns(value: JsonValue | Column, run: ReaderRun): boolean {
    const before = run.cost;
    const passed = this.#passesBy('columns', (program) => program.codeFor?.({ columns: run.columns?.schemas ?? new Set() }), value, run);
    return passed && run.cost - before <= run.costLimit;
  }

  /** Evaluates the rule of an item on all elements of a column. See {@link passes} for the result. */
  passesOverElements(column: Column, run: ReaderRun): boolean {
    const { layout } = column;
    return this.#passesBy(layout, (program) => program.codeFor?.({ elements: layout }), column, run);
  }

  #passesBy(
    over: Column['layout'] | 'columns',
    generate: (program: Program) => DirectCode | undefined,
    value: JsonValue | Column,
    run: ReaderRun,
  ): boolean {
    const { program, error, usesOldSelf, source } = this.#rules.rules[this.#index] as CompiledRule;
    if (program === undefined) return error === undefined;
    if (usesOldSelf && source.optionalOldSelf !== true) return true;
    if (!this.#columnCode.has(over)) this.#columnCode.set(over, usesOldSelf ? undefined : generate(program));
    const code = this.#columnCode.get(over);
    code?.run.begin(run.token);
    const passed = code?.rule(value as JsonValue, undefined, run.costLimit, run.token, code.run);
    if (code === undefined || passed === undefined) {
      run.columns?.refuse();
      return false;
    }
    run.cost += code.run.cost;
    return passed === true;
  }
}
