import { js } from '../code/javascript.ts';
import { BOOL_SHAPE, DOUBLE_SHAPE, INT_SHAPE } from '../code/shape.ts';
import type { InlineReduction } from '../code/reduction.ts';
import type { Fragment } from '../code/javascript.ts';

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

const isSorted: InlineReduction = (site, count) => {
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
  isSorted,
  sum: sumOfInts,
  max: extreme((item, best) => js`${item} > ${best}`),
  min: extreme((item, best) => js`${item} < ${best}`),
} as const;
