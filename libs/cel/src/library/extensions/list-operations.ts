import { goSort, SeededSet } from '#go';
import { erasedTypeText } from '../../values/convert.ts';
import { equalValues } from '../../values/equality.ts';
import { copyData } from '../../values/copied-list.ts';
import { ArrayList, NativeList } from '../../values/list.ts';
import { plainKey } from '../../values/membership.ts';
import { compareValues } from '../../values/ordering.ts';
import { hasTrait, isInt, isList, typeOfValue } from '../../values/type-of.ts';
import { runtimeTypeName } from '../../values/types/type.ts';
import { CelError } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import { withContext } from '../define.ts';
import type { Overload } from '../define.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';

/** Maximum length of a list created by `lists.range`, since cel-go 0.29. */
const MAX_RANGE = 1_000_000;

function copy(context: EvaluationContext, list: CelList, start: number, end: number): CelValue[] {
  const elements: CelValue[] = [];
  for (let i = start; i < end; i++) {
    context.poll();
    elements.push(list.at(i));
  }
  return elements;
}

/** Implements `list.reverse()`: returns a copy in reverse order. Source: cel-go ext/lists.go `reverseList` (v0.29.2, v0.33.2). */
export const reverse = withContext((context, list) => {
  const elements = list as CelList;
  const { size } = elements;
  if (context.semantics.copiesLoseSchemas) {
    if (size <= 1) return elements;
    const copied = copyData(elements, { start: 0, end: size, reversed: true });
    if (copied !== undefined) return copied;
  }
  return new ArrayList(copy(context, elements, 0, size).reverse());
});

/**
 * Implements `list.slice(start, end)`: returns the elements from index `start` (from 0) up to index `end`, which is excluded. Errors are
 * the same as in upstream. Source: cel-go ext/lists.go `slice` (v0.29.2, v0.33.2).
 */
export const slice = withContext((context, list, start, end) => {
  const elements = list as CelList;
  const [from, to] = [Number(start), Number(end)];
  const call = `cannot slice(${String(start)}, ${String(end)})`;
  if (from < 0 || to < 0) return new CelError(`${call}, negative indexes not supported`);
  if (from > to) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (elements.size < to) return new CelError(`${call}, list is length ${elements.size}`);
  const copied = context.semantics.copiesLoseSchemas ? copyData(elements, { start: from, end: to }) : undefined;
  return copied ?? new ArrayList(copy(context, elements, from, to));
});

/** Functions that copy the raw data of a list of an object if the semantics of the server have `copiesLoseSchemas`. */
export const COPYING_CALLS: ReadonlySet<Overload['call']> = new Set([reverse, slice]);

function flattenInto(context: EvaluationContext, target: CelValue[], list: CelList, depth: number): void {
  for (let i = 0; i < list.size; i++) {
    context.poll();
    const element = list.at(i);
    if (depth > 0 && isList(element)) flattenInto(context, target, element, depth - 1);
    else target.push(element);
  }
}

/**
 * Implements `list.flatten()` and `list.flatten(depth)`. It tests the types of its arguments itself, because the usual type guard would
 * reject a flat list.
 */
export const flatten = withContext((context, list, depth) => {
  const value = list;
  if (!isList(value) || (depth !== undefined && !isInt(depth))) {
    return new CelError(
      `no such overload: ${erasedTypeText(value)}.flatten(${depth === undefined ? '' : erasedTypeText(depth)})`,
      'noSuchOverload',
    );
  }
  if (Number(depth) < 0) return new CelError('level must be non-negative');
  const elements: CelValue[] = [];
  flattenInto(context, elements, value, Number(depth ?? 1));
  return new ArrayList(elements);
});

/**
 * Sorts a list by keys, which must all have the same type. Elements with equal keys have the same order as after Go's sorting algorithm.
 */
export function sortByKeys(context: EvaluationContext, list: CelList, keys: CelList): CelValue {
  if (list.size !== keys.size) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  const values = copy(context, keys, 0, keys.size);
  const first = values[0] as CelValue;
  if (!hasTrait(first, 'comparer')) return new CelError('list elements must be comparable');
  const type = runtimeTypeName(typeOfValue(first));
  if (values.length > 1 && values.some((value) => runtimeTypeName(typeOfValue(value)) !== type)) {
    return new CelError('list elements must have the same type');
  }
  const order = values.map((_, index) => index);
  goSort(order, (a, b) => {
    context.poll();
    return compareValues(values[a] as CelValue, values[b] as CelValue) === -1;
  });
  return new ArrayList(order.map((index) => list.at(index)));
}

/**
 * Implements `lists.range(n)`: returns the ints from 0 to n − 1. A negative or too large `n` is an error. Source: cel-go ext/lists.go
 * `genRange` (v0.29.2).
 */
export const listRange = withContext((context, size) => {
  const count = Number(size);
  if (count < 0) return new CelError(`lists.range: size must be non-negative, got ${String(size)}`);
  if (count > MAX_RANGE) return new CelError(`lists.range: size ${String(size)} exceeds maximum allowed (${MAX_RANGE})`);
  const elements: CelValue[] = [];
  for (let i = 0; i < count; i++) {
    context.poll();
    elements.push(i);
  }
  return new NativeList(elements, 'int');
});

/**
 * Implements `list.distinct()`: returns the list without elements that equal an earlier element. Source: cel-go ext/lists.go `distinctList`
 * (v0.29.2).
 */
export const distinct = withContext((context, list) => {
  const elements = list as CelList;
  if (elements.size === 0) return elements;
  const unique: CelValue[] = [];
  const plain = new SeededSet();
  const others: CelValue[] = [];
  for (let i = 0; i < elements.size; i++) {
    context.poll();
    const value = elements.at(i);
    const key = plainKey(value);
    if (key === undefined ? isAmong(context, others, value) : !plain.add(key)) continue;
    if (key === undefined) others.push(value);
    unique.push(value);
  }
  return new ArrayList(unique);
});

function isAmong(context: EvaluationContext, values: readonly CelValue[], value: CelValue): boolean {
  return values.some((other) => {
    context.poll();
    return equalValues(context, value, other) === true;
  });
}
