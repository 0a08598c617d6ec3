import { expect, it } from 'vitest';
import { fieldSelectorText, labelSelectorText } from './table-authorizer.ts';

it.each<[selector: string, text: string]>([
  ['a=b', 'a=b'],
  ['a==b', 'a==b'],
  [' a != b ', 'a!=b'],
  ['b=1,a=2', 'a=2,b=1'],
  ['a in (c, b, c),!d', 'a in (b,c),!d'],
  ['a notin (x)', 'a notin (x)'],
  ['a>1', 'a>1'],
  ['a', 'a'],
  ['a=', 'a='],
  ['a=b,', ''],
  ['a badop b', ''],
  ['a in (', ''],
  ['=b', ''],
])('the label selector %j is parsed as %j', (selector, text) => {
  expect(labelSelectorText(selector)).toBe(text);
});

it.each<[selector: string, text: string]>([
  ['a=b', 'a=b'],
  ['a==b,c!=d', 'a=b,c!=d'],
  [',a=b', 'a=b'],
  ['a=', 'a='],
  ['a', ''],
  ['foo badoperator bar', ''],
])('the field selector %j is parsed as %j', (selector, text) => {
  expect(fieldSelectorText(selector)).toBe(text);
});
