import { js } from '#cel';
import { Float, isJsonInt } from '#go';
import type { JsonValue } from '#go';
import { checkBound, maximum, minimum } from '../object/openapi/bounds.ts';
import { checkMultipleOf } from '../object/openapi/multiple-of.ts';
import { checkRange } from '../object/openapi/number-range.ts';
import type { NumberType } from '../object/openapi/number-range.ts';
import { KINDS } from '../object/openapi/kind.ts';
import { FLAG, NUMBER } from './forms/scalar-forms.ts';
import { INT32 } from './format.ts';
import type { CheckedNode, Keyword, KeywordFamily, ValidationStep } from './keyword.ts';
import { exactChange } from './shapes.ts';

/** Keywords that restrict the range of a number. */
export interface NumberKeywords {
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends NumberKeywords {}
}

const OF_NUMBERS = { nesting: 'allowed', appliesTo: [KINDS.int, KINDS.float] } as const;

/** Lower or upper bound of numbers, with the flag that excludes the bound itself. */
interface ValueBound extends Pick<Keyword, 'name' | 'position'> {
  readonly side: 'least' | 'most';
  readonly flag: 'exclusiveMaximum' | 'exclusiveMinimum';
  readonly doc: string;
}

/** Returns a keyword that is a lower or an upper bound of a number. */
function valueBound({ side, flag, doc, ...field }: ValueBound): Keyword<number | undefined> {
  return {
    ...OF_NUMBERS,
    ...field,
    form: NUMBER,
    fastPaths: {
      code(limit, { of, value }, props) {
        if (of !== 'integer' || limit === undefined || !isPlain(limit)) return undefined;
        const excluded = props[flag] ? 1 : 0;
        return side === 'least'
          ? js`if (${value} < ${limit + excluded}) return undefined;`
          : js`if (${value} > ${limit - excluded}) return undefined;`;
      },
      between: () => true,
    },
    change: { kind: 'bound', tighter: side === 'least' ? 'larger' : 'smaller' },
    docs: { doc, value: 'scalar' },
  };
}

/** Returns the keyword that excludes the value of a numeric bound itself. The generated code of the bound takes this flag into account. */
function boundFlag(name: ValueBound['flag'], position: number, doc: string): Keyword<boolean> {
  return {
    ...OF_NUMBERS,
    name,
    position,
    form: FLAG,
    fastPaths: { code: (_, { of }) => (of === 'integer' ? js`` : undefined), between: () => true },
    change: { kind: 'restriction' },
    docs: { doc, value: 'scalar', values: ['true', 'false'] },
  };
}

/**
 * Returns true if generated code can compare integers directly with a bound: the bound is an integer strictly between the limits of an
 * int32.
 */
const isPlain = (bound: number): boolean => isJsonInt(bound) && bound > INT32.min && bound < INT32.max;

/** Declaration of the keywords in {@link NumberKeywords}. Source: kube-openapi pkg/validation/validate/validator.go `numberValidator`. */
export const numbers: KeywordFamily<NumberKeywords> = {
  keywords: {
    maximum: valueBound({
      name: 'maximum',
      position: 9,
      side: 'most',
      flag: 'exclusiveMaximum',
      doc: 'The largest number that is allowed.',
    }),
    exclusiveMaximum: boundFlag('exclusiveMaximum', 10, 'True if the number must be less than `maximum`, and not equal.'),
    minimum: valueBound({
      name: 'minimum',
      position: 11,
      side: 'least',
      flag: 'exclusiveMinimum',
      doc: 'The smallest number that is allowed.',
    }),
    exclusiveMinimum: boundFlag('exclusiveMinimum', 12, 'True if the number must be greater than `minimum`, and not equal.'),
    multipleOf: {
      ...OF_NUMBERS,
      name: 'multipleOf',
      position: 19,
      form: NUMBER,
      fastPaths: {},
      change: exactChange('multipleOf changed', true),
      docs: { doc: 'The number must be a multiple of this value.', value: 'scalar' },
    },
  },
  validator: { appliesTo: [KINDS.int, KINDS.float], matches: () => 2, steps },
};

/** Formats that limit the range of a number, by type. */
export const NUMBER_FORMATS: Readonly<Record<'integer' | 'number', readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

function numberType({ types, format, dialect }: CheckedNode): NumberType {
  const only = types.length === 1 ? types[0] : '';
  if (!dialect.typedNumbers || (only !== 'integer' && only !== 'number')) return { type: '', format: '' };
  return { type: only, format: NUMBER_FORMATS[only].includes(format) ? format : '' };
}

function steps(node: CheckedNode): readonly ValidationStep[] {
  const { props } = node;
  const type = numberType(node);
  const found: ValidationStep[] = [];
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
