import { describe, expect, it } from 'vitest';
import { readJson } from './read-json.ts';
import { Float } from './value.ts';
import { writeJson } from './write-json.ts';

function read(text: string | Uint8Array) {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(reading.error);
  return reading;
}

function refusal(text: string): string {
  const reading = readJson(text);
  return reading.ok ? 'read' : reading.error;
}

describe('reading JSON', () => {
  it('distinguishes integers from floats by their notation', () => {
    expect(read('[1, -0, 9007199254740993, 1.0, 1e2]').value).toEqual([1, 0, 9007199254740993n, new Float(1), new Float(100)]);
  });

  it('reads integers beyond int64 as floats', () => {
    expect(read('9223372036854775807').value).toBe(9223372036854775807n);
    expect(read('9223372036854775808').value).toEqual(new Float(9223372036854775808));
  });

  it('keeps the last of duplicate keys and reports their paths', () => {
    const reading = read('{"a":{"b":1,"b":2},"c":[{"d":1,"d":2}]}');
    expect(writeJson(reading.value)).toBe('{"a":{"b":2},"c":[{"d":2}]}');
    expect(reading.duplicates).toEqual(['a.b', 'c[0].d']);
  });

  it('treats names of Object.prototype like any other key', () => {
    const { value } = read('{"__proto__":{"x":1},"constructor":2}');
    expect(writeJson(value)).toBe('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.getPrototypeOf({})).toHaveProperty('hasOwnProperty');
  });

  it('replaces lone surrogates and bytes that are not UTF-8 by U+FFFD', () => {
    expect(read(String.raw`"\ud800x\udc00"`).value).toBe('\ufffdx\ufffd');
    expect(read(new Uint8Array([0x22, 0xff, 0xc3, 0x22])).value).toBe('\ufffd\ufffd');
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1 2]', "invalid character '2' after array element"],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['01', "invalid character '1' after top-level value"],
    ['"\n"', String.raw`invalid character '\n' in string literal`],
  ])('rejects %j as Go does', (text, error) => {
    expect(refusal(text)).toBe(error);
  });

  it("accepts nesting up to Go's maximum depth", () => {
    expect(refusal('['.repeat(10_000) + ']'.repeat(10_000))).toBe('read');
    expect(refusal('['.repeat(10_001) + ']'.repeat(10_001))).toContain('exceeded max depth');
  });
});

describe('writing JSON', () => {
  it.each([
    ['{"b":1,"a":2,"ä":3,"\ud83d\ude00":4,"\uffee":5}', '{"a":2,"b":1,"ä":3,"\uffee":5,"\ud83d\ude00":4}'],
    ['[1.0, 1e21, 1e-7, 0.1, -0.0]', '[1,1e+21,1e-7,0.1,-0]'],
    ['"a\\u0001\\u2028"', String.raw`"a\u0001\u2028"`],
  ])('writes %s as %s', (text, json) => {
    expect(writeJson(read(text).value)).toBe(json);
  });
});
