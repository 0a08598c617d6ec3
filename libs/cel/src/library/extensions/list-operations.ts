import { goSort } from '#go';
import { erasedTypeText } from '../../values/convert.ts';
import { equalValues } from '../../values/equality.ts';
import { ArrayList } from '../../values/list.ts';
import { plainKey } from '../../values/membership.ts';
import type { PlainKey } from '../../values/membership.ts';
import { compareValues } from '../../values/ordering.ts';
import { poll } from '../../values/poll.ts';
import { hasTrait, isInt, isList, typeOfValue } from '../../values/type-of.ts';
import { runtimeTypeName } from '../../values/types/format.ts';
import { CelError } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import type { Overload } from '../define.ts';

/** Longest list that `lists.range` makes, since cel-go 0.29. */
const MAX_RANGE = 1_000_000;

function copy(list: CelList, start: number, end: number): CelValue[] {
  const elements: CelValue[] = [];
  for (let i = start; i < end; i++) {
    poll();
    elements.push(list.at(i));
  }
  return elements;
}

export const reverse: Overload['call'] = (list) => {
  const elements = list as CelList;
  return new ArrayList(copy(elements, 0, elements.size).reverse());
};

export const slice: Overload['call'] = (list, start, end) => {
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
export const flatten: Overload['call'] = (list, depth) => {
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
export function sortByKeys(list: CelList, keys: CelList): CelValue {
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

export const range: Overload['call'] = (size) => {
  const count = Number(size);
  if (count < 0) return new CelError(`lists.range: size must be non-negative, got ${String(size)}`);
  if (count > MAX_RANGE) return new CelError(`lists.range: size ${String(size)} exceeds maximum allowed (${MAX_RANGE})`);
  const elements: CelValue[] = [];
  for (let i = 0; i < count; i++) {
    poll();
    elements.push(i);
  }
  return new ArrayList(elements);
};

export const distinct: Overload['call'] = (list) => {
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
