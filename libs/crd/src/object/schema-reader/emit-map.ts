import { js } from '#cel';
import type { Fragment } from '#cel';
import { newJsonObject } from '#go';
import { emitRules } from './emit-rules.ts';
import { emitKeywords } from './emit-keywords.ts';
import { emitEntries, POLL_MASK, GIVE_UP, SKIP_COLON } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import { valueNode } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';

/** Returns the body of a function that reads an object with undeclared keys (a map). */
export function mapBody(code: ReaderCode, node: ReaderNode): Fragment {
  const values = valueNode(node);
  if (values === undefined) return GIVE_UP;
  const map = code.fresh('map');
  const value = code.fresh('value');
  const count = code.fresh('count');
  const declared = js`const ${map} = ${code.constant(newJsonObject)}();
let ${count} = 0;`;
  const entry = js`s.at = at;
const key = s.key();
if (key === undefined || ${map}[key] !== undefined) return undefined;
at = s.at;
${SKIP_COLON}
let ${value};
${code.value(code, values, value)}
${map}[key] = ${value};
${count} += 1;
if ((${count} & ${POLL_MASK}) === 0) r.poll();`;
  return js`${emitEntries('object', declared, entry)}
${emitKeywords(code, node.props, { of: 'map', value: map, size: count, require: undefined })}
${emitRules(code, node, map)}
return ${map};`;
}
