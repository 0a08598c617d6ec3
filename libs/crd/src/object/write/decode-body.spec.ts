import { describe, expect, it } from 'vitest';
import { LATEST_MINOR } from '#kube';
import type { Minor } from '#kube';
import { decodeBody } from './decode-body.ts';

const MARK = '\ufeff';
const JSON_OBJECT = '{"apiVersion":"e.com/v1","kind":"W","metadata":{"name":"a"}}';
const YAML_OBJECT = 'apiVersion: e.com/v1\nkind: W\nmetadata:\n  name: a\n';
const BEFORE = 'the object provided is unrecognized (must be of type W): ';

/** Returns the error message for a body, or undefined if the body can be decoded. */
function problem(body: string | Uint8Array, contentType: string, minor: Minor = LATEST_MINOR): string | undefined {
  const reading = decodeBody(body, contentType, { kind: 'W', minor });
  return reading.ok ? undefined : reading.status.message;
}

/** Tests bodies with a byte order mark against the recorded answers of a kube-apiserver. */
describe('a byte order mark in the body of a write', () => {
  it.each([
    ['YAML', MARK + YAML_OBJECT],
    ['JSON as YAML', MARK + JSON_OBJECT],
    ['a space and JSON as YAML', `${MARK} ${JSON_OBJECT}`],
    ['a separator and YAML', `${MARK}---\n${YAML_OBJECT}`],
  ])('is skipped before %s', (_, body) => {
    expect(problem(body, 'application/yaml')).toBeUndefined();
    expect(problem(Buffer.from(body), 'application/yaml')).toBeUndefined();
  });

  it.each([
    [MARK + JSON_OBJECT, 'application/json', /json parse error: invalid character 'ï' looking for beginning of value \(efbbbf7b22/],
    [JSON_OBJECT + MARK, 'application/json', /json parse error: invalid character 'ï' after top-level value/],
    [`${MARK}${MARK}${YAML_OBJECT}`, 'application/yaml', /Object 'Kind' is missing in '\ufeff\ufeffapiVersion/],
    [` ${MARK}${YAML_OBJECT}`, 'application/yaml', /Object 'Kind' is missing in ' \ufeffapiVersion/],
    [`${YAML_OBJECT}${MARK}`, 'application/yaml', /yaml: line 6: could not find expected ':'/],
    [MARK, 'application/yaml', /Object 'Kind' is missing in '\ufeff' \(efbbbf\)/],
    [MARK, 'application/json', /json parse error: invalid character 'ï' looking for beginning of value \(efbbbf\)/],
  ])('is rejected at another place: %j as %s', (body, contentType, message) => {
    for (const sent of [body, Buffer.from(body)]) {
      expect(problem(sent, contentType)).toMatch(message);
      expect(problem(sent, contentType)?.startsWith(BEFORE)).toBe(true);
    }
  });
});

/** Tests bodies that are no JSON against the recorded answers of kube-apiservers. Source: the oracles of 1.37 and 1.38. */
describe('a body that is not JSON', () => {
  const EARLY_END = 'unexpected end of JSON input';

  it.each([
    ['"tr\u00e9e', EARLY_END, EARLY_END],
    [
      'tr\u00e9e',
      "invalid character '\u00c3' in literal true (expecting 'u')",
      "invalid character '\u00e9' in literal true (expecting 'u')",
    ],
    ['nul', "invalid character ' ' in literal null (expecting 'l')", EARLY_END],
    [
      '{"a":\u00a01}',
      "invalid character '\u00c2' looking for beginning of value",
      String.raw`invalid character '\u00a0' looking for beginning of value`,
    ],
    ['{"a":1}\u20ac', "invalid character '\u00e2' after top-level value", "invalid character '\u20ac' after top-level value"],
    [
      '\ufeff{}',
      "invalid character '\u00ef' looking for beginning of value",
      String.raw`invalid character '\ufeff' looking for beginning of value`,
    ],
    ["{'a':1}", String.raw`invalid character '\'' looking for beginning of object key string`, undefined],
    ['{"a" 1}', "invalid character '1' after object key", undefined],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`, undefined],
    ['[1 2]', "invalid character '2' after array element", undefined],
    ['01', "invalid character '1' after top-level value", undefined],
    ['-', "invalid character ' ' in numeric literal", EARLY_END],
    ['-x', "invalid character 'x' in numeric literal", undefined],
    ['1.x', "invalid character 'x' after decimal point in numeric literal", "invalid character 'x' in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal", "invalid character 'x' in numeric literal"],
    ['1e', "invalid character ' ' in exponent of numeric literal", EARLY_END],
    ['"\n"', String.raw`invalid character '\n' in string literal`, String.raw`invalid character '\n' in string`],
    ['"\0"', String.raw`invalid character '\x00' in string literal`, String.raw`invalid character '\x00' in string`],
    [String.raw`"\a"`, "invalid character 'a' in string escape code", 'invalid escape sequence `\\a` in string'],
    ['"\\`"', "invalid character '`' in string escape code", 'invalid escape sequence "\\\\`" in string'],
    ['"\\\u00e9"', "invalid character '\u00c3' in string escape code", String.raw`invalid escape sequence "\\\xc3" in string`],
    ['"\\', "invalid character ' ' in string escape code", EARLY_END],
    [
      String.raw`"\u12xyz"`,
      String.raw`invalid character 'x' in \u hexadecimal character escape`,
      'invalid escape sequence `\\u12xy` in string',
    ],
    [
      String.raw`"\u12"`,
      String.raw`invalid character '"' in \u hexadecimal character escape`,
      'invalid escape sequence `\\u12"` in string',
    ],
    [
      '"\\u \n"',
      String.raw`invalid character ' ' in \u hexadecimal character escape`,
      String.raw`invalid escape sequence "\\u \n\"" in string`,
    ],
    [String.raw`"\u12`, String.raw`invalid character ' ' in \u hexadecimal character escape`, EARLY_END],
    ['['.repeat(10_001), "invalid character '[' exceeded max depth", 'exceeded max depth'],
    ['{"a":'.repeat(10_001), "invalid character '{' exceeded max depth", 'exceeded max depth'],
  ])('%.40j is rejected with %j, since 1.38 with %j', (body, bytes, runes = bytes) => {
    const before = `${BEFORE}couldn't get version/kind; json parse error: `;
    for (const sent of [body, Buffer.from(body)]) {
      expect(problem(sent, 'application/json', '1.37')?.startsWith(`${before}${bytes} (`)).toBe(true);
      expect(problem(sent, 'application/json', '1.38')?.startsWith(`${before}${runes} (`)).toBe(true);
    }
  });

  it.each([
    [[0xff], String.raw`invalid character '\xff' looking for beginning of value`],
    [[0xf0, 0x9f, 0x98], String.raw`invalid character '\xf0' looking for beginning of value`],
    [[0x22, 0x5c, 0xff, 0x22], String.raw`invalid escape sequence "\\\xff" in string`],
    [[0x22, 0x5c, 0x75, 0xc3, 0xa9, 0xc3, 0x22], 'invalid escape sequence "\\\\u\u00e9\\xc3\\"" in string'],
    [[0x22, 0xff], EARLY_END],
  ])('with bytes %j that are not UTF-8 is rejected with %j since 1.38', (bytes, error) => {
    expect(problem(Uint8Array.from(bytes), 'application/json', '1.38')).toContain(`json parse error: ${error} (`);
  });

  it('in YAML has the same maximum depth as in JSON', () => {
    const body = `kind: W\nx: ${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect(problem(body, 'application/yaml', '1.37')).toContain("json parse error: invalid character '[' exceeded max depth (");
    expect(problem(body, 'application/yaml', '1.38')).toContain('json parse error: exceeded max depth (');
  });
});
