import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import { codePointLength, compileRegex, isJsonInt } from '#go';
import { stringFormat } from '#kube';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { emitWords, isPlainWord } from './emit-words.ts';
import { hasJunctors, keywordCheck } from './keyword-check.ts';
import { SILENCE } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';

/** Largest magnitude of a bound that generated code compares with: what fits an int32 fits every format of integers. */
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;

/** Code that reads a string. See `ValueEmitter`. */
export function emitString(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  const words = plainWords(code, props);
  if (words !== undefined) {
    const known = words.map((text) => ({ text, action: js`${into} = ${code.constant(text)};` }));
    return js`if (bytes[at] !== 34) return undefined;\n${emitWords(code, known, SILENCE)}`;
  }
  const from = code.fresh('index');
  return js`const ${from} = at;
s.at = at;
${into} = s.string();
if (${into} === undefined) return undefined;
at = s.at;
${stringTests(code, props, into, from)}`;
}

/** The values of an enum that meet all other keywords, where each of them can be recognised on the bytes; undefined for what is no such enum. */
function plainWords(code: ReaderCode, props: SchemaProps): readonly string[] | undefined {
  const elements = props.enum ?? [];
  const words = elements.filter((element) => typeof element === 'string');
  if (elements.length === 0 || words.length < elements.length || !words.every(isPlainWord)) return undefined;
  const check = keywordCheck(props, code.dialect);
  return [...new Set(words)].filter((word) => check(word));
}

/** @param from where the text began, at its opening quote */
function stringTests(code: ReaderCode, props: SchemaProps, value: Fragment, from: Fragment): Fragment {
  if (hasJunctors(props) || props.enum !== undefined) return emitCheck(code, props, value);
  const { maxLength, minLength, pattern, format } = props;
  const tests: Fragment[] = [];
  const points = code.constant(codePointLength);
  // A string has at most as many code points as UTF-16 units.
  if (maxLength !== undefined) {
    const limit = Number(maxLength);
    tests.push(js`if (${value}.length > ${limit} && ${points}(${value}) > ${limit}) return undefined;`);
  }
  // And at least half as many.
  if (minLength !== undefined) {
    const limit = Number(minLength);
    tests.push(js`if (${value}.length < ${2 * limit} && ${points}(${value}) < ${limit}) return undefined;`);
  }
  if (pattern !== '') {
    const compiled = compileRegex(pattern);
    if (!compiled.ok) return SILENCE;
    const regex = code.constant(compiled.regex);
    // A text that is as long as what stands between its quotes is of ASCII, without escapes.
    tests.push(
      js`if (!(${value}.length === at - ${from} - 2 ? ${regex}.testBytes(${value}, bytes, ${from} + 1) : ${regex}.test(${value}))) return undefined;`,
    );
  }
  const check = format === '' ? undefined : stringFormat(format, code.dialect.formatMinor);
  if (check !== undefined) tests.push(js`if (!${code.constant(check)}(${value})) return undefined;`);
  return joined(tests, '\n');
}

/** Code that reads an integer. See `ValueEmitter`. */
export function emitInteger(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  return js`s.at = at;
${into} = s.integer();
if (${into} === undefined) return undefined;
at = s.at;
${integerTests(code, props, into)}`;
}

/** Bounds of an int32 are compared here; whatever else there is goes through the exact check. */
function integerTests(code: ReaderCode, props: SchemaProps, value: Fragment): Fragment {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, format, multipleOf } = props;
  const isBounded = (bound: number | undefined): boolean =>
    bound === undefined || (isJsonInt(bound) && bound > INT32.min && bound < INT32.max);
  const isPlain =
    !hasJunctors(props) &&
    props.enum === undefined &&
    multipleOf === undefined &&
    isBounded(minimum) &&
    isBounded(maximum) &&
    (format === '' || format === 'int32' || format === 'int64');
  if (!isPlain) return emitCheck(code, props, value);
  const least = minimum === undefined ? undefined : exclusiveMinimum ? minimum + 1 : minimum;
  const greatest = maximum === undefined ? undefined : exclusiveMaximum ? maximum - 1 : maximum;
  const low = format === 'int32' ? Math.max(least ?? INT32.min, INT32.min) : least;
  const high = format === 'int32' ? Math.min(greatest ?? INT32.max, INT32.max) : greatest;
  const tests = [
    ...(low === undefined ? [] : [js`if (${value} < ${low}) return undefined;`]),
    ...(high === undefined ? [] : [js`if (${value} > ${high}) return undefined;`]),
  ];
  return joined(tests, '\n');
}

/** Code that reads a number of any kind. See `ValueEmitter`. */
export function emitNumber(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  return js`s.at = at;
${into} = s.number();
if (${into} === undefined) return undefined;
at = s.at;
${emitCheck(code, props, into)}`;
}

/** Code that reads a boolean. See `ValueEmitter`. */
export function emitBoolean(code: ReaderCode, { props }: ReaderNode, into: Fragment): Fragment {
  const check = hasJunctors(props) || props.enum !== undefined ? emitCheck(code, props, into) : js``;
  return js`s.at = at;
${into} = s.boolean();
if (${into} === undefined) return undefined;
at = s.at;
${check}`;
}

/** Code that reads an integer or a string. See `ValueEmitter`. */
export function emitIntOrString(code: ReaderCode, node: ReaderNode, into: Fragment): Fragment {
  const props = { ...node.props, anyOf: [] };
  const read = (value: Fragment): Fragment => js`s.at = at;
${into} = ${value};
if (${into} === undefined) return undefined;
at = s.at;`;
  if (hasJunctors(props) || !isEitherType(node.props) || props.format !== '')
    return js`${read(js`bytes[at] === 34 ? s.string() : s.integer()`)}\n${emitCheck(code, node.props, into)}`;
  const from = code.fresh('index');
  return js`if (bytes[at] === 34) {
const ${from} = at;
${read(js`s.string()`)}
${stringTests(code, props, into, from)}
} else {
${read(js`s.integer()`)}
${integerTests(code, props, into)}
}`;
}

/** Whether `anyOf` says no more than that a value is an integer or a string. */
function isEitherType({ anyOf }: SchemaProps): boolean {
  if (anyOf.length === 0) return true;
  return ['integer', 'string'].every((type) => anyOf.some((branch) => branch.type === type && isBareType(branch)));
}

function isBareType(branch: SchemaProps): boolean {
  return Object.entries(branch).every(([keyword, value]) => keyword === 'type' || isSilent(value));
}

const isSilent = (value: unknown): boolean =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Code that puts a value through the exact check of its keywords. */
export function emitCheck(code: ReaderCode, props: SchemaProps, value: Fragment): Fragment {
  return js`if (!${code.constant(keywordCheck(props, code.dialect))}(${value}, r.token)) return undefined;`;
}
