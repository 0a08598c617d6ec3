import { describe, expect, it } from 'vitest';
import { base64Bytes, base64Text, compareByteArrays, concatBytes, hexText, latin1Bytes, latin1Text, utf8Bytes, utf8Text } from './bytes.ts';

const samples = [
  new Uint8Array(0),
  Uint8Array.of(0),
  Uint8Array.of(0xff, 0x80, 0x7f),
  Uint8Array.from({ length: 256 }, (_, i) => i),
  Uint8Array.from({ length: 20_001 }, (_, i) => (i * 7) % 256),
];

describe('bytes agree with Buffer', () => {
  it.each(samples.map((bytes) => [bytes.length, bytes] as const))('%i bytes', (_, bytes) => {
    const buffer = Buffer.from(bytes);
    expect(hexText(bytes)).toBe(buffer.toString('hex'));
    expect(base64Text(bytes)).toBe(buffer.toString('base64'));
    expect(latin1Text(bytes)).toBe(buffer.toString('latin1'));
    expect(utf8Text(bytes)).toBe(buffer.toString('utf8'));
    expect([...latin1Bytes(latin1Text(bytes))]).toEqual([...bytes]);
    expect([...base64Bytes(base64Text(bytes))]).toEqual([...bytes]);
  });

  it.each(['', 'YQ==', 'YQ', 'YWI=', 'YW Jj\n', '-_-_', 'a', 'YWJjZ', 'YQ==YQ==', '*YQ*'])('base64 %j', (text) => {
    expect([...base64Bytes(text)]).toEqual([...Buffer.from(text, 'base64')]);
  });

  it('joins and orders', () => {
    const [a, b] = [utf8Bytes('ab'), utf8Bytes('abc')];
    expect(utf8Text(concatBytes([a, b, new Uint8Array(0)]))).toBe('ababc');
    for (const [left, right] of [
      [a, b],
      [b, a],
      [a, a],
      [utf8Bytes('é'), utf8Bytes('z')],
    ] as const)
      expect(Math.sign(compareByteArrays(left, right))).toBe(Buffer.compare(left, right));
  });
});
