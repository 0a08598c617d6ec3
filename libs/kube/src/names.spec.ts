import { describe, expect, it } from 'vitest';
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegmentName,
  checkQualifiedName,
} from './names.ts';

describe('checks of names', () => {
  it.each([
    [checkDns1123Label, ['a', 'a-1', '1'], ['', '-a', 'A', 'a.b', 'a'.repeat(64)]],
    [checkDns1123Subdomain, ['a.b', '1.2', 'a'.repeat(253)], ['', 'a..b', '.a', 'a_b', 'a'.repeat(254)]],
    [checkDns1035Label, ['a', 'a-1'], ['', '1a', 'a.b']],
    [checkQualifiedName, ['a', 'example.com/A_b.c'], ['', '/a', 'a/b/c', 'EXAMPLE.com/a', 'a/']],
    [checkLabelValue, ['', 'a', 'A_b-c.d'], ['-', 'a/b', 'a'.repeat(64)]],
    [checkPathSegmentName, ['a', '', 'ä'], ['.', '..', 'a/b', 'a%b']],
  ])('accept valid names and reject invalid names: %o', (check, good, bad) => {
    for (const name of good) expect(check(name), name).toEqual([]);
    for (const name of bad) expect(check(name), name).not.toEqual([]);
  });

  it('report all errors of one name', () => {
    expect(checkDns1123Label(`-${'a'.repeat(63)}`)).toEqual([
      'must be no more than 63 characters',
      expect.stringMatching(/^a lowercase RFC 1123 label must consist of/),
    ]);
  });
});
