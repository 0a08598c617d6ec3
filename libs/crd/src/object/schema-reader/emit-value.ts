import { js } from '#cel';
import type { Fragment } from '#cel';
import { listBody } from './emit-list.ts';
import { mapBody } from './emit-map.ts';
import { objectBody } from './emit-object.ts';
import { emitRules } from './emit-rules.ts';
import { emitKnown } from './emit-known.ts';
import { emitBoolean, emitInteger, emitIntOrString, emitNumber, emitString } from './emit-scalars.ts';
import { AnyValue } from './read-anything.ts';
import type { ReaderCode } from './reader-code.ts';
import { readingOf } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';

/**
 * Returns generated code that reads a value from the JSON bytes according to its schema and stores it in the variable `into`. If the code
 * does not accept the value, it returns undefined from the enclosing function, see `ValueEmitter`.
 */
export function emitValue(code: ReaderCode, node: ReaderNode, into: Fragment): Fragment {
  const reading = readingOf(node);
  if (reading === 'anything') return callOf(js`${code.constant(anyValue(code, node))}.read(r)`, into);
  const read = emitBy(code, node, reading, into);
  if (!node.structural.nullable || !anyValue(code, node).meetsSchema(null)) return read;
  return js`if (bytes[at] === 110) {
s.at = at;
${into} = s.null();
if (${into} === undefined) return undefined;
at = s.at;
} else {
${read}
}`;
}

function emitBy(code: ReaderCode, node: ReaderNode, reading: Exclude<ReturnType<typeof readingOf>, 'anything'>, into: Fragment): Fragment {
  switch (reading) {
    case 'object':
      return callOf(js`${code.define(objectBody(code, node))}()`, into);
    case 'map':
      return callOf(js`${code.define(mapBody(code, node))}()`, into);
    case 'list':
      return callOf(js`${code.define(listBody(code, node, code.constant(anyValue(code, node))))}()`, into);
    case 'string':
      return emitKnown(code, node, into, js`${emitString(code, node, into)}\n${emitRules(code, node, into)}`);
    case 'integer':
      return js`${emitInteger(code, node, into)}\n${emitRules(code, node, into)}`;
    case 'number':
      return js`${emitNumber(code, node, into)}\n${emitRules(code, node, into)}`;
    case 'boolean':
      return js`${emitBoolean(code, node, into)}\n${emitRules(code, node, into)}`;
    case 'intOrString':
      return emitKnown(code, node, into, js`${emitIntOrString(code, node, into)}\n${emitRules(code, node, into)}`);
  }
}

function callOf(call: Fragment, into: Fragment): Fragment {
  return js`s.at = at;
${into} = ${call};
if (${into} === undefined) return undefined;
at = s.at;`;
}

const anyValue = (code: ReaderCode, node: ReaderNode): AnyValue => new AnyValue(node, code.dialect, code.wording);
