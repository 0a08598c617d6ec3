import { js } from '#cel';
import type { Fragment } from '#cel';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import { KINDS } from '../openapi/kind.ts';
import type { Dialect } from '../openapi/check.ts';
import { AcceptedTextCache } from './accepted-text-cache.ts';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';

/**
 * Emits code that accepts a text immediately if the schema node `node` accepted the same text before. For any other value, the code in
 * `read` reads and validates it.
 */
export function emitKnown(code: ReaderCode, node: ReaderNode, into: Fragment, read: Fragment): Fragment {
  if (!asksMuch(node, code.dialect)) return read;
  const known = code.constant(new AcceptedTextCache(node.rules));
  const [from, spent] = [code.fresh('index'), code.fresh('count')];
  return js`s.at = at;
${into} = ${known}.find(s, r);
if (${into} !== undefined) at = s.at;
else {
const ${from} = at, ${spent} = r.cost;
${read}
${known}.note(${into}, bytes, ${from}, r.cost - ${spent});
}`;
}

/**
 * Returns true if the text checks of a node are expensive. Checks of the length, and word lists that the reader recognises in the bytes,
 * are not expensive.
 */
function asksMuch({ props, rules }: ReaderNode, dialect: Dialect): boolean {
  if (rules !== undefined && rules.schema.rules.length > 0) return true;
  return !keywordsAbout(props, KINDS.string).every(
    ({ fastPaths, field }) =>
      fastPaths.between?.(KINDS.string, props[field], dialect) === true || fastPaths.allowedTexts?.(props[field]) !== undefined,
  );
}
