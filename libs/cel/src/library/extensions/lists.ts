import { EXPANSION } from '../names.ts';
import { LIST_CREATION } from '../step-prices.ts';
import { exactly, MAX_UNITS, multiplyRanges, scaleRange, addRanges } from '../range.ts';
import type { SizeRange } from '../range.ts';
import { goTypeOf } from '../../values/go-type.ts';
import { costSizeOf } from '../../values/size.ts';
import { hasTrait, isInt, isList } from '../../values/type-of.ts';
import { CelError, Uint } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, STRING, TIMESTAMP, typeParameter, UINT } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { CallEstimate, Estimate, EstimatedCall, EstimatedOperand, FunctionDeclaration, Measure, Overload } from '../define.ts';
import { withContext } from '../define.ts';
import { CALL, STRING_TRAVERSAL } from '../formulas.ts';
import { dated, globalOverload, linear, memberOverload, quadratic } from '../overload.ts';
import { always, estimateBy, sizeEstimate, statedEstimate, statedMeasure } from '../price.ts';
import { distinct, flatten, listRange, reverse, slice, sortByKeys } from './list-operations.ts';

const T = typeParameter('T');
const LIST_OF_T = listOf(T);
/** Minor number of the compatibility version that introduced version 3 of the lists library. */
const since = 34;

/** Cost of a call that creates a list, without the cost that depends on the number of elements. */
const BASE = CALL + LIST_CREATION;

/**
 * Returns the static estimate of a function that creates a list: the base cost plus `factor` units for each element of `size`. The result
 * size is `size`.
 */
function allocating(factor: number, size: SizeRange): CallEstimate {
  return { cost: addRanges(scaleRange(size, factor), exactly(BigInt(BASE))), resultSize: size };
}

const UINT64_END = 2 ** 64;
/** Result on amd64 of converting a float that is too large for a uint64. */
const OVERFLOWN = 2 ** 63;

function allocatingUnits(factor: number, size: number): number {
  const units = size * (factor < 0 ? 1 : factor);
  return (units < UINT64_END ? Math.trunc(units) : OVERFLOWN) + BASE;
}

/**
 * Run-time cost of `flatten` with a depth, before cel-go 0.29. A negative depth reduces the cost. If the sum becomes negative, it wraps
 * around as a uint64.
 */
const measureAnyDepth = statedMeasure(`(${BASE} + value(y) × size(x)) mod 2^64`, (args) =>
  Number(BigInt.asUintN(64, BigInt(BASE) + BigInt(Number(args[1])) * BigInt(costSizeOf(args[0] as CelValue)))),
);

/** Run-time cost of `flatten` with a depth, with cel-go 0.29. A negative depth counts as 1. */
const measureDepthOrOne = statedMeasure(
  [{ formula: `${BASE} + value(y) × size(x)` }, { when: 'y is negative', formula: `${BASE} + size(x)` }],
  (args) => allocatingUnits(Number(args[1]), costSizeOf(args[0] as CelValue)),
);

/** Run-time cost of `flatten` with a depth. A negative depth counts as 0, and what is no integer as 1. Source: cel-go ext/lists.go (v0.33.2). */
const measureDepth = statedMeasure(
  [
    { formula: `${BASE} + value(y) × size(x)` },
    { when: 'y is negative', formula: `${BASE}` },
    { when: 'y is no integer', formula: `${BASE} + size(x)` },
  ],
  ([list, depth]) => allocatingUnits(Math.max(0, depthOf(depth as CelValue)), costSizeOf(list as CelValue)),
);

function depthOf(depth: CelValue): number {
  if (depth instanceof Uint) return Number(depth.value);
  return isInt(depth) ? Number(depth) : 1;
}

const measureResult = statedMeasure(
  (costs) => [
    { formula: `${BASE} + size(result)` },
    ...(costs.costsAreModelled ? [{ when: 'the result is an error', formula: `${BASE}` }] : []),
  ],
  (_, result, costs) => allocatingUnits(1, costs.costsAreModelled && result instanceof CelError ? 0 : costSizeOf(result)),
);
const measureList = statedMeasure(`${BASE} + size(x)`, (args) => allocatingUnits(1, costSizeOf(args[0] as CelValue)));

/**
 * Returns an estimate for a function that creates a list. `formulas` contains the formulas of its cost and of the result's size. The base cost
 * of a call that creates a list is added to the cost formula.
 */
function allocation(words: { readonly cost: string; readonly size: string }, estimate: (call: EstimatedCall) => CallEstimate): Estimate {
  return statedEstimate({ cost: always(`${BASE} + ${words.cost}`), resultSize: always(words.size) }, estimate);
}

const allocatesList = allocation({ cost: 'size(x)', size: 'size(x)' }, (call) => allocating(1, sizeEstimate(call, 0)));

/**
 * Returns the value of an operand that is an int literal, or 0 if the value is negative. Returns `otherwise` if the operand is not an int
 * literal.
 */
function literalUint(operand: EstimatedOperand | undefined, otherwise: bigint): bigint {
  const literal = operand?.literal;
  if (literal?.type !== 'int') return otherwise;
  return literal.value < 0n ? 0n : literal.value;
}

