import { Float, SeededSet } from '#go';
import { listContains } from './equality.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { Uint } from './value.ts';
import type { CelError, CelList, CelValue } from './value.ts';

/** Key for fast membership tests in lists, see {@link plainKey}. */
export type PlainKey = string | number | boolean | null;

const isExact = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/**
 * Returns a look-up key for strings, bools, null and numbers of at most 2^53 − 1 in absolute value, or undefined for all other values. Two
 * values with keys are equal exactly if their keys are equal, so `1`, `1u` and `1.0` have the same key. A value without a key never equals
 * a value with a key.
 */
export function plainKey(value: CelValue): PlainKey | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return isExact(value) ? value : undefined;
    case 'bigint':
      return undefined;
  }
  if (value === null) return value;
  if (value instanceof Float) return isExact(value.value) ? value.value : undefined;
  if (value instanceof Uint) return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : undefined;
  return undefined;
}

/**
 * Minimum number of expected comparisons for which a list is indexed. For fewer comparisons, the index takes more time to create than it
 * saves.
 */
const MANY = 1000;

/**
 * Returns a function that tests whether a value is in `list`, as {@link listContains} does. `lookups` is the expected number of calls of
 * this function. The list is indexed first if the calls would need at least 1000 comparisons and each element has a {@link plainKey}.
 */
export function indexedMembership(context: EvaluationContext, list: CelList, lookups: number): (value: CelValue) => boolean | CelError {
  const search = (value: CelValue): boolean | CelError => listContains(context, list, value);
  const index = list.size * lookups < MANY ? undefined : plainKeys(context, list);
  if (index === undefined) return search;
  return (value) => {
    context.poll();
    const key = plainKey(value);
    return key === undefined ? search(value) : index.has(key);
  };
}

function plainKeys(context: EvaluationContext, list: CelList): SeededSet | undefined {
  const keys = new SeededSet();
  for (let i = 0; i < list.size; i++) {
    context.poll();
    const key = plainKey(list.at(i));
    if (key === undefined) return undefined;
    keys.add(key);
  }
  return keys;
}
