import { js } from '#cel';
import type { Fragment } from '#cel';
import { NodeRules } from './node-rules.ts';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';

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
