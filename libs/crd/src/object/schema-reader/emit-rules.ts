import { js, Constants, joined, linkCode, Names, CONVERTED_FORMATS, Optional, wrapValue } from '#cel';
import type { Fragment, Linker, DirectCode, EvaluationLimits, PriceCode, Program } from '#cel';
import type { Column, JsonValue } from '#go';
import type { CompiledRules, CompiledRule } from '../../rules/compiled-rules.ts';
import { hasEmbedded } from '../../structural/structural.ts';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';
import type { ReaderRun } from './reader-run.ts';

/**
 * Returns generated code that evaluates the rules of a schema node on a value. The generated code returns undefined if a rule is not true
 * or exceeds a cost limit.
 *
 * @param holdsColumns True if lists of scalars inside the value may be stored compactly in columns, without a JavaScript value for each
 * element.
 */
export function emitRules(code: ReaderCode, { rules }: ReaderNode, value: Fragment, holdsColumns = false): Fragment {
  if (rules === undefined || rules.schema.rules.length === 0) return js``;
  const node = code.constant(new NodeRules(rules, code.linker, code.warmupValues));
  const joint = code.fresh('out');
  const onLists = js`const ${joint} = ${node}.joint;
if (${joint} === undefined || !r.isPlain ? !${node}.passes(${value}, r) : !${joint}(${value}, r)) return undefined;`;
  if (!holdsColumns) return onLists;
  return js`if (r.columns !== undefined) { if (!${node}.passesOverColumns(${value}, r)) return undefined; }
else {
${onLists}
}`;
}

/**
 * Generated function that evaluates all rules of a schema node for a value. It returns true if all rules are true, and adds their cost to
 * the costs in `run`. If it returns false, the exact validation must evaluate the rules.
 */
type JointRules = (value: JsonValue, run: ReaderRun) => boolean;

/**
 * Evaluation of the rules of one schema node, inside code that is generated to read objects of a schema. At first the rules are evaluated
 * one by one. After `warmupValues` values, one generated function evaluates all rules of a value together.
 */
class NodeRules {
  /** Generated function for all rules; undefined until it is generated, or if it cannot be generated. */
  joint: JointRules | undefined;
  readonly #calls: readonly RuleCall[];
  readonly #link: Linker;
  #warmupValues: number;

  /**
   * @param warmupValues Number of values whose rules are evaluated one by one before the joint function is generated. A node with few values
   * never needs the joint function.
   */
  constructor(rules: CompiledRules, link: Linker, warmupValues: number) {
    this.#calls = rules.schema.rules.map((_, index) => new RuleCall(rules, index));
    this.#link = link;
    this.#warmupValues = warmupValues;
  }

  /**
   * Evaluates the rules. It is called while there is no joint function, or if the joint function cannot handle the object. See {@link
   * JointRules} for the result.
   */
  passes(value: JsonValue, run: ReaderRun): boolean {
    if (this.#warmupValues-- <= 0) {
      this.#warmupValues = Number.POSITIVE_INFINITY;
      this.joint = jointCode(this.#calls, this.#link);
      if (this.joint !== undefined && run.isPlain) return this.joint(value, run);
    }
    for (const call of this.#calls) if (!call.passes(value, run)) return false;
    return true;
  }

  /**
   * Evaluates the rules like {@link passes} for a created object. The value is a column, which is a list without a value for each element,
   * or contains columns.
   */
  passesOverColumns(value: JsonValue | Column, run: ReaderRun): boolean {
    for (const call of this.#calls) if (!call.passesOverColumns(value, run)) return false;
    return true;
  }
}

/**
 * Generates one function for all rules of a node. Rules without code for valid data are called separately. Fields that several rules read
 * are read only once.
 */
function jointCode(calls: readonly RuleCall[], link: Linker): JointRules | undefined {
  const names = new Names();
  const constants = new Constants(names);
  const fields = new Map<string, Fragment>();
  const fieldOf = (name: string): Fragment => {
    const known = fields.get(name) ?? names.fresh('found');
    fields.set(name, known);
    return known;
  };
  const steps = calls.map((call) => jointStep(call, constants, fieldOf));
  const reads = [...fields].map(([name, field]) => js`const ${field} = value[${constants.name(name)}];`);
  const source = joined(
    [
      js`"use strict";`,
      ...constants.declarations(),
      js`return function pass(value, r) {
const limit = r.costLimit, token = r.token;
let sum = 0, cost;`,
      ...reads,
      ...steps,
      js`r.cost += sum;
return true;
};`,
    ],
    '\n',
  );
  const result = linkCode(link, source.source, constants.values);
  return result.ok ? (result.linked as JointRules) : undefined;
}

function jointStep(call: RuleCall, constants: Constants, fieldOf: (name: string) => Fragment): Fragment {
  const code = call.codeForValid();
  if (code === undefined) return js`if (!${constants.name(call)}.passes(value, r)) return false;`;
  const run = constants.name(code.run);
  const args = joined([js`value`, js`limit`, js`token`, run, ...code.fields.map(fieldOf)], ', ');
  return js`${code.runsLong ? js`${run}.begin(token);` : js``}
cost = ${constants.name(code.price)}(${args});
if (!(cost <= limit)) return false;
sum += cost;`;
}

/** Returns true if generated code of a rule can use the JSON values of the rule's schema node without converting them to CEL values. */
export function canReadJsonValues({ valueSchema: { type, format, intOrString } }: CompiledRules): boolean {
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
    if (rule.usesOldSelf || !canReadJsonValues(this.#rules) || hasEmbedded(this.#rules.valueSchema)) return undefined;
    return rule.program?.codeFor?.('valid');
  }

  #passesByProgram(value: JsonValue, run: ReaderRun): boolean {
    const rule = this.#rules.rules[this.#index] as CompiledRule;
    const { program } = rule;
    if (program === undefined) return rule.error === undefined;
    // In a create, Kubernetes skips a rule with `oldSelf`, unless `oldSelf` is optional. In an update, other code evaluates such rules
    // later.
    const isOptional = rule.source.optionalOldSelf === true;
    if (rule.usesOldSelf && (run.isUpdate || !isOptional)) return true;
    const limits: EvaluationLimits = { costLimit: run.costLimit, token: run.token };
    const oldSelf = isOptional && this.#rules.usesOldSelf ? new Optional(undefined) : undefined;
    const result = program.evaluate({ self: wrapValue(value, this.#rules.valueSchema), oldSelf }, limits);
    if (canReadJsonValues(this.#rules) && !rule.usesOldSelf) this.#direct = program.codeFor?.('value');
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