/** Returns the estimate of a function that compares each element of a list with each other element. */
function squareEstimate(factor: number, operand: 0 | 1): Estimate {
  const square = squareOf(operand);
  return allocation({ cost: `⌈${factor} × ${square}⌉`, size: square }, (call) => {
    const size = sizeEstimate(call, operand);
    return allocating(factor, { ...multiplyRanges(size, size), key: size.key, element: sizeEstimate(call, 0).element });
  });
}

function squareOf(operand: 0 | 1): string {
  const size = operand === 0 ? 'size(x)' : 'size(y)';
  return `${size} × ${size}`;
}

const anyElements = squareEstimate(2, 0);
const textElements = squareEstimate(2 + STRING_TRAVERSAL, 0);
/**
 * Estimate of `distinct`. Since 1.38, elements that are strings or bytes raise the cost. Source: cel-go ext/lists.go `selfCompareFactor`
 * (v0.33.2).
 */
const estimateDistinct = estimateBy(
  (costs) => costs.costsAreModelled,
  statedEstimate(
    {
      cost: (costs) => [
        ...anyElements.formulas.cost(costs),
        ...textElements.formulas.cost(costs).map((clause) => ({ ...clause, when: 'x is a list of strings or bytes' })),
      ],
      resultSize: always(squareOf(0)),
    },
    (call) => (isTexts(call.operands[0]!.type) ? textElements : anyElements)(call),
  ),
  anyElements,
);

const isTexts = (type: CelType): boolean => type.kind === 'list' && (type.element.kind === 'string' || type.element.kind === 'bytes');

/**
 * Estimate of `slice`, from its literal arguments. A negative literal counts as 0. A start that is not a literal counts as 0, and an end
 * that is not a literal counts as the size of the list.
 */
const estimateSlice = allocation(
  { cost: '(literal(z, size(x)) − literal(y, 0)) mod 2^64', size: '(literal(z, size(x)) − literal(y, 0)) mod 2^64' },
  (call) => {
    const list = sizeEstimate(call, 0);
    const end = literalUint(call.operands[2], list.max);
    const size = BigInt.asUintN(64, end - literalUint(call.operands[1], 0n));
    return allocating(1, { min: size, max: size, element: list.element });
  },
);

/** Returns the depth of `flatten` that an estimate assumes: the literal, or no limit. Since 1.38, a negative literal is no limit either. */
function flattenDepth({ operands, costs }: EstimatedCall): bigint {
  const literal = operands[1]?.literal;
  const isNegative = literal?.type === 'int' && literal.value < 0n;
  return isNegative && costs.costsAreModelled ? MAX_UNITS : literalUint(operands[1], MAX_UNITS);
}

const estimateFlatten = statedEstimate(
  {
    cost: (costs) => [
      { formula: `${BASE} + literal(y, ∞) × size(x)` },
      ...(costs.costsAreModelled ? [{ when: 'y is a negative literal', formula: `${BASE} + ∞ × size(x)` }] : []),
    ],
    resultSize: always('size(x)'),
  },
  (call) => allocating(Number(flattenDepth(call)), sizeEstimate(call, 0)),
);

const estimateRange = allocation({ cost: 'literal(x, ∞)', size: 'literal(x, ∞)' }, (call) => {
  const size = literalUint(call.operands[0], MAX_UNITS);
  return allocating(1, { min: size, max: size, element: call.costs.costsAreModelled ? exactly(1n) : undefined });
});

/**
 * Returns the message with which upstream panics if `argument` is not a list. Upstream's cost function converts the argument to a list
 * without a test.
 */
const comparesList =
  (argument: number): Overload['panics'] =>
  (args, costs) => {
    const value = args[argument] as CelValue;
    if (isList(value)) return undefined;
    return `interface conversion: ${goTypeOf(value, costs)} is not traits.Lister: missing method ${hasTrait(value, 'adder') ? 'Contains' : 'Add'}`;
  };

/** Returns the message with which upstream panics if the depth is not an int. */
const readsDepth: Overload['panics'] = (args, costs) => {
  const depth = args[1] as CelValue;
  return isInt(depth) ? undefined : `interface conversion: ref.Val is ${goTypeOf(depth, costs)}, not types.Int`;
};

function squareMeasure(operand: 0 | 1): Measure {
  const square = squareOf(operand);
  const words = [
    { formula: `${BASE} + 2 × ${square}` },
    {
      when: `the first element of ${operand === 0 ? 'x' : 'y'} is a string or bytes`,
      formula: `${BASE} + ⌊${2 + STRING_TRAVERSAL} × ${square}⌋`,
    },
  ];
  return statedMeasure(words, (args) => {
    const list = args[operand] as CelValue;
    const size = costSizeOf(list);
    const first = isList(list) && list.size > 0 ? list.at(0) : undefined;
    const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + STRING_TRAVERSAL : 2;
    return allocatingUnits(factor, size * size);
  });
}

