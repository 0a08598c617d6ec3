import { js, Constants, joined, linkCode, Names } from '#cel';
import type { Fragment, Linker } from '#cel';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';
import type { Column, JsonValue } from '#go';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import { RuleCall } from './pass-rules.ts';
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
