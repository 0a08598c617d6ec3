import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { js } from '../code/javascript.ts';
import { BOOL_SHAPE, INT_SHAPE } from '../code/shape.ts';
import type { InlineCall } from '../code/site.ts';
import type { Shape } from '../code/shape.ts';

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
