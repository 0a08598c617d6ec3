import { Float } from '#go';
import { addRanges, exactly, multiplyRanges, UNKNOWN_SIZE } from '../range.ts';
import { add } from '../../values/arithmetic.ts';
import { equalValues } from '../../values/equality.ts';
import { compareValues } from '../../values/ordering.ts';
import { hasTrait, isList } from '../../values/type-of.ts';
import { CelError, Duration, noSuchOverload, Uint } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  STRING,
  TIMESTAMP,
  typeParameter,
  typeParameters,
  UINT,
} from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type {
  CallEstimate,
  Clause,
  Estimate,
  EstimatedCall,
  EstimatedOperand,
  FunctionDeclaration,
  ContextCall,
  Overload,
} from '../define.ts';
import { withContext } from '../define.ts';
import { INLINE_INT_LISTS, INT_REDUCTIONS, sumOfDoubles } from './number-lists.ts';
import { scanEstimate, traversesFirst, traversesNumbers } from '../formulas.ts';
import { linear, memberOverload } from '../overload.ts';
import { always, sizeEstimate, statedEstimate } from '../price.ts';

const A = typeParameter('A');

type NamedType = readonly [name: string, type: CelType];

const SUMMABLE: readonly (readonly [...NamedType, zero: CelValue])[] = [
  ['int', INT, 0],
  ['uint', UINT, new Uint(0n)],
  ['double', DOUBLE, new Float(0)],
  ['duration', DURATION, new Duration(0n)],
];

