import { describe, expect, it } from 'vitest';
import type { Completion } from '../answers/answers.ts';
import { flowPlace } from './flow-place.ts';
import { LanguageService } from '../language-service.ts';
import { definitionWith } from '../testing/definition-text.ts';

const URI = 'file:///object';

/** Returns the completions at the position that `¦` marks in a text. The definition of the object is also open. */
function completions(marked: string, uri: string): readonly Completion[] {
  const lines = marked.slice(0, marked.indexOf('¦')).split('\n');
  const service = new LanguageService();
  service.setText('file:///things.yaml', definitionWith('rule: "true"'));
  service.setText(uri, marked.replace('¦', ''));
  return service.completions(uri, { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 });
}
const inserted = (marked: string, uri = `${URI}.json`): string[] => completions(marked, uri).map(({ insert }) => insert);

const HEAD = '{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {';

describe('flowPlace', () => {
  it.each([
    ['{', { map: [], key: undefined, written: '' }],
    ['{"a": 1, "b', { map: [], key: undefined, written: 'b', siblings: new Set(['a']), style: 'double' }],
    ['{"a": {"b": [{}, {"c": "x\\"y', { map: ['a', 'b', 1], key: 'c', written: 'x"y', style: 'double' }],
    ["{a: 'it''s", { map: [], key: 'a', written: "it's", style: 'single' }],
    ['{a: {b: 1}, c: self.x', { map: [], key: 'c', written: 'self.x', style: 'plain' }],
    ['{a: http://x', { map: [], key: 'a', written: 'http://x' }],
    ['{"a": "b"', undefined],
    ['{"a": [1, 2', undefined],
    ['{"a": 1}', undefined],
    ['{"a": "\\u00', { map: [], key: 'a', written: '' }],
  ])('finds the place, or that there is none, at the end of %s', (text, place) => {
    if (place === undefined) expect(flowPlace(text)).toBeUndefined();
    else expect(flowPlace(text)).toMatchObject(place);
  });
});

describe('completion in JSON and flow style', () => {
  it('adds the missing quotes to keys', () => {
    expect(inserted(`${HEAD}¦}}`)).toEqual(expect.arrayContaining(['"name": ', '"list": ']));
    expect(inserted(`${HEAD}"na¦`)).toEqual(['name": ']);
    expect(inserted(`${HEAD}"na¦"`)).toEqual(['name']);
    expect(inserted(`${HEAD}"name": "x", "n¦"`)).toEqual([]);
  });

  it('offers values, and the fields of list items', () => {
    expect(inserted(`${HEAD}"size": ¦`)).toEqual(['"small"', '"large"']);
    expect(inserted(`${HEAD}"size": "s¦"`)).toEqual(['small']);
    expect(inserted(`${HEAD}\n  "list": [\n    {"key": "a"},\n    {"¦\n`)).toEqual(['key": ', 'value": ']);
  });

  it('works in flow maps of YAML, on one line and on several', () => {
    const yaml = (spec: string): string => `apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: ${spec}`;
    expect(inserted(yaml('{na¦}'), URI)).toEqual(['name: ']);
    expect(inserted(yaml('{name: a, size: ¦}'), URI)).toEqual(['small', 'large']);
    expect(inserted(yaml('{name: a,\n  list: [{key: a,\n    v¦'), URI)).toEqual(['value: ']);
  });

  it('completes rules of definitions in flow style', () => {
    const text = definitionWith('{rule: "self.li¦"}');
    const found = completions(text, 'file:///crd.yaml').map(({ label }) => label);
    expect(found).toEqual(['list']);
  });
});
