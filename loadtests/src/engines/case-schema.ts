import { EMPTY_SCHEMA } from '#cel';
import type { ValueSchema } from '#cel';
import type { CelCase } from './cel-cases.ts';

const scalar = (type: string): ValueSchema => ({ ...EMPTY_SCHEMA, type });
const object = (properties: Record<string, ValueSchema>): ValueSchema => ({
  ...EMPTY_SCHEMA,
  type: 'object',
  properties: new Map(Object.entries(properties)),
});
const listOf = (items: ValueSchema): ValueSchema => ({ ...EMPTY_SCHEMA, type: 'array', items });
const ITEMS: Readonly<Record<CelCase['data'], ValueSchema>> = {
  ints: scalar('integer'),
  strs: scalar('string'),
  objs: object({ a: scalar('integer'), b: scalar('integer'), name: scalar('string') }),
};

/** The schema of a case's `self`: the element for rules at items, else an object with the list. */
export function caseSchema({ data, perItem = false }: Pick<CelCase, 'data' | 'perItem'>): ValueSchema {
  return perItem ? ITEMS[data] : object({ list: listOf(ITEMS[data]) });
}
