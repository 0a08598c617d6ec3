import { describe, expect, it } from 'vitest';
import { definitionWith } from '../testing/definition-text.ts';
import { LanguageService } from '../language-service.ts';

/**
 * Positions of the caret for each style of writing a rule in YAML. `«` follows the dot at which the compiler reports the error. The test
 * removes the mark before it validates the text.
 */
const CARETS: readonly (readonly [style: string, rule: string])[] = [
  ['plain', 'rule: self.count > 0 && self.«nothing == 1'],
  ['plain, over two lines', 'rule: self.count > 0 &&\n    self.«nothing == 1'],
  ['single quotes', "rule: 'self.name == ''a'' && self.«nothing == 1'"],
  ['single quotes, over two lines', "rule: 'self.count > 0 &&\n    self.«nothing == 1'"],
  ['double quotes', 'rule: "self.count > 0 && self.«nothing == 1"'],
  ['double quotes with escapes', String.raw`rule: "self.name == \"\x61\u00e4\U0001F600\" && self.«nothing == 1"`],
  ['double quotes, tab escape', String.raw`rule: "self.count > 0\t&& self.«nothing == 1"`],
  ['double quotes, line continued', 'rule: "self.count > 0 && \\\n    self.«nothing == 1"'],
  ['double quotes with a real tab', 'rule: "self.count > 0 &&\tself.«nothing == 1"'],
  ['literal block', 'rule: |\n    self.count > 0 &&\n      self.«nothing == 1\nmessage: wrong'],
  ['literal block, stripped', 'rule: |-\n    self.count > 0 &&\n    self.«nothing == 1\nmessage: wrong'],
  ['folded block', 'rule: >-\n    self.count > 0 &&\n    self.«nothing == 1'],
  ['folded block, empty line', 'rule: >-\n    self.count > 0 &&\n\n    self.«nothing == 1\nmessage: wrong'],
  ['beyond the first plane', "rule: self.name != '😀😀' && self.«nothing == 1"],
  ['beyond the first plane, in a block', "rule: |-\n    self.name != '😀' &&\n    '😀' != self.«nothing\nmessage: wrong"],
  ['accents', "rule: self.name != 'é' && self.«nothing == 1"],
  ['a flow map', '{rule: "self.«nothing == 1"}'],
];

describe('the range of an error that a server marks with a caret', () => {
  it.each(CARETS)('covers the undefined field of the rule: %s', (_, rule) => {
    const marked = definitionWith(rule.replace(/\.«/g, '«.'));
    const at = marked.indexOf('«');
    const text = marked.replace('«', '');
    const before = text.slice(0, at).split('\n');
    const service = new LanguageService();
    service.setText('file:///crd.yaml', text);
    const [found, ...others] = service.diagnostics('file:///crd.yaml').filter(({ message }) => message.includes('undefined field'));
    expect(others).toEqual([]);
    expect(found?.range.start).toEqual({ line: before.length - 1, character: before.at(-1)?.length });
    // The range includes the name of the field, not only its dot.
    const end = `${before.at(-1)}.nothing`.length;
    expect(found?.range.end).toEqual({ line: before.length - 1, character: end });
  });
});
