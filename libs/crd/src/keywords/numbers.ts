import { js } from '#cel';
import { Float, isJsonInt, floatValue, formatFloat, intValue } from '#go';
import type { JsonValue } from '#go';
import { KINDS } from '../object/openapi/kind.ts';
import { FLAG, NUMBER } from './forms/scalar-forms.ts';
import { INT32 } from './format.ts';
import type { CheckedNode, Keyword, KeywordFamily, ValidationStep } from './keyword.ts';
import { exactChange } from './form.ts';
import { invalid } from '#kube';
import { toInt64, roundingOf } from '../object/openapi/json-integer.ts';
import type { Change } from '#kube';
import type { ValidationBehaviour, SchemaWalk } from '../object/openapi/schema-walk.ts';
import { CRD_CHANGES } from '../minors/minors.ts';

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
      change: exactChange('multipleOf changed', { loosenedByRemoval: true }),
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

function numberType({ types, format, behaviour }: CheckedNode): NumberType {
  const only = types.length === 1 ? types[0] : '';
  if (!behaviour.typedNumbers || (only !== 'integer' && only !== 'number')) return { type: '', format: '' };
  return { type: only, format: NUMBER_FORMATS[only].includes(format) ? format : '' };
}

function steps(node: CheckedNode): readonly ValidationStep[] {
  const { props } = node;
  const type = numberType(node);
  const found: ValidationStep[] = [];
  if (type.type !== '') found.push((value, walk) => void checkRange(numberOf(value), type, 'Checked', walk));
  const { multipleOf: factor } = props;
  const { isIntegral } = node.behaviour;
  if (factor !== undefined) found.push((value, walk) => checkMultipleOf(value, numberOf(value), { factor, type, isIntegral }, walk));
  const bounds = [
    ...(props.minimum === undefined ? [] : [minimum(props.minimum, props.exclusiveMinimum)]),
    ...(props.maximum === undefined ? [] : [maximum(props.maximum, props.exclusiveMaximum)]),
  ];
  for (const bound of bounds) found.push((value, walk) => checkBound(value, numberOf(value), bound, type, walk));
  return found;
}

const numberOf = (value: JsonValue): number | bigint => (value instanceof Float ? value.value : (value as number | bigint));

/** Parameters for validating `multipleOf`. */
interface Factor extends Pick<ValidationBehaviour, 'isIntegral'> {
  readonly factor: number;
  readonly type: NumberType;
}

/**
 * Validates `multipleOf`. For integers, the factor is truncated, so a fractional factor below 1 rejects every value. Source: kube-openapi
 * pkg/validation/validate/values.go `MultipleOfNativeType`.
 */
function checkMultipleOf(value: JsonValue, number: number | bigint, limit: Factor, walk: SchemaWalk): void {
  const { factor, type } = limit;
  const inRange = checkRange(factor, type, 'MultipleOf', walk);
  if (inRange && isJsonInt(value)) {
    const whole = toInt64(factor);
    if (whole <= 0n) reportFactor(walk, String(whole), intValue(whole));
    else if (BigInt(number) % whole !== 0n) report(walk, String(whole), value);
    return;
  }
  const float = Number(number);
  if (factor <= 0) {
    reportFactor(walk, formatFloat(factor), floatValue(factor));
    return;
  }
  const multiple = factor < 1 ? (1 / factor) * float : float / factor;
  if (!limit.isIntegral(multiple)) report(walk, formatFloat(factor), isJsonInt(value) ? floatValue(float) : value, roundingOf(multiple));
}

function report(walk: SchemaWalk, factor: string, value: JsonValue, because?: readonly Change[]): void {
  const name = walk.name;
  const text = `${name} in body should be a multiple of ${factor}`;
  walk.add({ text, name, toError: (field) => invalid(field, value, text), because });
}

function reportFactor(walk: SchemaWalk, factor: string, value: JsonValue): void {
  const name = walk.name;
  const text = `factor MultipleOf declared for ${name} must be positive: ${factor}`;
  walk.add({ text, name, toError: (field) => invalid(field, value, text) });
}

