import { describe, expect, it } from 'vitest';
import { longestOfFormat, stringFormat } from './format.ts';

const MINOR = 37;

describe('formats of strings', () => {
  it.each([
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-9', '']],
    ['date-time', ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.5+01:00'], ['2024-01-01', 'now']],
    ['duration', ['1h30m', '-1.5s', '3 days', '3\t days'], ['', '1', 'soon', '3\u00a0days']],
    ['ipv4', ['127.0.0.1', '0000000000010.1.2.3', '00001::1.2.3.4'], ['127.0.0', '::1', '256.0.0.1']],
    ['ipv6', ['::1', '2001:db8::1'], ['127.0.0.1', ':::', '00001::']],
    ['cidr', ['10.0.0.0/8', '::/0', '02001:d8::/32'], ['10.0.0.0', '10.0.0.0/33']],
    [
      'mac',
      ['01:02:03:04:05:06', '0102.0304.0506', '00005E005301', '0123456789abcdef'],
      ['01:02:03:04:05', 'x', '00005e0053', '00005e00530z'],
    ],
    ['uuid', ['a8098c1a-f86e-11da-bd1a-00112444be1e'], ['a8098c1a', '']],
    [
      'email',
      [
        'a@b.c',
        'A <a@b.c>',
        '=?utf-8?q?a?= <a@b>',
        '=?x?q?a <a@b>',
        '=?utf-8?q?=?= <a@b>',
        'A =?other?q?a?= <a@b>',
        'A (c) B <a@b>',
        '=?utf-8?b??= A <a@b>',
      ],
      ['a', 'a@', '@b', '=?other?q?a?= <a@b>', '=?utf-8?q??= <a@b>', '=?utf-8?q?a?= (c) <a@b>', 'A =?other?q?a?= B <a@b>'],
    ],
    ['hostname', ['example.com', 'a'], ['-a', 'a..b']],
    ['byte', ['aGk='], ['a', '!!!!']],
    ['hexcolor', ['#fff', '#ABCDEF'], ['#ff', 'red']],
    ['isbn', ['978-3-16-148410-0', '0-306-40615-2'], ['978-3-16-148410-1', '1']],
  ])('%s accepts the valid texts and rejects the invalid texts', (name, good, bad) => {
    const check = stringFormat(name, MINOR);
    for (const text of good) expect(check?.(text), text).toBe(true);
    for (const text of bad) expect(check?.(text), text).toBe(false);
  });

  it('k8s-short-name checks texts only since the version in which a server checks them', () => {
    expect(stringFormat('k8s-short-name', 30)).toBeUndefined();
    expect(stringFormat('k8s-short-name', MINOR)?.('a-b')).toBe(true);
    expect(stringFormat('unheard-of', MINOR)).toBeUndefined();
  });

  it.each([
    ['bsonobjectid', '0123456789abcdef01234567'],
    ['hostname', `${'a'.repeat(63)}.${'a'.repeat(63)}.${'a'.repeat(63)}.${'a'.repeat(63)}`],
    ['ipv6', '2001:0db8:0000:0000:0000:0000:255.255.255.255'],
    ['mac', Array.from({ length: 20 }, () => '0a').join(':')],
    ['uuid', 'a8098c1a-f86e-11da-bd1a-00112444be1e'],
    ['uuid4', 'a8098c1a-f86e-41da-bd1a-00112444be1e'],
    ['ssn', '123-45-6789'],
    ['hexcolor', '#ABCDEF'],
    ['k8s-short-name', 'a'.repeat(63)],
    ['k8s-long-name', `${'a.'.repeat(126)}a`],
  ])('the longest text of the format %s has the computed length', (name, longest) => {
    expect([longestOfFormat(name, MINOR), stringFormat(name, MINOR)?.(longest)]).toEqual([longest.length, true]);
    for (const more of ['a', '0', '.a', ':0', '-0']) expect(stringFormat(name, MINOR)?.(longest + more), more).toBe(false);
  });

  it('have no computed longest length if they are unbounded or if a server does not check them', () => {
    expect(['uri', 'isbn', 'creditcard', 'rgbcolor', 'ipv4', 'cidr', 'unheard-of'].map((name) => longestOfFormat(name, MINOR))).toEqual(
      Array.from({ length: 7 }),
    );
    expect([34, 35].map((minor) => longestOfFormat('k8s-short-name', minor))).toEqual([undefined, 63]);
  });
});
