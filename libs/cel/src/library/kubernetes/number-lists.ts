import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { js } from '../code/javascript.ts';
import type { Fragment } from '../code/javascript.ts';
import { BOOL_SHAPE, DOUBLE_SHAPE, INT_SHAPE } from '../code/shape.ts';
import type { Shape } from '../code/shape.ts';
import type { InlineCall, InlineReduction } from '../code/site.ts';

/** Bit mask for list indexes: `index & STRETCH` is 0 for every 4096th index. At these indexes, the loops check the cancellation token. */
const STRETCH = 0xfff;

/**
 * Function on a list of ints for generated code. It returns undefined for an error or a value that is not a safe integer. The interpreter
 * then evaluates the call.
 */
type IntListFunction = (list: ArrayLike<unknown>, run: EvaluationContext) => number | boolean | undefined;

const isSorted: IntListFunction = (list, run) => {
  let previous = Number.NEGATIVE_INFINITY;
  let ascends = true;
  for (let i = 0; i < list.length; i++) {
    if ((i & STRETCH) === 0) run.spend(STRETCH);
    const item = list[i];
    if (typeof item !== 'number') return undefined;
    if (previous > item) ascends = false;
    previous = item;
  }
  return ascends;
};

const sum: IntListFunction = (list, run) => {
  let total = 0;
  for (let i = 0; i < list.length; i++) {
    if ((i & STRETCH) === 0) run.spend(STRETCH);
    const item = list[i];
    if (typeof item !== 'number') return undefined;
    total += item;
    if (!Number.isSafeInteger(total)) return undefined;
  }
  return total;
};

const max: IntListFunction = (list, run) => {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < list.length; i++) {
    if ((i & STRETCH) === 0) run.spend(STRETCH);
    const item = list[i];
    if (typeof item !== 'number') return undefined;
    if (item > best) best = item;
  }
  return list.length === 0 ? undefined : best;
};

const min: IntListFunction = (list, run) => {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < list.length; i++) {
    if ((i & STRETCH) === 0) run.spend(STRETCH);
    const item = list[i];
    if (typeof item !== 'number') return undefined;
    if (item < best) best = item;
  }
  return list.length === 0 ? undefined : best;
};

const onInts =
  (apply: IntListFunction, result: Shape): InlineCall =>
  (site, [list]) => {
    const { code, shape } = list!;
    if (shape.kind !== 'rawList' && shape.kind !== 'array' && shape.kind !== 'intColumn') return undefined;
    site.runsLong = true;
    const ints = shape.kind === 'intColumn' ? js`${code}.values` : code;
    const value = site.hold('value', js`${site.constants.name(apply)}(${ints}, run)`);
    site.writer.bail(js`${value} === undefined`);
    return { code: value, shape: result };
  };

/**
 * Emitters of inline code for functions of Kubernetes' list library. They support lists of ints that generated code reads as JavaScript
 * arrays of numbers.
 */
export const INLINE_INT_LISTS = {
  isSorted: onInts(isSorted, BOOL_SHAPE),
  sum: onInts(sum, INT_SHAPE),
  max: onInts(max, INT_SHAPE),
  min: onInts(min, INT_SHAPE),
} as const;

/**
 * Reduction that computes the sum of ints. If any partial sum is beyond the safe integer range, the code returns undefined, and the
 * interpreter evaluates the expression.
 */
const sumOfInts: InlineReduction = (site) => {
  const total = site.declare('value', js`0`);
  return {
    take({ code }) {
      site.writer.line(js`${total} += ${code};`);
      site.writer.bail(js`!Number.isSafeInteger(${total})`);
    },
    result: () => ({ code: total, shape: INT_SHAPE }),
  };
};

/** Emitter of code that sums the doubles of a list one by one. The sum of an empty list is 0, not −0. */
export const sumOfDoubles: InlineReduction = (site) => {
  const total = site.declare('value', js`0`);
  return {
    take: ({ code }) => site.writer.line(js`${total} += ${code};`),
    result: () => ({ code: total, shape: DOUBLE_SHAPE }),
  };
};

/**
 * Returns a reduction that finds the greatest or the smallest int. For an empty list, the code returns undefined, and the interpreter
 * produces the error message.
 */
const extreme =
  (wins: (item: Fragment, best: Fragment) => Fragment): InlineReduction =>
  (site, count) => {
    const best = site.declare('value', js`0`);
    return {
      take: ({ code }) => site.writer.line(js`if (${count} === 0 || ${wins(code, best)}) ${best} = ${code};`),
      result() {
        site.writer.bail(js`${count} === 0`);
        return { code: best, shape: INT_SHAPE };
      },
    };
  };

const areSorted: InlineReduction = (site, count) => {
  const previous = site.declare('value', js`0`);
  const ascends = site.declare('test', js`true`);
  return {
    take({ code }) {
      site.writer.line(js`if (${count} > 0 && ${previous} > ${code}) ${ascends} = false;`);
      site.writer.line(js`${previous} = ${code};`);
    },
    result: () => ({ code: ascends, shape: BOOL_SHAPE }),
  };
};

/**
 * Code emitters for functions of Kubernetes' list library that are called on a list of ints that a macro creates, such as
 * `list.map(…).sum()`. The emitted code processes the ints one by one, so that the list is never created.
 */
export const INT_REDUCTIONS = {
  isSorted: areSorted,
  sum: sumOfInts,
  max: extreme((item, best) => js`${item} > ${best}`),
  min: extreme((item, best) => js`${item} < ${best}`),
} as const;
