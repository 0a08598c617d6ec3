import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContentKeys } from './read-secrets.ts';
import { Sealing, UnreadableContent } from './sealing.ts';

const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const content = Buffer.from('\xff plain content', 'latin1');

describe('stored content', () => {
  it('is encrypted with a key, and opens only with this key, at any position in the key list', () => {
    const sealed = new Sealing([key('old', 1)]).seal('result', content);
    expect(Buffer.from(sealed).includes('plain')).toBe(false);
    const rotated = new Sealing([key('new', 2), key('old', 1)]);
    expect(rotated.open('result', sealed)).toEqual(content);
    expect(Buffer.from(rotated.seal('result', content)).subarray(2, 5).toString()).toBe('new');
    // Equal contents must not have equal sealed forms.
    expect(rotated.seal('result', content)).not.toEqual(rotated.seal('result', content));
  });

  it('is plain text without a key, and is readable with keys and without', () => {
    expect(new Sealing().seal('chunk', content)).toBe(content);
    for (const sealing of [new Sealing(), new Sealing([key('k', 1)])]) expect(sealing.open('chunk', content)).toEqual(content);
  });

  it.each([
    ['no key', new Sealing(), /under the key "k", which ASSAY_ENCRYPTION_KEYS_FILE does not hold/],
    ['another key', new Sealing([key('k', 9)]), /does not open with the key "k"/],
  ])('is unreadable with %s, and the error names the reason', (_, sealing, words) => {
    const sealed = new Sealing([key('k', 1)]).seal('record', content);
    expect(() => sealing.open('record', sealed)).toThrow(UnreadableContent);
    expect(() => sealing.open('record', sealed)).toThrow(words);
  });

  it('does not open if it was changed, or if it is read as content of another kind', () => {
    const sealing = new Sealing([key('k', 1)]);
    const sealed = Buffer.from(sealing.seal('record', content));
    expect(() => sealing.open('result', sealed)).toThrow(UnreadableContent);
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => sealing.open('record', sealed)).toThrow(UnreadableContent);
  });

  it('comes with a sample, with which a process finds out that it lacks a key', () => {
    const sealing = new Sealing([key('a', 1)]);
    const sample = sealing.sampleFor(undefined);
    expect(sealing.sampleFor(sample)).toBeUndefined();
    expect(new Sealing().sampleFor(undefined)).toBeUndefined();
    const both = new Sealing([key('b', 2), key('a', 1)]);
    const next = both.sampleFor(sample);
    expect(next).toBeDefined();
    for (const other of [new Sealing(), new Sealing([key('a', 1)])]) expect(() => other.sampleFor(next)).toThrow(UnreadableContent);
  });
});

describe('the file of encryption keys', () => {
  const file = (text: string): string => {
    const name = join(mkdtempSync(join(tmpdir(), 'assay-keys-')), 'keys.yaml');
    writeFileSync(name, text);
    return name;
  };
  const good = Buffer.alloc(32, 7).toString('base64');

  it('contains a list of keys', () => {
    expect(readContentKeys(undefined)).toEqual([]);
    expect(readContentKeys(file(`- { id: a, key: "${good}" }\n- { id: b, key: "${good}" }`)).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it.each([
    ['[]', /at least one key/],
    [`[{ id: a, key: "c2hvcnQ=" }]`, /keys\.0\.key: must be 32 bytes/],
    [`[{ id: a, key: "${good}" }, { id: a, key: "${good}" }]`, /two keys have one id/],
    [`[{ id: a/b, key: "${good}" }]`, /keys\.0\.id/],
    ['{ [', /neither YAML nor JSON/],
  ])('with an error is rejected: %s', (text, words) => {
    expect(() => readContentKeys(file(text))).toThrow(/^ASSAY_ENCRYPTION_KEYS_FILE: /);
    expect(() => readContentKeys(file(text))).toThrow(words);
  });
});
