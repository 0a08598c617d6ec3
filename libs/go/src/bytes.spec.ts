import { describe, expect, it } from 'vitest';
import {
  base64Bytes,
  base64Text,
  concatBytes,
  decodeBase64,
  decodeBase64Url,
  equalBytes,
  hexText,
  latin1Bytes,
  latin1Text,
  utf8Bytes,
  utf8Text,
} from './bytes.ts';

const samples = [
  new Uint8Array(0),
  Uint8Array.of(0),
  Uint8Array.of(0xff, 0x80, 0x7f),
  Uint8Array.from({ length: 256 }, (_, i) => i),
  Uint8Array.from({ length: 20_001 }, (_, i) => (i * 7) % 256),
];

describe('functions on bytes agree with Buffer', () => {
  it.each(samples.map((bytes) => [bytes.length, bytes] as const))('for %i bytes', (_, bytes) => {
    const buffer = Buffer.from(bytes);
    expect(hexText(bytes)).toBe(buffer.toString('hex'));
    expect(base64Text(bytes)).toBe(buffer.toString('base64'));
    expect(latin1Text(bytes)).toBe(buffer.toString('latin1'));
    expect(utf8Text(bytes)).toBe(buffer.toString('utf8'));
    expect([...latin1Bytes(latin1Text(bytes))]).toEqual([...bytes]);
    expect([...base64Bytes(base64Text(bytes))]).toEqual([...bytes]);
  });

  it.each(['', 'YQ==', 'YQ', 'YWI=', 'YW Jj\n', '-_-_', 'a', 'YWJjZ', 'YQ==YQ==', '*YQ*'])('for base64 of %j', (text) => {
    expect([...base64Bytes(text)]).toEqual([...Buffer.from(text, 'base64')]);
  });

  it('when they concatenate arrays', () => {
    const [a, b] = [utf8Bytes('ab'), utf8Bytes('abc')];
    expect(utf8Text(concatBytes([a, b, new Uint8Array(0)]))).toBe('ababc');
  });

  it.each([0, 1, 4])('when they compare arrays from any offset (%i)', (offset) => {
    const bytes = Uint8Array.from({ length: 23 }, (_, i) => i);
    for (let length = 0; length < 18; length++) {
      const [a, b] = [bytes.slice(offset, offset + length), bytes.subarray(offset, offset + length)];
      expect(equalBytes(a, b)).toBe(true);
      expect(equalBytes(a, bytes.subarray(offset, offset + length + 1))).toBe(false);
      for (let i = 0; i < length; i++) expect(equalBytes(a.with(i, 99), b), `${length} ${i}`).toBe(false);
    }
  });
});

describe('decodeBase64', () => {
  it.each([
    ['', ''],
    ['YQ==', 'a'],
    ['YWI=\n', 'ab'],
    ['YR==', 'a'],
    ['Y\nWJ\rj', 'abc'],
    ['YQ=\r\n=\n', 'a'],
  ])('decodes %j to %j', (text, bytes) => {
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

  it('decodes the alphabet of URLs on request', () => {
    expect([decodeBase64('a/b+').ok, decodeBase64Url('a/b+').ok, decodeBase64Url('a_b-').ok]).toEqual([true, false, true]);
  });
});
