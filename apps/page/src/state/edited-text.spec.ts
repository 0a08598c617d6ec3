import { expect, it } from 'vitest';
import { editedText } from './edited-text.ts';

const edit = (start: readonly [number, number], end: readonly [number, number], newText: string) => ({
  range: { start: { line: start[0], character: start[1] }, end: { line: end[0], character: end[1] } },
  newText,
});

it('makes several edits, in any order', () =>
  expect(editedText('one\ntwo\nthree', [edit([0, 0], [0, 1], 'O'), edit([2, 0], [2, 5], '3')])).toBe('One\ntwo\n3'));

it('joins lines', () => expect(editedText('one\ntwo\n', [edit([0, 3], [1, 0], ' ')])).toBe('one two\n'));

it('stops at the end of a line or text', () => {
  expect(editedText('one\ntwo', [edit([0, 99], [0, 99], '!')])).toBe('one!\ntwo');
  expect(editedText('one\ntwo', [edit([9, 0], [9, 0], '\nthree')])).toBe('one\ntwo\nthree');
});
