import { LATEST_MINOR, minorNumber, stringFormat } from '#kube';
import { describe, expect, it } from 'vitest';
import { formatTexts } from './format-texts.ts';
import type { FormatTexts } from './format-texts.ts';

const FORMATS = (
  'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password ' +
  'date duration date-time datetime k8s-short-name k8s-long-name'
).split(' ');
/** Formats that have texts of any length. */
const LONG = 'uri email ipv4 cidr isbn isbn10 isbn13 creditcard rgbcolor byte password duration date-time'.split(' ');
const LENGTHS = [0, 1, 5, 7, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 30, 36, 40, 43, 45, 63, 64, 100, 191, 192, 253, 255, 300, 1000, 4000];
const INDICES = [0, 1, 2, 9, 10, 61, 100, 999, 4000, 12_345];

const textsOf = (format: string): FormatTexts => {
  const texts = formatTexts(format);
  if (texts === undefined) throw new Error(`no texts of ${format}`);
  return texts;
};

describe('generated texts of a format', () => {
  it.each(FORMATS)('pass the check of the format, and have at most the requested length or the shortest valid length: %s', (format) => {
    const texts = textsOf(format);
    const check = stringFormat(format, minorNumber(LATEST_MINOR));
    for (const length of LENGTHS) {
      for (const index of INDICES) {
        const text = texts.text(length, index);
        expect(text, `${length} ${index}`).toBeDefined();
        expect(check?.(text ?? ''), text).toBe(true);
        expect(text?.length, text).toBeLessThanOrEqual(Math.max(length, texts.least));
        expect(text?.length, text).toBeGreaterThanOrEqual(texts.least);
      }
    }
  });

  it.each(FORMATS)('are as many as stated, and exist in the shortest and in the longest length: %s', (format) => {
    const texts = textsOf(format);
    for (const length of [texts.least, 12, 19, 36, 300]) {
      const count = Math.min(200, texts.distinct(length));
      expect(count).toBeGreaterThan(0);
      expect(new Set(Array.from({ length: count }, (_, index) => texts.text(length, index))).size, `${length}`).toBe(count);
    }
    expect(texts.text(0, 0)?.length).toBe(texts.least);
    if (texts.usual !== Infinity) expect(texts.text(texts.usual, 0)?.length).toBe(texts.usual);
    if (texts.most !== Infinity) expect(texts.text(texts.most + 100, 0)?.length).toBe(texts.most);
  });

  it.each(LONG)('have the requested length of 100,000 characters, or up to 3 less: %s', (format) => {
    const length = textsOf(format).text(100_000, 3)?.length ?? 0;
    expect(length).toBeLessThanOrEqual(100_000);
    expect(length).toBeGreaterThan(100_000 - 4);
  });

  it('do not exist for formats that the API server does not check', () => {
    expect(formatTexts('unheard-of')).toBeUndefined();
    expect(formatTexts('int32')).toBeUndefined();
  });
});
