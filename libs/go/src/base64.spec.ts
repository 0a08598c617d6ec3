import { describe, expect, it } from 'vitest';
import { decodeBase64, decodeBase64Url } from './base64.ts';
import { utf8Text } from './bytes.ts';

describe('decodeBase64', () => {
  it.each([
    ['', ''],
    ['YQ==', 'a'],
    ['YWI=\n', 'ab'],
    ['YR==', 'a'],
    ['Y\nWJ\rj', 'abc'],
    ['YQ=\r\n=\n', 'a'],
  ])('%j is %j', (text, bytes) => {
    const decoded = decodeBase64(text);
    expect(decoded.ok && utf8Text(decoded.bytes)).toBe(bytes);
  });

  it.each([
    ['YQ', 0],
    ['!!!!', 0],
    ['YQ=', 3],
    ['YQ==x', 4],
    ['YQ=\n', 4],
    ['YWI\n', 1],
    ['Yé==', 1],
    ['YWJj=', 4],
    ['a_b-', 1],
  ])('rejects %j at byte %i', (text, at) => {
    expect(decodeBase64(text)).toEqual({ ok: false, error: `illegal base64 data at input byte ${at}` });
  });

  it('uses another alphabet in URLs', () => {
    expect([decodeBase64('a/b+').ok, decodeBase64Url('a/b+').ok, decodeBase64Url('a_b-').ok]).toEqual([true, false, true]);
  });
});