/** Element types of the lists that can be sorted, in cel-go's order. */
const COMPARABLE: readonly (readonly [name: string, type: CelType])[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

const FLATTENING = linear('cel-go ext/lists.go `flatten` (v0.29.2)');
const SORTING = linear('Go sort/slice.go `Slice` (1.26), in cel-go ext/lists.go `sortListByAssociatedKeys` (v0.29.2)');

const sortFactor = (type: CelType): number => (type === STRING || type === BYTES ? 2 + STRING_TRAVERSAL : 2);

/** Functions of the lists library, version 3. Source: cel-go ext/lists.go (v0.29.2). */
export const LIST_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'slice',
    library: 'lists',
    doc: 'The elements from the first index up to the second one, without the element there.',
    examples: ['[1, 2, 3, 4].slice(1, 3) == [2, 3]'],
    overloads: [
      memberOverload('list_slice', [LIST_OF_T, INT, INT], LIST_OF_T, {
        since,
        estimate: estimateSlice,
        measure: measureResult,
        growth: linear('cel-go ext/lists.go `slice` (v0.29.2)'),
        call: slice,
      }),
    ],
  },
  {
    name: 'flatten',
    library: 'lists',
    doc: 'The elements of the lists in a list. The argument is the number of levels, by default one.',
    examples: ['[[1], [2, 3], [4]].flatten() == [1, 2, 3, 4]', '[[[1], [2]], [[3]]].flatten(2) == [1, 2, 3]'],
    guard: 'none',
    overloads: [
      memberOverload('list_flatten', [listOf(LIST_OF_T)], LIST_OF_T, {
        since,
        estimate: allocatesList,
        measure: measureList,
        growth: FLATTENING,
        call: flatten,
      }),
      ...dated(
        memberOverload('list_flatten_int', [listOf(DYN), INT], listOf(DYN), {
          since,
          estimate: estimateFlatten,
          measure: measureDepth,
          growth: FLATTENING,
          call: flatten,
        }),
        [
          { replacedIn: '1.37', parts: { measure: measureAnyDepth, panics: readsDepth } },
          { replacedIn: '1.38', parts: { measure: measureDepthOrOne, panics: readsDepth } },
        ],
      ),
    ],
  },
  {
    name: 'sort',
    library: 'lists',
    doc: 'The elements in ascending order. All must have the same comparable type.',
    examples: ['[3, 2, 1].sort() == [1, 2, 3]', "['b', 'c', 'a'].sort() == ['a', 'b', 'c']"],
    guard: 'lister',
    overloads: COMPARABLE.map(([name, type]) =>
      memberOverload(`list_${name}_sort`, [listOf(type)], listOf(type), {
        since,
        estimate: squareEstimate(sortFactor(type), 0),
        measure: squareMeasure(0),
        panics: comparesList(0),
        growth: SORTING,
        call: withContext((context, list) => sortByKeys(context, list as CelList, list as CelList)),
      }),
    ),
  },
  {
    name: EXPANSION.sortByAssociatedKeys,
    library: 'lists',
    doc: 'A list in the order of the keys of its elements. Only the macro `sortBy` can call it.',
    examples: ["[{'n': 2}, {'n': 1}].sortBy(e, e.n) == [{'n': 1}, {'n': 2}]"],
    guard: 'lister',
    overloads: COMPARABLE.map(([name, type]) =>
      memberOverload(`list_${name}_sortByAssociatedKeys`, [LIST_OF_T, listOf(type)], LIST_OF_T, {
        since,
        estimate: squareEstimate(sortFactor(type), 1),
        measure: squareMeasure(1),
        panics: comparesList(1),
        growth: SORTING,
        call: withContext((context, list, keys) => sortByKeys(context, list as CelList, keys as CelList)),
      }),
    ),
  },
  {
    name: 'lists.range',
    library: 'lists',
    doc: 'The integers from 0 on. The argument is their number, at most a million.',
    examples: ['lists.range(3) == [0, 1, 2]'],
    overloads: [
      globalOverload('lists_range', [INT], listOf(INT), {
        since,
        estimate: estimateRange,
        measure: measureResult,
        growth: linear('cel-go ext/lists.go `genRange` (v0.29.2)'),
        call: listRange,
      }),
    ],
  },
  {
    name: 'reverse',
    library: 'lists',
    doc: 'The elements from last to first.',
    examples: ['[5, 3, 1].reverse() == [1, 3, 5]'],
    overloads: [
      memberOverload('list_reverse', [LIST_OF_T], LIST_OF_T, {
        since,
        estimate: allocatesList,
        measure: measureResult,
        growth: linear('cel-go ext/lists.go `reverseList` (v0.29.2)'),
        call: reverse,
      }),
    ],
  },
  {
    name: 'distinct',
    library: 'lists',
    doc: 'The elements, each value only once.',
    examples: ['[1, 2, 2, 3, 3, 3].distinct() == [1, 2, 3]'],
    overloads: [
      memberOverload('list_distinct', [LIST_OF_T], LIST_OF_T, {
        since,
        estimate: estimateDistinct,
        measure: squareMeasure(0),
        panics: comparesList(0),
        growth: quadratic('cel-go ext/lists.go `distinctList` (v0.29.2)'),
        call: distinct,
      }),
    ],
  },
];