/** Lower or upper bound of numbers, see {@link maximum} and {@link minimum}. */
interface NumericBound {
  readonly limit: number;
  /** Limit that integers are compared with: the bound truncated to int64. */
  readonly integerLimit: bigint;
  readonly role: 'Maximum boundary' | 'Minimum boundary';
  /** Returns true if `value` violates `limit`. */
  readonly violates: (value: number | bigint, limit: number | bigint) => boolean;
  /** Comparison in the error message, such as `less than or equal to` or `less than`. */
  readonly comparison: string;
}

/**
 * Validates a number against a bound. An integer is compared with the bound truncated to int64. A bound that does not fit the declared type
 * is reported as a separate finding. In this case, the number and the bound are compared as floats. Source: kube-openapi
 * pkg/validation/validate/validator.go `numberValidator`, values.go `MaximumNativeType`.
 */
function checkBound(value: JsonValue, number: number | bigint, bound: NumericBound, type: NumberType, walk: SchemaWalk): void {
  const inRange = checkRange(bound.limit, type, bound.role, walk);
  const asIntegers = inRange && isJsonInt(value);
  const limit = asIntegers ? bound.integerLimit : bound.limit;
  if (!bound.violates(asIntegers ? number : Number(number), limit)) return;
  const name = walk.name;
  const text = `${name} in body should be ${bound.comparison} ${asIntegers ? limit : formatFloat(bound.limit)}`;
  const shown = !inRange && isJsonInt(value) ? floatValue(Number(number)) : value;
  walk.add({ text, name, toError: (field) => invalid(field, shown, text) });
}

/** Returns the numeric bound that the keyword `maximum` sets. `exclusive` is the value of `exclusiveMaximum`. */
function maximum(limit: number, exclusive: boolean): NumericBound {
  return {
    limit,
    integerLimit: toInt64(limit),
    role: 'Maximum boundary',
    violates: exclusive ? (value, max) => value >= max : (value, max) => value > max,
    comparison: exclusive ? 'less than' : 'less than or equal to',
  };
}

/** Returns the numeric bound that the keyword `minimum` sets. `exclusive` is the value of `exclusiveMinimum`. */
function minimum(limit: number, exclusive: boolean): NumericBound {
  return {
    limit,
    integerLimit: toInt64(limit),
    role: 'Minimum boundary',
    violates: exclusive ? (value, min) => value <= min : (value, min) => value < min,
    comparison: exclusive ? 'greater than' : 'greater than or equal to',
  };
}

/** Type and format of a number, as far as they limit its range. An empty string means "no limit". */
interface NumberType {
  readonly type: '' | 'integer' | 'number';
  readonly format: string;
}

/** Smallest float64 that is too large for a float32: it is rounded to infinity. */
const FLOAT32_OVERFLOW = 2 ** 128 - 2 ** 103;

/**
 * Returns true if a number fits an int64. The decimal text of the number decides, because upstream parses this text. The shortest text of a
 * float64 near 2^63 may be beyond the int64 range.
 */
function fitsInt64(value: number | bigint): boolean {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return true;
  if (Math.abs(value) >= 1e21) return false;
  const shown = BigInt(String(value));
  return shown >= -9223372036854775808n && shown <= 9223372036854775807n;
}

function fits(value: number | bigint, { type, format }: NumberType): boolean {
  if (type === 'integer') {
    if (!isJsonInt(value) || !fitsInt64(value)) return false;
    if (format === 'int32') return value >= -2147483648 && value <= 2147483647;
    return true;
  }
  return type !== 'number' || format !== 'float' || Math.abs(Number(value)) < FLOAT32_OVERFLOW;
}

/**
 * Reports a number that does not fit its declared type and format. As in upstream, the finding is attached to no field; only its text
 * contains the field's path. Returns true if the number fits. Source: kube-openapi pkg/validation/validate/values.go
 * `IsValueValidAgainstRange`.
 *
 * @param role Role of the number in the message: `Checked`, `MultipleOf`, `Maximum boundary` or `Minimum boundary`.
 */
function checkRange(value: number | bigint, type: NumberType, role: string, walk: SchemaWalk): boolean {
  if (fits(value, type)) return true;
  const format = type.format === '' ? '(default format)' : `with format ${type.format}`;
  const text = `${role} value must be of type ${type.type} ${format} in ${walk.name}`;
  walk.add({ text, name: undefined, toError: (field) => invalid(field, '', text), because: [CRD_CHANGES.numbersAreTyped] });
  return false;
}
