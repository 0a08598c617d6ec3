import { describe, expect, it } from 'vitest';
import { SourceDocument } from './source-document.ts';

const TEXT = `a: 1
spec:
  list:
  - name: one
    text: |
      first
      second
  - name: two
  map:
    key: 'value'
last: "quoted"
`;

/** Returns the value at each offset of a document, in the order of the offsets. */
const places = (document: SourceDocument, text: string): unknown[] => Array.from({ length: text.length }, (_, at) => document.placeAt(at));

describe('editing one entry of a document', () => {
  it.each([
    ['a scalar', 'two', 'three', ['spec', 'list', 1]],
    ['a line of a block', 'second', 'second\n      third', ['spec', 'list', 0, 'text']],
    ['a quoted scalar', "'value'", "'it''s longer'", ['spec', 'map', 'key']],
    ['another entry of an item', '- name: two', '- name: two\n    more: 3', ['spec', 'list', 1]],
    ['the first level', '"quoted"', '"other"', ['last']],
  ])('parses only the changed entry: %s', (_, from, to, path) => {
    const before = new SourceDocument(TEXT);
    expect(before.read()).toBe(true);
    const text = TEXT.replace(from, to);
    const { document, entry } = before.edited(text);
    expect(entry?.path).toEqual(path);
    const fresh = new SourceDocument(text);
    expect(places(document, text)).toEqual(places(fresh, text));
  });

  it.each([
    ['an entry moves out', '  - name: two', '- name: two'],
    ['a quote is left open', "'value'", "'value"],
    ['a document begins', 'last:', '---\nlast:'],
    ['an anchor is set', 'one', '&one one'],
    ['a line break in front of an entry', '  - name: two', '  \n- name: two'],
  ])('parses the whole text if %s', (_, from, to) => {
    const before = new SourceDocument(TEXT);
    before.read();
    const text = TEXT.replace(from, to);
    expect(before.edited(text).entry).toBeUndefined();
  });
});
