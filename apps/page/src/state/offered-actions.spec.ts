import { expect, it } from 'vitest';
import { offeredActions } from './offered-actions.ts';

it('keeps only the first of the actions that set bounds', () => {
  const actions = [
    'Quote the value',
    'Set maxItems: 288 of names, maxLength: 290 of names[*]',
    'Set maxItems: 5 of names',
    'Replace a with b',
  ];
  const offered = offeredActions(actions.map((title) => ({ title, edits: [] })));
  expect(offered.map(({ title }) => title)).toEqual([actions[0], actions[1], actions[3]]);
});
