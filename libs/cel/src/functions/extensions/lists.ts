import { goSort } from '#kube';
import { exactly, MAX_UNITS, multiplyRanges, scaleRange, addRanges } from '../../cost/range.ts';
import type { SizeRange } from '../../cost/range.ts';
import { erasedTypeText } from '../../runtime/convert.ts';
import { equalValues } from '../../runtime/equality.ts';
import { goTypeOf } from '../../runtime/go-type.ts';
import { compareValues } from '../../runtime/ordering.ts';
import { ArrayList } from '../../runtime/list.ts';
import { plainKey } from '../../runtime/membership.ts';
import type { PlainKey } from '../../runtime/membership.ts';
import { poll } from '../../runtime/poll.ts';
import { costSizeOf } from '../../runtime/size.ts';
import { hasTrait, isInt, isList, runtimeTypeName, typeOfValue } from '../../runtime/type-of.ts';
import { CelError } from '../../runtime/value.ts';
import type { CelList, CelValue } from '../../runtime/value.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, STRING, TIMESTAMP, typeParameter, UINT } from '../../types/type.ts';
import type { CelType } from '../../types/type.ts';
import type { CallEstimate, EstimatedCall, EstimatedOperand, FunctionDeclaration, Measure, Overload } from '../define.ts';
import { CALL, LIST_CREATION, sizeEstimate, STRING_TRAVERSAL } from '../formulas.ts';
import { dated, globalOverload, memberOverload } from '../overload.ts';

const T = typeParameter('T');
const LIST_OF_T = listOf(T);
/** Compatibility version of ext lists, version 3. */
const since = 34;
/** Longest list that `lists.range` makes, since cel-go 0.29. */
const MAX_RANGE = 1_000_000;

/** Static cost of a function that builds a list: `factor` units per element of `size`, and the list itself. */
function allocating(factor: number, size: SizeRange): CallEstimate {
  return { cost: addRanges(scaleRange(size, factor), exactly(BigInt(CALL + LIST_CREATION))), resultSize: size };
}

const UINT64_END = 2 ** 64;
/** What amd64 makes of floats that are too large for a uint64. */
const OVERFLOWN = 2 ** 63;

function allocatingUnits(factor: number, size: number): number {
  const units = size * (factor < 0 ? 1 : factor);
  return (units < UINT64_END ? Math.trunc(units) : OVERFLOWN) + CALL + LIST_CREATION;
}

/** Until cel-go 0.29 a negative depth made a call cheaper, down to where the sum wraps around. */
const measureAnyDepth: Measure = (args) =>
  Number(BigInt.asUintN(64, BigInt(CALL + LIST_CREATION) + BigInt(Number(args[1])) * BigInt(costSizeOf(args[0] as CelValue))));

const measureResult: Measure = (_, result) => allocatingUnits(1, costSizeOf(result));

/** The int literal that an operand is, negative ones as 0; `otherwise` when it is something else. */
function literalUint(operand: EstimatedOperand | undefined, otherwise: bigint): bigint {
  const expr = operand?.expr;
  if (expr?.kind !== 'constant' || expr.constant.type !== 'int') return otherwise;
  return expr.constant.value < 0n ? 0n : expr.constant.value;
}

/** Comparing every element with every other one. */
function squareEstimate(factor: number, operand: number): (call: EstimatedCall) => CallEstimate {
  return (call) => {
    const size = sizeEstimate(call, operand);
    return allocating(factor, multiplyRanges(size, size));
  };
}

/** Upstream's price takes the argument for a list without looking. */
const comparesList =
  (argument: number): Overload['panics'] =>
  (args) => {
    const value = args[argument] as CelValue;
    if (isList(value)) return undefined;
    return `interface conversion: ${goTypeOf(value)} is not traits.Lister: missing method ${hasTrait(value, 'adder') ? 'Contains' : 'Add'}`;
  };

/** So does the price of a depth. */
const readsDepth: Overload['panics'] = (args) => {
  const depth = args[1] as CelValue;
  return isInt(depth) ? undefined : `interface conversion: ref.Val is ${goTypeOf(depth)}, not types.Int`;
};

