import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRedisAddress, redisAddressOf } from './redis-address.ts';

const open = { username: undefined, password: undefined, tls: undefined };

describe('the URL of a Redis server', () => {
  it.each([
    ['redis://localhost', { ...open, kind: 'server', nodes: [{ host: 'localhost', port: 6379 }], db: 0 }],
    ['redis://[::1]:7000/3', { ...open, kind: 'server', nodes: [{ host: '::1', port: 7000 }], db: 3 }],
    ['rediss://:p%40ss@r:1', { ...open, password: 'p@ss', tls: {}, kind: 'server', nodes: [{ host: 'r', port: 1 }], db: 0 }],
    ['redis://assay:a:b@r/', { ...open, username: 'assay', password: 'a:b', kind: 'server', nodes: [{ host: 'r', port: 6379 }], db: 0 }],
    [
      'redis+cluster://a:1,b',
      {
        ...open,
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
        ],
      },
    ],
    [
      'rediss+sentinel://u:p@a,b:2/main/4',
      {
        username: 'u',
        password: 'p',
        tls: {},
        kind: 'sentinel',
        nodes: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 2 },
        ],
        master: 'main',
        db: 4,
        sentinelPassword: undefined,
      },
    ],
  ])('%s gives the expected address', (url, address) => {
    expect(readRedisAddress(url)).toEqual({ ok: true, address });
  });

  it.each([
    ['not-a-url', /must have the form/],
    ['http://localhost:6379', /must have the form/],
    ['redis://', /must have the form/],
    ['redis://h?db=1', /must have the form/],
    ['redis://h/x', /database must be a number/],
    ['redis://h:99999', /must name hosts/],
    ['redis://h:x', /must name hosts/],
    ['redis://a,b', /several hosts need/],
    ['redis://%zz@h', /percent-encoded/],
    ['redis+sentinel://a:1', /master/],
    ['redis+cluster://a:1/2', /no databases/],
  ])('%s is rejected, without the URL in the error', (url, words) => {
    const read = readRedisAddress(url.replace('//', '//user:s3cret@').replace('user:s3cret@%zz@', '%zz:s3cret@'));
    expect(read).toMatchObject({ ok: false, problem: expect.stringMatching(words) as string });
    expect(JSON.stringify(read)).not.toContain('s3cret');
  });
});

describe('files that add secrets and certificates to a Redis address', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-settings-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('are read into the address', () => {
    const address = redisAddressOf('rediss+sentinel://assay@s/main', {
      password: file('password', 'word\n'),
      sentinelPassword: file('sentinel', 'other'),
      ca: file('ca', 'PEM'),
    });
    expect(address).toMatchObject({ username: 'assay', password: 'word', sentinelPassword: 'other', tls: { ca: 'PEM' } });
  });

  it.each([
    ['redis://h', { password: join(folder, 'none') }, /^ASSAY_REDIS_PASSWORD_FILE: .* cannot be read$/],
    ['redis://h', { ca: file('ca', 'PEM') }, /scheme must be rediss/],
    ['rediss://h', { key: file('key', 'PEM') }, /go together/],
    ['redis://h', { sentinelPassword: file('p', 'x') }, /names no sentinels/],
    ['http://h', {}, /^ASSAY_REDIS_URL: /],
  ])('%s with %o is rejected, and the error names the file', (url, variables, words) => {
    expect(() => redisAddressOf(url, variables)).toThrow(words);
  });
});
