import { expect, it } from 'vitest';
import { causeText } from './cause-text.ts';

it('the text of an error contains the causes of the error', () => {
  const refused = new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')], '');
  expect(causeText(new Error('no Redis', { cause: refused }))).toBe('no Redis: AggregateError: refused by ::1: refused by 127.0.0.1');
  expect(causeText('a text')).toBe('a text');
});
