import { js } from '#cel';
import type { Fragment } from '#cel';
import { objectBody, emitKeywords, emitCheck } from './emit-object.ts';
import { emitRules } from './emit-rules.ts';
import { AnyValue } from './read-anything.ts';
import type { ReaderCode } from './reader-code.ts';
import { readingOf, valueNode, itemNode, loneKey, keywordCheck } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';
import { newJsonObject, LONG_LIST } from '#go';
import { emitEntries, POLL_MASK, GIVE_UP, SKIP_COLON } from './reader-code.ts';
import { keywordsAbout, presentKeywords } from '../../keywords/vocabulary.ts';
import { KINDS } from '../openapi/kind.ts';
import type { ValidationBehaviour } from '../openapi/schema-walk.ts';
import { AcceptedTextCache } from './accepted-text-cache.ts';
import type { JsonObject, JsonValue } from '#go';
import type { Structural } from '../../structural/structural.ts';
import { areDistinct } from '../write/distinct.ts';
import { validateListTypes } from '../write/list-types.ts';
import { Polls } from '../write/polls.ts';
import type { ReaderRun } from './reader-run.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { emitWords, isPlainWord } from './emit-words.ts';

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

const anyValue = (code: ReaderCode, node: ReaderNode): AnyValue => new AnyValue(node, code.behaviour, code.wording);

/** Returns the body of a function that reads an object with undeclared keys (a map). */
function mapBody(code: ReaderCode, node: ReaderNode): Fragment {
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

/**
 * Emits code that accepts a text immediately if the schema node `node` accepted the same text before. For any other value, the code in
 * `read` reads and validates it.
 */
function emitKnown(code: ReaderCode, node: ReaderNode, into: Fragment, read: Fragment): Fragment {
  if (!asksMuch(node, code.behaviour)) return read;
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
function asksMuch({ props, rules }: ReaderNode, behaviour: ValidationBehaviour): boolean {
  if (rules !== undefined && rules.schema.rules.length > 0) return true;
  return !keywordsAbout(props, KINDS.string).every(
    ({ fastPaths, field }) =>
      fastPaths.between?.(KINDS.string, props[field], behaviour) === true || fastPaths.allowedTexts?.(props[field]) !== undefined,
  );
}

/**
 * Returns the body of a generated function that reads and validates a list element by element. For a long list of scalars, the generated
 * function starts again with another reader, because that reader is faster. `anything` is the name of this reader, which parses the whole
 * list before it validates the list.
 */
function listBody(code: ReaderCode, node: ReaderNode, anything: Fragment): Fragment {
  const itemsAlone = itemNode(node);
  if (itemsAlone === undefined) return GIVE_UP;
  const notedKey = loneKey(node, itemsAlone);
  const items = { ...itemsAlone, notedKey };
  const list = code.fresh('list');
  const item = code.fresh('item');
  const isScalar = ['string', 'integer', 'number', 'boolean', 'intOrString'].includes(readingOf(items));
  const long = isScalar
    ? js`if (${list}.length === ${LONG_LIST}) { s.rewind(start, shift); r.cost = spent; return ${anything}.read(r); }`
    : js`if ((${list}.length & ${POLL_MASK}) === 0) r.poll();`;
  const site = { of: 'list', value: list, size: js`${list}.length`, require: undefined } as const;
  const declared = js`const start = at, shift = s.shift, spent = r.cost, keys = r.keys.used;
const ${list} = [];`;
  const entry = js`let ${item};
${code.value(code, items, item)}
${list}.push(${item});
${long}`;
  return js`${emitEntries('list', declared, entry)}
${emitKeywords(code, node.props, site)}
${emitListType(code, node.structural, list, notedKey !== undefined)}
${emitRules(code, node, list)}
return ${list};`;
}

/** @param hasNotedKeys True if the positions of the list's keys are recorded, starting at index `keys`. */
function emitListType(code: ReaderCode, structural: Structural, list: Fragment, hasNotedKeys: boolean): Fragment {
  if (structural.listType !== 'set' && structural.listType !== 'map') return js``;
  const length = js`${list}.length`;
  const byValues = js`${length} > 1 && !${code.constant(distinctElements(structural))}(${list}, r)`;
  if (!hasNotedKeys) return js`if (${byValues}) return undefined;`;
  return js`if (!r.keys.areDistinctFrom(keys, ${length}, bytes) && ${byValues}) return undefined;`;
}

/**
 * Returns a function that returns true if all elements of a set, or all keys of a map list, are distinct. If fast comparisons are
 * inconclusive, the exact validation decides.
 */
function distinctElements(structural: Structural): (list: readonly JsonValue[], run: ReaderRun) => boolean {
  const alone: Structural = { ...structural, items: undefined };
  const exactly = (list: readonly JsonValue[], run: ReaderRun): boolean =>
    validateListTypes(list as JsonValue[], alone, new Polls(run.token)).length === 0;
  const { listType, listMapKeys } = structural;
  if (listType === 'set') return (list, run) => areDistinct(list) || exactly(list, run);
  const [key, another] = listMapKeys;
  if (key === undefined || another !== undefined) return (list, run) => areDistinctShort(list, listMapKeys) || exactly(list, run);
  return (list, run) => areDistinct(list.map((item) => (item as JsonObject)[key])) || exactly(list, run);
}

/** Maximum length of lists whose elements are compared pairwise to find duplicates. */
const SHORT = 12;

/** Returns true if the elements of a short list have distinct scalar keys. `false` is inconclusive. */
function areDistinctShort(list: readonly JsonValue[], keys: readonly string[]): boolean {
  if (list.length > SHORT) return false;
  for (let i = 0; i < list.length; i++) {
    for (const key of keys) {
      const value = (list[i] as JsonObject)[key];
      if (typeof value !== 'string' && !(typeof value === 'number' && Number.isInteger(value))) return false;
    }
    for (let j = 0; j < i; j++) {
      if (keys.every((key) => (list[i] as JsonObject)[key] === (list[j] as JsonObject)[key])) return false;
    }
  }
  return true;
}

/**
 * Emits code that reads a string of the document into the variable `into`. If the string is not accepted, the code makes the function that
 * contains it return undefined, see `ValueEmitter`.
 */
function emitString(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
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
  const check = keywordCheck(props, code.behaviour);
  return [...new Set(words)].filter((word) => check(word));
}

/**
 * Emits code that reads an integer into the variable `into`. The code returns undefined if the integer is not accepted, see `ValueEmitter`.
 */
function emitInteger(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
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
function emitNumber(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  return js`s.at = at;
${into} = s.number();
if (${into} === undefined) return undefined;
at = s.at;
${emitKeywords(code, props, { of: 'number', value: into })}`;
}

/**
 * Emits code that reads a boolean into the variable `into`. The code returns undefined if the value is not accepted, see `ValueEmitter`.
 */
function emitBoolean(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
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
function emitIntOrString(code: ReaderCode, node: ReaderNode, into: Fragment): Fragment {
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
