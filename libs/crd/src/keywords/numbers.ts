import { js } from '#cel';
import type { Fragment } from '#cel';
import { Float, isJsonInt } from '#go';
import type { JsonValue } from '#go';
import { checkBound, maximum, minimum } from '../object/openapi/bounds.ts';
import { checkMultipleOf } from '../object/openapi/multiple-of.ts';
import { checkRange } from '../object/openapi/number-range.ts';
import type { NumberType } from '../object/openapi/number-range.ts';
import { KINDS } from '../object/openapi/kind.ts';
import { FLAG, NUMBER } from './forms/scalar-forms.ts';
import { INT32 } from './format.ts';
import type { CheckedNode, CodeSite, KeywordFamily, Step } from './keyword.ts';
import { exactly } from './shapes.ts';

/** Keywords about the range of a number. */
export interface NumberKeywords {
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
}

const OF_NUMBERS = { nesting: 'allowed', concerns: [KINDS.int, KINDS.float] } as const;
/** A flag of a bound: the bound's own code heeds it. */
const FLAG_OF_BOUND = {
  ...OF_NUMBERS,
  form: FLAG,
  ways: { code: (_: boolean, { of }: CodeSite): Fragment | undefined => (of === 'integer' ? js`` : undefined), between: () => true },
  change: { kind: 'restriction' },
} as const;
const FLAGS = { value: 'scalar', values: ['true', 'false'] } as const;

/** Returns true if generated code may compare integers with a bound. */
const isPlain = (bound: number): boolean => isJsonInt(bound) && bound > INT32.min && bound < INT32.max;

/** See {@link NumberKeywords}. Source: kube-openapi pkg/validation/validate/validator.go `numberValidator`. */
export const numbers: KeywordFamily<NumberKeywords> = {
  keywords: {
    maximum: {
      ...OF_NUMBERS,
      name: 'maximum',
      position: 9,
      form: NUMBER,
      ways: {
        code(limit, { of, value }, { exclusiveMaximum }) {
          if (of !== 'integer' || limit === undefined || !isPlain(limit)) return undefined;
          return js`if (${value} > ${exclusiveMaximum ? limit - 1 : limit}) return undefined;`;
        },
        between: () => true,
      },
      change: { kind: 'bound', tighter: 'smaller' },
      words: { doc: 'Largest number.', value: 'scalar' },
    },
    exclusiveMaximum: {
      ...FLAG_OF_BOUND,
      name: 'exclusiveMaximum',
      position: 10,
      words: { doc: 'True if the maximum itself is too large.', ...FLAGS },
    },
    minimum: {
      ...OF_NUMBERS,
      name: 'minimum',
      position: 11,
      form: NUMBER,
      ways: {
        code(limit, { of, value }, { exclusiveMinimum }) {
          if (of !== 'integer' || limit === undefined || !isPlain(limit)) return undefined;
          return js`if (${value} < ${exclusiveMinimum ? limit + 1 : limit}) return undefined;`;
        },
        between: () => true,
      },
      change: { kind: 'bound', tighter: 'larger' },
      words: { doc: 'Smallest number.', value: 'scalar' },
    },
    exclusiveMinimum: {
      ...FLAG_OF_BOUND,
      name: 'exclusiveMinimum',
      position: 12,
      words: { doc: 'True if the minimum itself is too small.', ...FLAGS },
    },
    multipleOf: {
      ...OF_NUMBERS,
      name: 'multipleOf',
      position: 19,
      form: NUMBER,
      ways: {},
      change: exactly('multipleOf changed', true),
      words: { doc: 'A number must be a multiple of this one.', value: 'scalar' },
    },
  },
  validator: { concerns: [KINDS.int, KINDS.float], matches: () => 2, steps },
};

/** Formats that bound a type of numbers. */
export const NUMBER_FORMATS: Readonly<Record<'integer' | 'number', readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

function numberType({ types, format, dialect }: CheckedNode): NumberType {
  const only = types.length === 1 ? types[0] : '';
  if (!dialect.typedNumbers || (only !== 'integer' && only !== 'number')) return { type: '', format: '' };
  return { type: only, format: NUMBER_FORMATS[only].includes(format) ? format : '' };
}

function steps(node: CheckedNode): readonly Step[] {
  const { props } = node;
  const type = numberType(node);
  const found: Step[] = [];
  if (type.type !== '') found.push((value, walk) => void checkRange(numberOf(value), type, 'Checked', walk));
  const { multipleOf: factor } = props;
  const { isIntegral } = node.dialect;
  if (factor !== undefined) found.push((value, walk) => checkMultipleOf(value, numberOf(value), { factor, type, isIntegral }, walk));
  const bounds = [
    ...(props.minimum === undefined ? [] : [minimum(props.minimum, props.exclusiveMinimum)]),
    ...(props.maximum === undefined ? [] : [maximum(props.maximum, props.exclusiveMaximum)]),
  ];
  for (const bound of bounds) found.push((value, walk) => checkBound(value, numberOf(value), bound, type, walk));
  return found;
}

const numberOf = (value: JsonValue): number | bigint => (value instanceof Float ? value.value : (value as number | bigint));
