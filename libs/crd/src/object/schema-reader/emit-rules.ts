import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import { RuleCall } from './pass-rules.ts';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';

/**
 * Code that evaluates the rules of a node on a value that was read. Silent where one is not true, or costs more than it may.
 *
 * @param holdsColumns whether lists in the value may lie in columns
 */
export function emitRules(code: ReaderCode, { rules }: ReaderNode, value: Fragment, holdsColumns = false): Fragment {
  if (rules === undefined) return js``;
  const lines = rules.schema.rules.map((_, index) => {
    const call = code.constant(new RuleCall(rules, index));
    const onLists = emitRule(code, call, value);
    if (!holdsColumns) return onLists;
    return js`if (r.columns !== undefined) { if (!${call}.passesOverColumns(${value}, r)) return undefined; }
else {
${onLists}
}`;
  });
  return joined(lines, '\n');
}

function emitRule(code: ReaderCode, call: Fragment, value: Fragment): Fragment {
  const direct = code.fresh('out');
  return js`const ${direct} = ${call}.direct;
if (${direct} === undefined) { if (!${call}.passes(${value}, r)) return undefined; }
else {
if (${direct}.runsLong) ${direct}.run.begin(r.token);
if (${direct}.rule(${value}, undefined, r.costLimit, r.token, ${direct}.run) !== true || ${direct}.run.cost > r.costLimit) return undefined;
r.cost += ${direct}.run.cost;
}`;
}
