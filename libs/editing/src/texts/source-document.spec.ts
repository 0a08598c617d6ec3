import { describe, expect, it } from 'vitest';
import { SourceDocument } from './source-document.ts';

describe('withEntry', () => {
  it.each([
    ['block style', 'a:\n  # why\n  type: array # so\n  b: 1\n', 'a', 'a:\n  # why\n  maxItems: 5\n  type: array # so\n  b: 1\n'],
    ['an item of a list', 'a:\n- type: array\n  b: 1\n', 'a[0]', 'a:\n- maxItems: 5\n  type: array\n  b: 1\n'],
    ['an item of a list of lists', 'a:\n- - type: array\n', 'a[0][0]', 'a:\n- - maxItems: 5\n    type: array\n'],
    ['flow style', 'a: {type: array}\n', 'a', 'a: {maxItems: 5, type: array}\n'],
    ['JSON in one line', '{"a": {"type": "array"}}', 'a', '{"a": {"maxItems": 5, "type": "array"}}'],
    ['JSON in lines', '{\n  "a": {\n    "type": "array"\n  }\n}', 'a', '{\n  "a": {\n    "maxItems": 5,\n    "type": "array"\n  }\n}'],
    ['another value', 'a:\n  maxItems: 70 # many\n', 'a', 'a:\n  maxItems: 5 # many\n'],
    ['the document itself', 'type: array\n', '', 'maxItems: 5\ntype: array\n'],
  ])('adds an entry to %s', (_, text, field, changed) => {
    expect(new SourceDocument(text).withEntry(field, 'maxItems', '5')).toBe(changed);
  });

  it('returns undefined for a scalar, an empty map and a missing field', () => {
    for (const field of ['a', 'b', 'c']) expect(new SourceDocument('a: 1\nc: {}\n').withEntry(field, 'x', '1')).toBeUndefined();
  });
});
