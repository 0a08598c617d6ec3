import { js } from '#cel';
import type { Fragment } from '#cel';
import { newJsonObject } from '#go';
import { emitRules } from './emit-rules.ts';
import { emitCheck } from './emit-scalars.ts';
import { hasJunctors, withoutContents } from './keyword-check.ts';
import { SILENCE, SKIP_COLON, SKIP_SPACE } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import { valueNode } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';
import { emitSizeTests } from './size-tests.ts';

/** Entries between two looks at the cancellation token, less one: a mask. */
const POLL_MASK = 255;

/** The body of a function that reads an object whose keys are not declared. */
export function mapBody(code: ReaderCode, node: ReaderNode): Fragment {
  const values = valueNode(node);
  if (values === undefined) return SILENCE;
  const { props } = node;
  const map = code.fresh('map');
  const value = code.fresh('value');
  const count = code.fresh('count');
  const junctors = hasJunctors(props) || props.enum !== undefined ? emitCheck(code, withoutContents(props), map) : js``;
  return js`if (bytes[at] !== 123) return undefined;
const ${map} = ${code.constant(newJsonObject)}();
let ${count} = 0;
at += 1;
${SKIP_SPACE}
if (bytes[at] === 125) at += 1;
else for (;;) {
s.at = at;
const key = s.key();
if (key === undefined || ${map}[key] !== undefined) return undefined;
at = s.at;
${SKIP_COLON}
let ${value};
${code.value(code, values, value)}
${map}[key] = ${value};
${count} += 1;
if ((${count} & ${POLL_MASK}) === 0) r.poll();
${SKIP_SPACE}
const next = bytes[at];
at += 1;
if (next === 125) break;
if (next !== 44) return undefined;
${SKIP_SPACE}
}
s.at = at;
${emitSizeTests(count, { min: props.minProperties, max: props.maxProperties })}
${junctors}
${emitRules(code, node, map)}
return ${map};`;
}
