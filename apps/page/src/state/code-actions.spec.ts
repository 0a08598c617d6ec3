import { expect, it } from 'vitest';
import { editedText, offeredActions } from './code-actions.ts';

it('the menu keeps only the first of the actions that set bounds', () => {
  const actions = [
    'Quote the value',
    'Set maxItems: 288 of names, maxLength: 290 of names[*]',
    'Set maxItems: 5 of names',
    'Replace a with b',
  ];
  const offered = offeredActions(actions.map((title) => ({ title, edits: [] })));
  expect(offered.map(({ title }) => title)).toEqual([actions[0], actions[1], actions[3]]);
});

const edit = (start: readonly [number, number], end: readonly [number, number], newText: string) => ({
  range: { start: { line: start[0], character: start[1] }, end: { line: end[0], character: end[1] } },
  newText,
});

it('an action makes several edits, in any order', () =>
  expect(editedText('one\ntwo\nthree', [edit([0, 0], [0, 1], 'O'), edit([2, 0], [2, 5], '3')])).toBe('One\ntwo\n3'));

it('an action joins lines', () => expect(editedText('one\ntwo\n', [edit([0, 3], [1, 0], ' ')])).toBe('one two\n'));

it('an action stops at the end of a line or text', () => {
  expect(editedText('one\ntwo', [edit([0, 99], [0, 99], '!')])).toBe('one!\ntwo');
  expect(editedText('one\ntwo', [edit([9, 0], [9, 0], '\nthree')])).toBe('one\ntwo\nthree');
});
