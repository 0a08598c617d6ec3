import { deepEqualJson, isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { invalid } from '#kube';
import { KEYWORDS } from '../keywords/all.ts';
import type { Form } from '../keywords/form.ts';
import { FLAG, SIZE, VALUE } from '../keywords/forms/scalar-forms.ts';
import type { CheckedNode, Keyword, KeywordFamily, Validator } from '../keywords/keyword.ts';
import type { Vocabulary } from '../keywords/vocabulary.ts';
import { EVERY_KIND, KINDS } from '../object/openapi/kind.ts';
import type { Kind } from '../object/openapi/kind.ts';

/** Description of an imaginary keyword for tests, including the function that tests whether a value meets the keyword. */
interface Question<Value> {
  readonly name: string;
  readonly position: number;
  readonly form: Form<Value>;
  readonly appliesTo: readonly Kind[];
  readonly holds: (parameter: Value, value: JsonValue) => boolean;
}

/** Returns a keyword that has no generated or otherwise optimized implementation. */
function plainKeyword<Value>({ name, position, form, appliesTo }: Omit<Question<Value>, 'holds'>): Keyword<Value> {
  const docs = { doc: 'An imaginary keyword.', value: 'scalar' } as const;
  const change = { kind: 'exact', change: `${name} changed`, loosenedByRemoval: true } as const;
  return { name, position, form, appliesTo, nesting: 'allowed', fastPaths: {}, change, docs };
}

function validator(
  appliesTo: readonly Kind[],
  name: string,
  test: (node: CheckedNode) => ((value: JsonValue) => boolean) | undefined,
): Validator {
  return {
    appliesTo,
    matches: () => 0,
    steps(node) {
      const holds = test(node);
      if (holds === undefined) return [];
      return [
        (value, walk) => {
          if (holds(value)) return;
          const field = walk.name;
          const text = `${field} in body should meet ${name}`;
          walk.add({ text, name: field, toError: (path) => invalid(path, 'imaginary', text) });
        },
      ];
    },
  };
}

/** Returns the value of a field that the type `SchemaProps` does not declare. */
const fieldOf = ({ props }: CheckedNode, field: string): unknown => (props as unknown as Record<string, unknown>)[field];

function imaginary<Value>(question: Question<Value>): KeywordFamily<object> {
  const { name, appliesTo, holds, form } = question;
  const test = (node: CheckedNode) => {
    const parameter = fieldOf(node, name) as Value | undefined;
    return parameter === undefined || form.isAbsent(parameter) ? undefined : (value: JsonValue) => holds(parameter, value);
  };
  return { keywords: { [name]: plainKeyword(question) }, validator: validator(appliesTo, name, test) };
}

const isSorted = (list: readonly JsonValue[]): boolean => list.every((value, i) => i === 0 || String(list[i - 1]) <= String(value));
const INTEGERS = [KINDS.int];

/** Family of two keywords for integers. The test of `step` also uses the value of `stepsFrom`. */
const STEPS: KeywordFamily<object> = {
  keywords: {
    step: plainKeyword({ name: 'step', position: 100.1, form: SIZE, appliesTo: INTEGERS }),
    stepsFrom: plainKeyword({ name: 'stepsFrom', position: 100.2, form: SIZE, appliesTo: INTEGERS }),
  },
  validator: validator(INTEGERS, 'step', (node) => {
    const [step, from] = [fieldOf(node, 'step'), fieldOf(node, 'stepsFrom') ?? 0];
    return step === undefined ? undefined : (value) => (Number(value) - Number(from)) % Number(step) === 0;
  }),
};

/**
 * Imaginary keywords for tests, at least one for each kind of value. Only the exact validation code knows these keywords; generated code
 * does not.
 */
export const IMAGINARY: readonly KeywordFamily<object>[] = [
  imaginary({
    name: 'maxWords',
    position: 101,
    form: SIZE,
    appliesTo: [KINDS.string],
    holds: (most, text) => String(text).split(' ').length <= Number(most),
  }),
  imaginary({ name: 'isEven', position: 102, form: FLAG, appliesTo: INTEGERS, holds: (_, value) => Number(value) % 2 === 0 }),
  imaginary({
    name: 'maxMagnitude',
    position: 103,
    form: SIZE,
    appliesTo: [KINDS.int, KINDS.float],
    holds: (most, value) => Math.abs(Number(value instanceof Object ? (value as { value?: number }).value : value)) <= Number(most),
  }),
  imaginary({ name: 'isTrue', position: 104, form: FLAG, appliesTo: [KINDS.bool], holds: (_, value) => value === true }),
  imaginary({
    name: 'isSorted',
    position: 105,
    form: FLAG,
    appliesTo: [KINDS.array],
    holds: (_, list) => Array.isArray(list) && isSorted(list),
  }),
  imaginary({
    name: 'isPaired',
    position: 106,
    form: FLAG,
    appliesTo: [KINDS.object],
    holds: (_, object) => isJsonObject(object) && Object.keys(object).length % 2 === 0,
  }),
  imaginary({ name: 'isNot', position: 107, form: VALUE, appliesTo: EVERY_KIND, holds: (other, value) => !deepEqualJson(value, other) }),
  STEPS,
];

/** Keywords of Kubernetes and the imaginary keywords. */
export const WITH_IMAGINARY: Vocabulary = KEYWORDS.with(...IMAGINARY);

const texts = (count: number, last: string): readonly string[] => [
  ...Array.from({ length: count }, (_, i) => `word${String(i).padStart(4, '0')}`),
  last,
];
const numbers = (count: number, last: number): readonly number[] => [...Array.from({ length: count }, (_, i) => 2 * i), last];
const LONG = 300;

/** Schemas of a field with an imaginary keyword, each with a valid and an invalid value. */
export const IMAGINARY_CASES: readonly (readonly [name: string, schema: object, valid: unknown, invalid: unknown])[] = [
  ['a string', { type: 'string', maxWords: 2 }, 'one two', 'one two three'],
  ['a string beside real keywords', { type: 'string', maxWords: 2, maxLength: 99, pattern: '^o', minLength: 1 }, 'one', 'one two three'],
  ['a string of an enum', { type: 'string', enum: ['a', 'b b b'], maxWords: 2 }, 'a', 'b b b'],
  ['an integer', { type: 'integer', isEven: true, minimum: 0 }, 2, 3],
  ['an integer, a family of two', { type: 'integer', step: 5, stepsFrom: 2 }, 12, 10],
  ['a number', { type: 'number', maxMagnitude: 3 }, -2.5, -3.5],
  ['a boolean', { type: 'boolean', isTrue: true }, true, false],
  ['an int-or-string, as a string', { 'x-kubernetes-int-or-string': true, maxWords: 1 }, 'a', 'a b'],
  ['an int-or-string, as an integer', { 'x-kubernetes-int-or-string': true, isEven: true }, 2, 3],
  ['a list', { type: 'array', items: { type: 'string' }, isSorted: true }, ['a', 'b'], ['b', 'a']],
  ['a long list of texts', { type: 'array', items: { type: 'string' }, isSorted: true }, texts(LONG, 'z'), texts(LONG, 'a')],
  ['elements of a long list of texts', { type: 'array', items: { type: 'string', maxWords: 1 } }, texts(LONG, 'z'), texts(LONG, 'z z')],
  ['elements of a long list of integers', { type: 'array', items: { type: 'integer', isEven: true } }, numbers(LONG, 8), numbers(LONG, 9)],
  [
    'elements of a list of objects',
    { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', isEven: true } } } },
    [{ a: 2 }],
    [{ a: 3 }],
  ],
  [
    'an object',
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, isPaired: true },
    { a: '1', b: '2' },
    { a: '1' },
  ],
  [
    'an object that keeps unknown fields',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, isPaired: true },
    { a: 1, b: 2 },
    { a: 1 },
  ],
  ['a map', { type: 'object', additionalProperties: { type: 'string' }, isPaired: true }, { a: '1', b: '2' }, { a: '1' }],
  ['values of a map', { type: 'object', additionalProperties: { type: 'integer', isEven: true } }, { a: 2 }, { a: 3 }],
  ['any value', { 'x-kubernetes-preserve-unknown-fields': true, isNot: 'x' }, 'y', 'x'],
  ['a string that may be null', { type: 'string', nullable: true, isNot: 'x' }, null, 'x'],
  ['a branch of anyOf', { type: 'string', anyOf: [{ maxWords: 1 }, { maxLength: 3 }] }, 'one', 'one two'],
];