function squareMeasure(operand: number): Measure {
  return (args) => {
    const list = args[operand] as CelValue;
    const size = costSizeOf(list);
    const first = isList(list) && list.size > 0 ? list.at(0) : undefined;
    const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + STRING_TRAVERSAL : 2;
    return allocatingUnits(factor, size * size);
  };
}

function copy(list: CelList, start: number, end: number): CelValue[] {
  const elements: CelValue[] = [];
  for (let i = start; i < end; i++) {
    poll();
    elements.push(list.at(i));
  }
  return elements;
}

const slice: Overload['call'] = (list, start, end) => {
  const elements = list as CelList;
  const [from, to] = [Number(start), Number(end)];
  const call = `cannot slice(${String(start)}, ${String(end)})`;
  if (from < 0 || to < 0) return new CelError(`${call}, negative indexes not supported`);
  if (from > to) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (elements.size < to) return new CelError(`${call}, list is length ${elements.size}`);
  return new ArrayList(copy(elements, from, to));
};

function flattenInto(target: CelValue[], list: CelList, depth: number): void {
  for (let i = 0; i < list.size; i++) {
    poll();
    const element = list.at(i);
    if (depth > 0 && isList(element)) flattenInto(target, element, depth - 1);
    else target.push(element);
  }
}

/** Type guards are off, so that a flat list passes. */
const flatten: Overload['call'] = (list, depth) => {
  const value = list;
  if (!isList(value) || (depth !== undefined && !isInt(depth))) {
    return new CelError(`no such overload: ${erasedTypeText(value)}.flatten(${depth === undefined ? '' : erasedTypeText(depth)})`);
  }
  if (Number(depth) < 0) return new CelError('level must be non-negative');
  const elements: CelValue[] = [];
  flattenInto(elements, value, Number(depth ?? 1));
  return new ArrayList(elements);
};

/** Sorts a list by keys of one type. Where equal keys end up follows from Go's algorithm. */
function sortByKeys(list: CelList, keys: CelList): CelValue {
  if (list.size !== keys.size) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  const values = copy(keys, 0, keys.size);
  const first = values[0] as CelValue;
  if (!hasTrait(first, 'comparer')) return new CelError('list elements must be comparable');
  const type = runtimeTypeName(typeOfValue(first));
  if (values.length > 1 && values.some((value) => runtimeTypeName(typeOfValue(value)) !== type)) {
    return new CelError('list elements must have the same type');
  }
  const order = values.map((_, index) => index);
  goSort(order, (a, b) => {
    poll();
    return compareValues(values[a] as CelValue, values[b] as CelValue) === -1;
  });
  return new ArrayList(order.map((index) => list.at(index)));
}

const range: Overload['call'] = (size) => {
  const count = Number(size);
  if (count < 0) return new CelError(`lists.range: size must be non-negative, got ${String(size)}`);
  if (count > MAX_RANGE) return new CelError(`lists.range: size ${String(size)} exceeds maximum allowed (${MAX_RANGE})`);
  return new ArrayList(Array.from({ length: count }, (_, index) => index));
};

const distinct: Overload['call'] = (list) => {
  const elements = list as CelList;
  if (elements.size === 0) return elements;
  const unique: CelValue[] = [];
  const plain = new Set<PlainKey>();
  const others: CelValue[] = [];
  for (let i = 0; i < elements.size; i++) {
    poll();
    const value = elements.at(i);
    const key = plainKey(value);
    if (key === undefined ? isAmong(others, value) : plain.has(key)) continue;
    if (key === undefined) others.push(value);
    else plain.add(key);
    unique.push(value);
  }
  return new ArrayList(unique);
};

function isAmong(values: readonly CelValue[], value: CelValue): boolean {
  return values.some((other) => {
    poll();
    return equalValues(value, other) === true;
  });
}

/** Types that can be sorted, in cel-go's order. */
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

const sortFactor = (type: CelType): number => (type === STRING || type === BYTES ? 2 + STRING_TRAVERSAL : 2);

