import { describe, expect, it } from 'vitest';
import { tokenize } from './lexer.ts';

const kinds = (text: string): string | undefined =>
  tokenize(text)
    ?.map(({ kind }) => kind)
    .join(' ');

describe('the lexer', () => {
  it.each([
    ['1 1u 0x1F 0x 1.5 .5 1e3 1.', 'NUM_INT NUM_UINT NUM_INT NUM_INT IDENTIFIER NUM_FLOAT NUM_FLOAT NUM_FLOAT NUM_INT . EOF'],
    [`'a' "b" r'\\' b"x" bR'y' rb`, 'STRING STRING STRING BYTES BYTES IDENTIFIER EOF'],
    [`'''a'b''' """c"""`, 'STRING STRING EOF'],
    ['in true null inner // rest\n&& ||', 'in true null IDENTIFIER && || EOF'],
    ['a.`b-c/d.e f`', 'IDENTIFIER . ESC_IDENTIFIER EOF'],
    ['<= < >= != !', '<= < >= != ! EOF'],
  ])('finds the tokens of %s', (text, expected) => {
    expect(kinds(text)).toBe(expected);
  });

  it('counts the offsets of tokens in code points', () => {
    expect(tokenize("'👑' x")!.map(({ offset }) => offset)).toEqual([0, 4, 5]);
  });
});

it.each(['a # b', 'a & b', "'abc", "'a\\qb'", "'a\nb'", '`a', '`a?`'])('the lexer rejects %j', (text) => {
  expect(tokenize(text)).toBeUndefined();
});
