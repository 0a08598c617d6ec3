import { Cancelled, utf8Bytes, utf8Text } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import { describe, expect, it } from 'vitest';
import { compactJson, sentSlice } from './compact-json.ts';

const patient = { cancelled: false };
const compact = (text: string, most = Infinity): string => utf8Text(compactJson(utf8Bytes(text), most, patient));

describe('compactJson()', () => {
  it.each([{ a: ' b\t"c" \\ { ', 'd e': [1, -2.5e3, true, null, 'é '] }, [[], {}, '', ' ', '\\', '\\"', '\u{1f600}']])(
    'removes the white space between tokens',
    (value) => {
      for (const indent of [1, 4, '\t', ' \r\n']) expect(compact(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value));
    },
  );

  it.each(['[1 2]', '[tr ue]', '{"a" : nul l}', '[- 1]', '"a', '"a\\', '1  2'])('keeps invalid JSON invalid: %s', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(() => JSON.parse(compact(text)) as unknown).toThrow(SyntaxError);
  });

  it('returns the same bytes if there is no white space, or if more text than the limit would remain', () => {
    for (const text of ['{"a":" "}', '[ "abcdef" ]']) {
      const bytes = utf8Bytes(text);
      expect(compactJson(bytes, 8, patient)).toBe(bytes);
    }
  });

  it.each([' '.repeat(1_000_000), `"${'\\"'.repeat(500_000)}`])('throws if the caller cancels it', (text) => {
    let polls = 0;
    const token = {
      get cancelled() {
        return ++polls > 2;
      },
    };
    expect(() => compactJson(utf8Bytes(text), Infinity, token)).toThrow(Cancelled);
  });
});

describe('a document in the form that kubectl sends', () => {
  const wide = ' '.repeat(MAX_BODY_BYTES);
  it.each([
    ['json', `{${wide}"a": [1]}`],
    ['yaml', `a:\n  [1]\n#${wide}\n`],
  ] as const)('is compact JSON if it is too large as %s', (notation, text) => {
    const { bytes, notation: sent } = sentSlice({ bytes: utf8Bytes(text), notation }, patient);
    expect([utf8Text(bytes), sent]).toEqual(['{"a":[1]}', 'json']);
  });

  it.each([
    ['json', '{ }'],
    ['yaml', 'a:  1'],
    ['yaml', `a: [${wide}`],
    ['unread', `a${wide}`],
  ] as const)('is unchanged if the document is small or not readable: %s', (notation, text) => {
    const slice = { bytes: utf8Bytes(text), notation };
    expect(sentSlice(slice, patient)).toBe(slice);
  });
});
