import { describe, expect, it } from 'vitest';
import { packValue, unpackValue } from './packing.ts';

describe('packed values', () => {
  it.each([0, 1, 2047, 2048, 300_000])('give back arrays of %i bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7919) % 251);
    const value = { firstItem: 3, bytes, nested: { text: bytes.subarray(length >> 1) } };
    expect(unpackValue(packValue(value))).toEqual(value);
  });

  it.each([0, 3, 5000])('give back arrays of %i integers', (length) => {
    const starts = Uint32Array.from({ length }, (_, i) => i * 301);
    expect(unpackValue(packValue({ odd: new Uint8Array(1), starts }))).toEqual({ odd: new Uint8Array(1), starts });
  });

  it('give back long texts', () => {
    const value = { text: 'a rule'.repeat(5000), list: [1, undefined, null, new Map([['a', true]])] };
    expect(unpackValue(packValue(value))).toEqual(value);
  });

  it('are much shorter than the texts if texts repeat', () => {
    const text = Buffer.from('{"apiVersion":"example.com/v1","kind":"Widget"}'.repeat(5000));
    expect(packValue({ text }).length).toBeLessThan(text.length / 50);
    expect(packValue({ text: text.toString() }).length).toBeLessThan(text.length / 50);
  });

  it('reject arrays of other types', () => {
    expect(() => packValue({ floats: new Float64Array(2) })).toThrow(/another type/);
  });

  it('are rejected if bytes are missing', () => {
    const packed = packValue({ text: 'a'.repeat(5000), bytes: Buffer.alloc(5000, 7), short: Buffer.of(1, 2) });
    for (let length = 0; length < packed.length; length++) expect(() => unpackValue(packed.subarray(0, length)), String(length)).toThrow();
  });

  it('are rejected if their first byte names no encoding', () => {
    expect(() => unpackValue(Buffer.from([7, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).toThrow(/unknown form/);
  });

  it('are rejected before memory is allocated if a length is above its limit', () => {
    const head = Buffer.alloc(9);
    head[0] = 1;
    head.writeUInt32LE(0xff_ff_ff_ff, 1);
    expect(() => unpackValue(head)).toThrow(/unknown form/);
  });
});