const COMPARABLE: readonly NamedType[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

const ONE = exactly(1n);

const WALK = linear('k8s.io/apiserver/pkg/cel/library/lists.go `isSorted`, `sum`, `cmp`, `indexOf` (1.37)');

/**
 * Returns the estimated cost of visiting all elements: one unit per element, plus a traversal of each element that is a string or bytes.
 * Returns undefined if the element type is unknown. Source: library/cost.go (1.37).
 */
function estimateElements(call: EstimatedCall): CallEstimate | undefined {
  const list = call.operands[0] as EstimatedOperand;
  const element = typeParameters(list.type)[0];
  if (element === undefined) return undefined;
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const perElement = isText ? addRanges(ONE, scanEstimate(list.elementSize ?? UNKNOWN_SIZE)) : ONE;
  return { cost: multiplyRanges(sizeEstimate(call, 0), perElement) };
}

const PER_ELEMENT = 'size(x)';
const PER_TEXT = 'size(x) × (1 + ⌈0.1 × size(element)⌉)';
const UNSEEN: Clause = { when: 'x is dyn', formula: '⌈0.1 × size(x)⌉' };

/**
 * Returns the estimate of a list function. If the operand's type is not known to be a list, the estimate treats the operand as a string.
 */
const estimateList = (clauses: readonly Clause[]): Estimate =>
  statedEstimate({ cost: always([...clauses, UNSEEN]) }, (call) => estimateElements(call) ?? { cost: scanEstimate(sizeEstimate(call, 0)) });

/** Returns the estimate, run-time cost and growth of a list function for lists with the element type `element`. */
const pricedBy = (element: CelType): Required<Pick<Overload, 'estimate' | 'measure' | 'growth'>> => ({
  estimate: estimateList([{ formula: element === STRING || element === BYTES ? PER_TEXT : PER_ELEMENT }]),
  growth: WALK,
  measure: element === INT || element === DOUBLE ? traversesNumbers : traversesFirst,
});

/**
 * Returns the implementations of a list function in generated code. The result is empty if generated code has no implementation for the
 * element type.
 */
const onNumbers = (element: CelType, name: keyof typeof INLINE_INT_LISTS): Pick<Overload, 'inline' | 'reduce'> => {
  if (element === INT) return { inline: INLINE_INT_LISTS[name], reduce: INT_REDUCTIONS[name] };
  return element === DOUBLE && name === 'sum' ? { reduce: sumOfDoubles } : {};
};

/** Estimate, run-time cost and growth of searching an element in a list of any type. */
const search = {
  estimate: estimateList([{ formula: PER_ELEMENT }, { when: 'x is a list of strings or bytes', formula: PER_TEXT }]),
  measure: traversesFirst,
  growth: WALK,
};

/** Estimate of `includes`, which accepts a receiver of any type. */
const estimateIncludes = statedEstimate(
  { cost: always([{ formula: PER_ELEMENT }, { when: 'x is a list of strings or bytes, or a map with such keys', formula: PER_TEXT }]) },
  (call) => estimateElements(call) ?? { cost: sizeEstimate(call, 0) },
);

const isSorted = withContext((context, list) => {
  const elements = list as CelList;
  let previous: CelValue | undefined;
  for (let i = 0; i < elements.size; i++) {
    context.poll();
    const element = elements.at(i);
    if (!hasTrait(element, 'comparer')) return noSuchOverload(element);
    if (previous !== undefined && compareValues(previous, element) === 1) return false;
    previous = element;
  }
  return true;
});

function sum(zero: CelValue): ContextCall {
  return withContext((context, list) => {
    const elements = list as CelList;
    let total = zero;
    for (let i = 0; i < elements.size; i++) {
      context.poll();
      const element = elements.at(i);
      if (!hasTrait(element, 'adder')) return noSuchOverload(element);
      total = add(context, total, element);
      if (!hasTrait(total, 'adder')) return noSuchOverload(total);
    }
    return total;
  });
}

/**
 * Returns an implementation that finds the greatest or smallest element of a list. A later element replaces the best element so far if the
 * comparison of the best element with it returns `loses`.
 */
function extreme(name: string, loses: -1 | 1): ContextCall {
  return withContext((context, list) => {
    const elements = list as CelList;
    let best: CelValue | undefined;
    for (let i = 0; i < elements.size; i++) {
      context.poll();
      const element = elements.at(i);
      if (!hasTrait(element, 'comparer')) return noSuchOverload(element);
      if (best === undefined || compareValues(best, element) === loses) best = element;
    }
    return best === undefined ? new CelError(`${name} called on empty list`) : best;
  });
}

const indexOf = withContext((context, list, item) => {
  const elements = list as CelList;
  for (let i = 0; i < elements.size; i++) {
    context.poll();
    if (equalValues(context, elements.at(i), item) === true) return i;
  }
  return -1;
});

const lastIndexOf = withContext((context, list, item) => {
  const elements = list as CelList;
  for (let i = elements.size - 1; i >= 0; i--) {
    context.poll();
    if (equalValues(context, elements.at(i), item) === true) return i;
  }
  return -1;
});

const includes = withContext((context, target, item) => {
  const value = target;
  return isList(value) ? indexOf.apply(context, value, item) !== -1 : equalValues(context, value, item) === true;
});

/** Declarations of version 1 of the Kubernetes list library. Source: k8s.io/apiserver/pkg/cel/library/lists.go (1.37). */
export const KUBERNETES_LIST_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'isSorted',
    library: 'kubernetes.lists',
    doc: 'True if the elements are in ascending order.',
    examples: ['[1, 2, 3].isSorted()', "!['b', 'a'].isSorted()"],
    measure: traversesFirst,
    overloads: COMPARABLE.map(([name, type]) =>
      memberOverload(`list_${name}_is_sorted_bool`, [listOf(type)], BOOL, {
        ...pricedBy(type),
        ...onNumbers(type, 'isSorted'),
        call: isSorted,
      }),
    ),
  },
  {
    name: 'sum',
    library: 'kubernetes.lists',
    doc: 'The sum of the elements; 0 for an empty list.',
    examples: ['[1, 3].sum() == 4', '[1.0, 3.0].sum() == 4.0', "[duration('1m'), duration('1s')].sum() == duration('1m1s')"],
    measure: traversesFirst,
    overloads: SUMMABLE.map(([name, type, zero]) =>
      memberOverload(`list_${name}_sum_${name}`, [listOf(type)], type, { ...pricedBy(type), ...onNumbers(type, 'sum'), call: sum(zero) }),
    ),
  },
  {
    name: 'max',
    library: 'kubernetes.lists',
    doc: 'The largest element; an error for an empty list.',
    examples: ['[1, 3].max() == 3', ["['a', 'c', 'b'].max()", "'c'"]],
    measure: traversesFirst,
    overloads: COMPARABLE.map(([name, type]) =>
      memberOverload(`list_${name}_max_${name}`, [listOf(type)], type, {
        ...pricedBy(type),
        ...onNumbers(type, 'max'),
        call: extreme('max', -1),
      }),
    ),
  },
  {
    name: 'min',
    library: 'kubernetes.lists',
    doc: 'The smallest element; an error for an empty list.',
    examples: ['[1, 3].min() == 1'],
    measure: traversesFirst,
    overloads: COMPARABLE.map(([name, type]) =>
      memberOverload(`list_${name}_min_${name}`, [listOf(type)], type, {
        ...pricedBy(type),
        ...onNumbers(type, 'min'),
        call: extreme('min', 1),
      }),
    ),
  },
  {
    name: 'indexOf',
    library: 'kubernetes.lists',
    doc: 'Index of the first element that equals a value; -1 if there is none.',
    examples: ['[1, 2, 2, 3].indexOf(2) == 1', "['a'].indexOf('b') == -1"],
    measure: traversesFirst,
    overloads: [memberOverload('list_a_index_of_int', [listOf(A), A], INT, { ...search, call: indexOf })],
  },
  {
    name: 'lastIndexOf',
    library: 'kubernetes.lists',
    doc: 'Index of the last element that equals a value; -1 if there is none.',
    examples: ['[1, 2, 2, 3].lastIndexOf(2) == 2'],
    measure: traversesFirst,
    overloads: [memberOverload('list_a_last_index_of_int', [listOf(A), A], INT, { ...search, call: lastIndexOf })],
  },
];

/** Declaration of `includes`, which version 1 of the Kubernetes list library introduces. */
export const INCLUDES: FunctionDeclaration = {
  name: 'includes',
  library: 'kubernetes.lists',
  doc: 'True if a list contains a value. If the receiver is no list: true if it equals the value.',
  examples: ['[1, 2, 3].includes(2)', "'a'.includes('a')", '!dyn(1).includes(2)'],
  measure: traversesFirst,
  overloads: [
    memberOverload('list_includes_dyn_dyn', [DYN, DYN], BOOL, {
      estimate: estimateIncludes,
      measure: traversesFirst,
      growth: WALK,
      since: 37,
      call: includes,
    }),
  ],
};
