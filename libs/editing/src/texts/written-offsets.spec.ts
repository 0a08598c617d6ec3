import { parseDocument } from 'yaml';
import { describe, expect, it } from 'vitest';
import { SourceDocument } from './source-document.ts';

/**
 * One rule for each style in which YAML can write strings. The marker ▲ is in the text and in the parsed value, so that its two offsets can
 * be compared.
 */
const STYLES: readonly (readonly [style: string, text: string])[] = [
  ['plain', 'rule: self.a ▲== 1\n'],
  ['plain, with a comment', 'rule: self.a ▲== 1 # why\n'],
  ['plain, over two lines', 'rule: self.a\n   ▲== 1\n'],
  ['single quotes', "rule: 'self.a == ''x'' && ▲self.b'\n"],
  ['double quotes', 'rule: "self.a == \\"x\\" \\t&& ▲self.b"\n'],
  ['double quotes with escapes', 'rule: "\\x41\\u00e9\\U0001F600 self.▲b"\n'],
  ['double quotes over lines', 'rule: "self.a &&\n   self.b\\\n   ▲c"\n'],
  ['a literal block', 'rule: |\n  self.a &&\n    self.b &&\n  ▲self.c\n'],
  ['a literal block, indented by a number', 'rule: |2-\n    self.a &&\n   ▲self.c\n'],
  ['a literal block with a comment', 'rule: |- # why\n  self.a &&\n  ▲self.c\n'],
  ['a folded block', 'rule: >\n  self.a &&\n  self.b &&\n\n  ▲self.c\n'],
  ['a folded block that keeps deeper lines', 'rule: >-\n  self.a &&\n    self.b\n  && ▲self.c\n'],
  ['characters beyond the first plane', "rule: '😀 == self.▲a'\n"],
  ['tabs', "rule: 'a\t== ▲b'\n"],
  ['JSON', '{"rule": "self.a == \\"\\\\d\\" && \\ud83d\\ude00 ▲"}'],
  ['the end', "rule: 'self.a ==▲'\n"],
];

describe('writtenOffsets', () => {
  it.each(STYLES)('finds the offset in the text of a character of a scalar: %s', (_, text) => {
    const value = String(parseDocument(text).get('rule'));
    const document = new SourceDocument(text);
    expect(value.indexOf('▲')).toBeGreaterThan(0);
    expect(document.offsetInField('rule', value.indexOf('▲'))).toBe(text.indexOf('▲'));
  });

  it('finds the offset after the last character of a value', () => {
    expect(new SourceDocument("a: 'b'").offsetInField('a', 1)).toBe(5);
  });
});