/** Lists, version 3. Source: cel-go ext/lists.go (v0.29.2). */
export const LIST_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'slice',
    library: 'lists',
    doc: 'The elements from one index up to another.',
    examples: ['[1, 2, 3, 4].slice(1, 3) == [2, 3]'],
    overloads: [
      memberOverload('list_slice', [LIST_OF_T, INT, INT], LIST_OF_T, {
        since,
        estimate: (call) => {
          const end = literalUint(call.operands[2], sizeEstimate(call, 0).max);
          const size = BigInt.asUintN(64, end - literalUint(call.operands[1], 0n));
          return allocating(1, exactly(size));
        },
        measure: measureResult,
        call: slice,
      }),
    ],
  },
  {
    name: 'flatten',
    library: 'lists',
    doc: 'The elements of the lists in a list, one level deep or as many as given.',
    examples: ['[[1], [2, 3], [4]].flatten() == [1, 2, 3, 4]', '[[[1], [2]], [[3]]].flatten(2) == [1, 2, 3]'],
    guard: 'none',
    overloads: [
      memberOverload('list_flatten', [listOf(LIST_OF_T)], LIST_OF_T, {
        since,
        estimate: (call) => allocating(1, sizeEstimate(call, 0)),
        measure: (args) => allocatingUnits(1, costSizeOf(args[0] as CelValue)),
        call: flatten,
      }),
      ...dated(
        memberOverload('list_flatten_int', [listOf(DYN), INT], listOf(DYN), {
          since,
          estimate: (call) => allocating(Number(literalUint(call.operands[1], MAX_UNITS)), sizeEstimate(call, 0)),
          measure: (args) => allocatingUnits(Number(args[1]), costSizeOf(args[0] as CelValue)),
          panics: readsDepth,
          call: flatten,
        }),
        [{ until: '1.37', parts: { measure: measureAnyDepth } }],
      ),
    ],
  },
  {
    name: 'sort',
    library: 'lists',
    doc: 'The elements in ascending order; they must be of one comparable type.',
    examples: ['[3, 2, 1].sort() == [1, 2, 3]', "['b', 'c', 'a'].sort() == ['a', 'b', 'c']"],
    guard: 'lister',
    overloads: COMPARABLE.map(([name, type]) =>
      memberOverload(`list_${name}_sort`, [listOf(type)], listOf(type), {
        since,
        estimate: squareEstimate(sortFactor(type), 0),
        measure: squareMeasure(0),
        panics: comparesList(0),
        call: (list) => sortByKeys(list as CelList, list as CelList),
      }),
    ),
  },
  {
    name: '@sortByAssociatedKeys',
    library: 'lists',
    doc: 'What `sortBy` expands to: a list sorted by the keys computed for its elements.',
    examples: ["[{'n': 2}, {'n': 1}].sortBy(e, e.n) == [{'n': 1}, {'n': 2}]"],
    guard: 'lister',
    overloads: COMPARABLE.map(([name, type]) =>
      memberOverload(`list_${name}_sortByAssociatedKeys`, [LIST_OF_T, listOf(type)], LIST_OF_T, {
        since,
        estimate: squareEstimate(sortFactor(type), 1),
        measure: squareMeasure(1),
        panics: comparesList(1),
        call: (list, keys) => sortByKeys(list as CelList, keys as CelList),
      }),
    ),
  },
  {
    name: 'lists.range',
    library: 'lists',
    doc: 'The integers from 0 up to a size of at most a million.',
    examples: ['lists.range(3) == [0, 1, 2]'],
    overloads: [
      globalOverload('lists_range', [INT], listOf(INT), {
        since,
        estimate: (call) => allocating(1, exactly(literalUint(call.operands[0], MAX_UNITS))),
        measure: measureResult,
        call: range,
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
        estimate: (call) => allocating(1, sizeEstimate(call, 0)),
        measure: measureResult,
        call: (list) => new ArrayList(copy(list as CelList, 0, (list as CelList).size).reverse()),
      }),
    ],
  },
  {
    name: 'distinct',
    library: 'lists',
    doc: 'The elements without those that equal an earlier one.',
    examples: ['[1, 2, 2, 3, 3, 3].distinct() == [1, 2, 3]'],
    overloads: [
      memberOverload('list_distinct', [LIST_OF_T], LIST_OF_T, {
        since,
        estimate: squareEstimate(2, 0),
        measure: squareMeasure(0),
        panics: comparesList(0),
        call: distinct,
      }),
    ],
  },
];
