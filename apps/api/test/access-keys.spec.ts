import { describe, expect, it } from 'vitest';
import { exposureWarnings } from '../src/access/exposure.ts';
import { findKey, presentedToken, readAccessKeys } from '../src/access/access-keys.ts';
import { TokenBucket } from '../src/access/token-bucket.ts';
import { readApiConfig } from '../src/config.ts';
import { fileOf, keysFile, sha256 } from './keys-file.ts';

const alpha = { name: 'alpha', sha256: sha256('token-of-alpha') };
const beta = { name: 'beta', sha256: sha256('token-of-beta') };

describe('the keys file', () => {
  it('may be YAML or JSON, and the service stores only digests of the keys', () => {
    const yaml = fileOf(
      `# who may ask\n- name: alpha\n  sha256: ${alpha.sha256.toUpperCase()}\n  requestsPerSecond: 0.5\n  allowUnlimited: true\n`,
    );
    expect(readAccessKeys(yaml)).toEqual([
      { name: 'alpha', sha256: Buffer.from(alpha.sha256, 'hex'), requestsPerSecond: 0.5, allowUnlimited: true },
    ]);
    expect(readAccessKeys(fileOf(JSON.stringify([alpha, beta], undefined, '\t'))).map(({ name }) => name)).toEqual(['alpha', 'beta']);
  });

  const token = 'a-token-where-its-digest-belongs';
  it.each([
    ['a missing file', '/nowhere/keys.yaml', /cannot be read \(ENOENT\)/],
    ['neither YAML nor JSON', fileOf(`- name: alpha\n  sha256: "${token}\n`), /neither YAML nor JSON \(line 3\)/],
    ['a field twice', fileOf(`- name: alpha\n  name: ${token}\n`), /neither YAML nor JSON \(line 2\)/],
    ['an unknown tag', fileOf(`- !secret ${token}\n`), /neither YAML nor JSON \(line 1\)/],
    ['an empty file', fileOf(''), /neither YAML nor JSON$/],
    ['no list', keysFile({ keys: [alpha] } as never), /the list of keys/],
    ['an empty list', keysFile([]), /at least one key/],
    ['a token instead of its digest', keysFile([{ name: 'alpha', sha256: token }]), /keys\[0\]\.sha256: must be the SHA-256 digest/],
    ['an unknown field', keysFile([alpha, { ...beta, maxitems: 1 }]), /keys\[1\]: .*maxitems/],
    ['a name twice', keysFile([alpha, { ...beta, name: 'alpha' }]), /keys\[1\]\.name: names an earlier key/],
    ['a digest twice', keysFile([alpha, { ...alpha, name: 'beta' }]), /keys\[1\]\.sha256: is an earlier key's/],
    ['a name with blanks', keysFile([{ ...alpha, name: 'al pha' }]), /keys\[0\]\.name/],
    ['a burst without a rate', keysFile([{ ...alpha, burst: 3 }]), /keys\[0\]\.burst: needs requestsPerSecond/],
    ['a rate of nothing', keysFile([{ ...alpha, requestsPerSecond: 0 }]), /keys\[0\]\.requestsPerSecond/],
  ])("%s is rejected at the start, without showing the file's content", (_, file, message) => {
    const read = (): unknown => readApiConfig({ ASSAY_KEYS_FILE: file });
    expect(read).toThrow(message);
    expect(read).toThrow(/^ASSAY_KEYS_FILE: /);
    expect(read).not.toThrow(token);
  });
});

describe('finding the key of a request', () => {
  const keys = [alpha, beta].map((key) => ({ name: key.name, sha256: Buffer.from(key.sha256, 'hex') }));
  it.each([
    ['gives the key of a bearer token', { authorization: 'Bearer token-of-beta' }, 'beta'],
    ['gives the key of a bearer token whose scheme has any case', { authorization: 'bearer  token-of-alpha ' }, 'alpha'],
    ['gives the key of x-api-key', { 'x-api-key': 'token-of-alpha' }, 'alpha'],
    [
      'gives no key if Authorization is wrong, even if x-api-key is right',
      { authorization: 'Bearer wrong', 'x-api-key': 'token-of-alpha' },
      undefined,
    ],
    ['gives no key for another scheme', { authorization: 'Basic token-of-alpha' }, undefined],
    ['gives no key for two tokens', { authorization: 'Bearer token-of-alpha token-of-beta' }, undefined],
    ['gives no key for an empty key', { 'x-api-key': '' }, undefined],
    ['gives no key for a prefix of a token', { 'x-api-key': 'token-of-alph' }, undefined],
    ['gives no key for a digest instead of its token', { 'x-api-key': alpha.sha256 }, undefined],
    ['gives no key without a header', {}, undefined],
  ])('%s', (_, headers, name) => {
    const token = presentedToken(headers);
    expect(token === undefined ? undefined : findKey(keys, token)?.name).toBe(name);
  });

  it('compares with every key, even after a key matched', () => {
    const looked: string[] = [];
    const watched = keys.map(({ name, sha256 }) => ({
      get sha256() {
        looked.push(name);
        return sha256;
      },
    }));
    findKey(watched, 'token-of-alpha');
    findKey(watched, 'unknown');
    expect(looked).toEqual(['alpha', 'beta', 'alpha', 'beta']);
  });
});

describe('the token bucket of a rate limit', () => {
  let now = 0;
  const bucketAt = (ms: number, perSecond: number, size: number): TokenBucket => {
    now = ms;
    return new TokenBucket(perSecond, size, () => now);
  };
  const takeAt = (bucket: TokenBucket, ...times: number[]): number[] =>
    times.map((ms) => {
      now = ms;
      return bucket.take();
    });

  it('admits a burst, then the stated rate, and returns the waiting time', () => {
    const bucket = bucketAt(1000, 2, 3);
    expect(takeAt(bucket, 1000, 1000, 1000, 1000)).toEqual([0, 0, 0, 1]);
    expect(takeAt(bucket, 1499, 1500, 1500)).toEqual([1, 0, 1]);
    expect(takeAt(bucket, 60_000, 60_000, 60_000, 60_000)).toEqual([0, 0, 0, 1]);
  });

  it('rounds the wait of a slow rate up to whole seconds', () => {
    expect(takeAt(bucketAt(0, 0.1, 1), 0, 0, 8500, 10_000)).toEqual([0, 10, 2, 0]);
  });

  it('gets no new tokens while the clock stops or goes back', () => {
    expect(takeAt(bucketAt(5000, 1, 1), 5000, 4000, 4900)).toEqual([0, 1, 1]);
  });
});

describe('warnings to the operator at the start', () => {
  const keys = readAccessKeys(keysFile([alpha]));
  it.each([
    ['loopback, open', '127.0.0.1', undefined, undefined, []],
    ['loopback by name, open', 'localhost', undefined, undefined, []],
    ['IPv6 loopback, open', '::1', undefined, undefined, []],
    ['every address, open', '0.0.0.0', undefined, {}, [/no ASSAY_KEYS_FILE/]],
    ['every IPv6 address, open', '::', undefined, undefined, [/no ASSAY_KEYS_FILE/]],
    ['every address, keys in the clear', '0.0.0.0', keys, undefined, [/no ASSAY_TLS_CERT_FILE/]],
    ['every address, keys and TLS', '0.0.0.0', keys, {}, []],
  ])('%s', (_, host, configured, tls, warnings) => {
    expect(exposureWarnings({ host, keys: configured, tls })).toEqual(warnings.map((warning) => expect.stringMatching(warning) as unknown));
  });
});
