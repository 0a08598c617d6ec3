import { expect, it } from 'vitest';
import { changeBetween } from './change-between.ts';

it.each([
  ['an insertion', 'ac', 'abc', { from: 1, to: 1, insert: 'b' }],
  ['a deletion', 'abc', 'ac', { from: 1, to: 2, insert: '' }],
  ['an insertion among equal characters', 'aa', 'aaa', { from: 2, to: 2, insert: 'a' }],
  ['a whole text', '', 'abc', { from: 0, to: 0, insert: 'abc' }],
  ['no change', 'abc', 'abc', undefined],
])('finds the smallest change: %s', (_, before, after, change) => expect(changeBetween(before, after)).toEqual(change));
