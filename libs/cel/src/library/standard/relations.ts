import { equal } from '../../values/equality.ts';
import { LibraryValue } from '../../values/library-value.ts';
import { MessageValue } from '../../values/messages/message-value.ts';
import { compareValues } from '../../values/ordering.ts';
import { doubleOf } from '../../values/type-of.ts';
import { BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, typeParameter, UINT } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { PreservedValue } from '../../values/wrap.ts';
import { js } from '../code/javascript.ts';
import type { Fragment } from '../code/javascript.ts';
import { BOOL_SHAPE, isNumeric } from '../code/shape.ts';
import type { InlineCall } from '../code/site.ts';
import { withContext } from '../define.ts';
import type { CallEstimate, Described, EstimatedCall, FunctionDeclaration } from '../define.ts';
import { estimateShorterScan, scanEstimate, scansShorter } from '../formulas.ts';
import { OPERATOR } from '../names.ts';
import { globalOverload, linear } from '../overload.ts';
import { estimateBy, measureBy, statedEstimate, statedMeasure } from '../price.ts';
import { exactly, range } from '../range.ts';

const A = typeParameter('A');

/** Names of library types whose comparison by `==` has a fixed static cost. Source: k8s.io/apiserver/pkg/cel/library/cost.go (1.37). */
const FIXED_COST_TYPES: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);
/** Maximum length of a format name, for the estimated cost of comparing formats. */
const MAX_FORMAT_SIZE = 64n;

/** Returns the name of the library type of both operands. Undefined if their types differ or are not library types. */
function sharedLibraryType(call: EstimatedCall): string | undefined {
  const [a, b] = call.operands.map((operand) => libraryTypeName(operand.type));
  return a === b ? a : undefined;
}

function libraryTypeName(type: CelType): string | undefined {
  return type.kind === 'opaque' || (type.kind === 'object' && type.fields === undefined) ? type.name : undefined;
}

function estimateByType(call: EstimatedCall): CallEstimate {
  const library = sharedLibraryType(call);
  if (library === undefined) return estimateShorterScan(call);
  if (FIXED_COST_TYPES.has(library)) return { cost: exactly(1n) };
  if (library === 'kubernetes.NamedFormat') return { cost: scanEstimate(range(1n, MAX_FORMAT_SIZE)) };
  if (library === 'kubernetes.URL') return { cost: scanEstimate(range(1n, call.operands[1]?.size?.max ?? 1n)) };
  return estimateShorterScan(call);
}

const estimateEquality = statedEstimate(
  {
    cost: (costs) => [
      ...estimateShorterScan.formulas.cost(costs),
      { when: `both are one of ${[...FIXED_COST_TYPES].join(', ')}`, formula: '1' },
      { when: 'both are kubernetes.NamedFormat', formula: `⌈0.1 × ${MAX_FORMAT_SIZE}⌉` },
      { when: 'both are kubernetes.URL', formula: '⌈0.1 × size(y)⌉' },
      { when: 'both are kubernetes.URL of unknown size', formula: '1' },
    ],
  },
  estimateByType,
);

const measureEquality = statedMeasure(
  (costs) => [...scansShorter.formula(costs), { when: 'x is a value of a library type', formula: '1' }],
  (args, result, costs) => (isLibraryValue(args[0]) ? 1 : scansShorter(args, result, costs)),
  // Code is emitted only for values with a size. Values of library types have no size, so the code need not test for them.
  (site, operands) => scansShorter.emit?.(site, operands),
);

/** Growth of a comparison, which traverses both values completely. The cost of a comparison does not include steps inside nested values. */
const EQUALITY = linear('k8s.io/apiserver/pkg/cel/common/valuesunstructured.go `Equal` (1.37)');

export const EQUALS: FunctionDeclaration = {
  name: OPERATOR.equals,
  library: 'standard',
  planned: 'equals',
  doc: 'True if two values are equal. Numbers of different types may be compared if one of them is dyn.',
  examples: ['1 == 1', "!('hello' == 'world')", "bytes('hello') == b'hello'", "duration('1h') == duration('60m')", 'dyn(3.0) == 3'],
  guard: 'any',
  overloads: [
    globalOverload('equals', [A, A], BOOL, {
      estimate: estimateBy((costs) => costs.libraryEqualityIsFixed, estimateEquality, estimateShorterScan),
      measure: measureBy((costs) => costs.libraryEqualityIsFixed, measureEquality, scansShorter),
      growth: EQUALITY,
      call: withContext(equal),
    }),
  ],
};

function isLibraryValue(value: CelValue | undefined): boolean {
  return value instanceof LibraryValue && !(value instanceof PreservedValue) && !(value instanceof MessageValue);
}

/** Declaration of `!=`. If the comparison fails with an error, `a != b` is true, in contrast to `==`. */
export const NOT_EQUALS: FunctionDeclaration = {
  name: OPERATOR.notEquals,
  library: 'standard',
  planned: 'notEquals',
  doc: 'True if two values differ.',
  examples: ['1 != 2', '3.0 != 3.1'],
  guard: 'any',
  overloads: [
    globalOverload('not_equals', [A, A], BOOL, {
      estimate: estimateShorterScan,
      measure: scansShorter,
      growth: EQUALITY,
      call: withContext((context, a, b) => {
        if (a instanceof CelError) return a;
        return b instanceof CelError ? b : equal(context, a, b) !== true;
      }),
    }),
  ],
};

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
