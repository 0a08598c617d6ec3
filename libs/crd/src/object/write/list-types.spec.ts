import { Float } from '#go';
import type { JsonValue } from '#go';
import { expect, it } from 'vitest';
import { collidingDoubles, collidingIntegers } from '../../../../../testing/colliding-words.ts';
import { nativeNumberKeys } from '../../../../../testing/native-keys.ts';
import { EMPTY_STRUCTURAL } from '../../structural/from-schema.ts';
import { validateListTypes } from './list-types.ts';
import { Polls } from './polls.ts';

const set = { ...EMPTY_STRUCTURAL, type: 'array', listType: 'set' } as const;

/** Returns the paths of the duplicates in a set. */
const repeatedIn = (list: readonly JsonValue[]): readonly string[] =>
  validateListTypes([...list], set, new Polls(undefined)).map(({ field }) => field);

it('a set distinguishes values by type and value, and each duplicate is reported once', () => {
  const values = [
    1,
    '1',
    new Float(1),
    true,
    1.5,
    2n ** 60n,
    null,
    '1',
    'other',
    [1],
    1,
    1,
    new Float(1),
    new Float(1),
    2n ** 60n,
    null,
    [1],
    -0.5,
    -0.5,
  ];
  expect(repeatedIn(values)).toEqual(['[7]', '[10]', '[12]', '[14]', '[15]', '[16]', '[18]']);
});

it.each<readonly [string, readonly JsonValue[]]>([
  ['doubles', collidingDoubles(2000)],
  ['integers', collidingIntegers(2000)],
])('checking a set puts no %s from a client into hash tables without a seed', (_, list) => {
  const keys = nativeNumberKeys(() => {
    expect(repeatedIn(list)).toEqual([]);
  });
  expect(keys).toBeLessThan(100);
});
