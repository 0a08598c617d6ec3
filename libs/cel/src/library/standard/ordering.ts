import { compareValues } from '../../values/ordering.ts';
import { CelError } from '../../values/value.ts';
import { BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import { OPERATOR } from '../names.ts';
import { withContext } from '../define.ts';
import type { Described, FunctionDeclaration } from '../define.ts';
import { doubleOf } from '../../values/type-of.ts';
import type { CelValue } from '../../values/value.ts';
import { js } from '../code/javascript.ts';
import { BOOL_SHAPE, isNumeric } from '../code/shape.ts';
import type { Fragment } from '../code/javascript.ts';
import type { InlineCall } from '../code/site.ts';
import { estimateShorterScan, scansShorter } from '../formulas.ts';
import { globalOverload } from '../overload.ts';
import { linear } from '../growth.ts';

/** Pairs of types that can be ordered, in cel-go's order. Compatibility version 1.28 introduced the pairs of different number types. */
const PAIRS: readonly (readonly [suffix: string, left: CelType, right: CelType])[] = [
  ['bool', BOOL, BOOL],
  ['int64', INT, INT],
  ['int64_double', INT, DOUBLE],
  ['int64_uint64', INT, UINT],
  ['uint64', UINT, UINT],
  ['uint64_double', UINT, DOUBLE],
  ['uint64_int64', UINT, INT],
  ['double', DOUBLE, DOUBLE],
  ['double_int64', DOUBLE, INT],
  ['double_uint64', DOUBLE, UINT],
  ['string', STRING, STRING],
  ['bytes', BYTES, BYTES],
  ['timestamp', TIMESTAMP, TIMESTAMP],
  ['duration', DURATION, DURATION],
];

const COMPARISON = linear('cel-go common/types/string.go, bytes.go `Compare` (v0.29.2)');

/** Minor number of the compatibility version from which numbers of different types can be compared. */
const crossTypeSince = 28;

/**
 * Emits the comparison of two numbers of the same or of different types. If a value is NaN, the code returns undefined, and the interpreter
 * evaluates the expression.
 */
const inlineOrdering =
  (compare: (left: Fragment, right: Fragment) => Fragment): InlineCall =>
  (site, [left, right]) => {
    if (!isNumeric(left!.shape) || !isNumeric(right!.shape)) return undefined;
    for (const { code, shape, constant } of [left!, right!]) {
      if (shape.kind === 'double' && constant === undefined) site.writer.bail(js`${code} !== ${code}`);
    }
    return { code: js`(${compare(left!.code, right!.code)})`, shape: BOOL_SHAPE };
  };

const isNan = (value: CelValue): boolean => Number.isNaN(doubleOf(value));

function comparison(
  described: Described,
  verb: string,
  holds: (order: -1 | 0 | 1) => boolean,
  compare: (left: Fragment, right: Fragment) => Fragment,
): FunctionDeclaration {
  const inline = inlineOrdering(compare);
  const call = withContext(({ semantics }, a, b) => {
    if (semantics.nanPrecedesNothing && (isNan(a) || isNan(b))) return false;
    const order = compareValues(a, b);
    return order instanceof CelError ? order : holds(order);
  });
  const overloads = PAIRS.map(([suffix, left, right]) =>
    globalOverload(`${verb}_${suffix}`, [left, right], BOOL, {
      call,
      inline,
      ...(left === right ? {} : { since: crossTypeSince }),
      ...(left === STRING || left === BYTES ? { measure: scansShorter, estimate: estimateShorterScan, growth: COMPARISON } : {}),
    }),
  );
  return { ...described, library: 'standard', guard: 'comparer', overloads };
}

/** Declaration of `a < b` for two numbers (of any types), strings, bytes, bools, timestamps or durations. */
export const LESS = comparison(
  {
    name: OPERATOR.less,
    doc: 'True if the left value comes before the right one.',
    examples: ['-2 < 3', '1 < 1.1', "'a' < 'b'", "b'hello' < b'world'", "duration('1ms') < duration('1s')"],
  },
  'less',
  (order) => order < 0,
  (a, b) => js`${a} < ${b}`,
);
/** Declaration of `a <= b`, for the same types as {@link LESS}. */
export const LESS_EQUALS = comparison(
  { name: OPERATOR.lessEquals, doc: 'True if the left value does not come after the right one.', examples: ['1 <= 1', '1u <= 23'] },
  'less_equals',
  (order) => order <= 0,
  (a, b) => js`${a} <= ${b}`,
);
/** Declaration of `a > b`, for the same types as {@link LESS}. */
export const GREATER = comparison(
  { name: OPERATOR.greater, doc: 'True if the left value comes after the right one.', examples: ['3 > -2', '2u > 1.9'] },
  'greater',
  (order) => order > 0,
  (a, b) => js`${a} > ${b}`,
);
/** Declaration of `a >= b`, for the same types as {@link LESS}. */
export const GREATER_EQUALS = comparison(
  {
    name: OPERATOR.greaterEquals,
    doc: 'True if the left value does not come before the right one.',
    examples: ['2 >= 1.1', "duration('60s') >= duration('1m')"],
  },
  'greater_equals',
  (order) => order >= 0,
  (a, b) => js`${a} >= ${b}`,
);
