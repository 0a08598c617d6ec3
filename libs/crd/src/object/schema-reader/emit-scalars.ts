import { js } from '#cel';
import type { Fragment } from '#cel';
import { keywordsAbout, presentKeywords } from '../../keywords/vocabulary.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { KINDS } from '../openapi/kind.ts';
import { emitCheck, emitKeywords } from './emit-keywords.ts';
import { emitWords, isPlainWord } from './emit-words.ts';
import { keywordCheck } from './keyword-check.ts';
import { GIVE_UP } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';

/**
 * Emits code that reads a string of the document into the variable `into`. If the string is not accepted, the code makes the function that
 * contains it return undefined, see `ValueEmitter`.
 */
export function emitString(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  const words = plainWords(code, props);
  if (words !== undefined) {
    const known = words.map((text) => ({ text, action: js`${into} = ${code.constant(text)};` }));
    return js`if (bytes[at] !== 34) return undefined;\n${emitWords(code, known, GIVE_UP)}`;
  }
  const from = code.fresh('index');
  return js`const ${from} = at;
s.at = at;
${into} = s.string();
if (${into} === undefined) return undefined;
at = s.at;
${emitKeywords(code, props, { of: 'string', value: into, from })}`;
}

/**
 * Returns the texts that a schema allows. Returns undefined if the schema does not list its allowed texts, or if one of them cannot be
 * recognised in the bytes.
 */
function plainWords(code: ReaderCode, props: SchemaProps): readonly string[] | undefined {
  const words = keywordsAbout(props, KINDS.string).flatMap(({ fastPaths, field }) => fastPaths.allowedTexts?.(props[field]) ?? []);
  if (words.length === 0 || !words.every(isPlainWord)) return undefined;
  const check = keywordCheck(props, code.dialect);
  return [...new Set(words)].filter((word) => check(word));
}

/**
 * Emits code that reads an integer into the variable `into`. The code returns undefined if the integer is not accepted, see `ValueEmitter`.
 */
export function emitInteger(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  return js`s.at = at;
${into} = s.integer();
if (${into} === undefined) return undefined;
at = s.at;
${emitKeywords(code, props, { of: 'integer', value: into })}`;
}

/**
 * Returns generated code that reads an integer or a decimal number into the variable `into`. If the number is not accepted, the generated
 * code returns undefined, see `ValueEmitter`.
 */
export function emitNumber(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  return js`s.at = at;
${into} = s.number();
if (${into} === undefined) return undefined;
at = s.at;
${emitKeywords(code, props, { of: 'number', value: into })}`;
}

/**
 * Emits code that reads a boolean into the variable `into`. The code returns undefined if the value is not accepted, see `ValueEmitter`.
 */
export function emitBoolean(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  return js`s.at = at;
${into} = s.boolean();
if (${into} === undefined) return undefined;
at = s.at;
${emitKeywords(code, props, { of: 'boolean', value: into })}`;
}

/**
 * Emits code that reads an integer or a string into the variable `into`. The code returns undefined if the value is not accepted, see
 * `ValueEmitter`.
 */
export function emitIntOrString(code: ReaderCode, node: ReaderNode, into: Fragment): Fragment {
  const props = { ...node.props, anyOf: [] };
  const read = (value: Fragment): Fragment => js`s.at = at;
${into} = ${value};
if (${into} === undefined) return undefined;
at = s.at;`;
  if (!isEitherType(node.props) || props.format !== '')
    return js`${read(js`bytes[at] === 34 ? s.string() : s.integer()`)}\n${emitCheck(code, node.props, into)}`;
  const from = code.fresh('index');
  return js`if (bytes[at] === 34) {
const ${from} = at;
${read(js`s.string()`)}
${emitKeywords(code, props, { of: 'string', value: into, from })}
} else {
${read(js`s.integer()`)}
${emitKeywords(code, props, { of: 'integer', value: into })}
}`;
}

/** Returns true if `anyOf` only requires the type integer or string. */
function isEitherType({ anyOf }: SchemaProps): boolean {
  if (anyOf.length === 0) return true;
  return ['integer', 'string'].every((type) =>
    anyOf.some((branch) => branch.type === type && presentKeywords(branch).every(({ field }) => field === 'type')),
  );
}
