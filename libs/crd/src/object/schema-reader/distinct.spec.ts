import { utf8Bytes } from '#go';
import { describe, expect, it } from 'vitest';
import { judgedAlike, widgetText, widgetWithSpec } from '../../testing/judged-widgets.ts';
import { areDistinctIntegers } from '../write/distinct.ts';
import { areDistinctTexts } from './reader-run.ts';

/** Tests whether texts are distinct. The texts are placed one after another in the bytes, starting at an odd offset. */
function areDistinct(texts: readonly string[]): boolean {
  const places = new Int32Array(2 * texts.length);
  let document = '#"';
  for (const [i, text] of texts.entries()) {
    places[2 * i] = document.length;
    document += text;
    places[2 * i + 1] = document.length;
    document += '","';
  }
  // The function must not read beyond the last text.
  const bytes = utf8Bytes(document).subarray(0, places[2 * texts.length - 1]);
  return areDistinctTexts(bytes, places, texts.length);
}

const integersAreDistinct = (values: readonly number[]): boolean =>
  areDistinctIntegers(Int32Array.from(values), { min: Math.min(...values), max: Math.max(...values) });

describe('texts whose bytes areDistinct() compares', () => {
  // Each text differs from another one in a single byte, at each possible position.
  const alike = Array.from({ length: 30 }, (_, length) =>
    Array.from({ length }, (_, at) => `${'a'.repeat(at)}b${'a'.repeat(length - at - 1)}`).concat('a'.repeat(length)),
  ).flat();

  it('are found different at all lengths', () => {
    expect(areDistinct(alike)).toBe(true);
    expect(areDistinct(Array.from({ length: 5000 }, (_, i) => String.fromCharCode(33 + (i % 60)) + i))).toBe(true);
  });

  it('are found equal, wherever the duplicate is', () => {
    for (const text of alike) expect(areDistinct([...alike, text]), text).toBe(false);
    expect(areDistinct(['', 'a', ''])).toBe(false);
  });
});

describe('integers that areDistinctIntegers() compares', () => {
  const apart = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 100_003) * (i % 2 === 0 ? 9973 : -9973));

  it('are found different or equal, whether near each other or far apart', () => {
    for (const values of [apart, apart.map((value) => value / 9973), [-(2 ** 31), 2 ** 31 - 1, 0]]) {
      expect(integersAreDistinct(values)).toBe(true);
      for (const i of [0, 1, values.length - 1]) expect(integersAreDistinct([...values, values[i] as number])).toBe(false);
    }
  });
});

const MANY = 8000;
const list = (name: string, element: (i: number) => unknown, count = MANY): string =>
  `${JSON.stringify(name)}:${JSON.stringify(Array.from({ length: count }, (_, i) => element(i)))}`;

describe('lists of type set, stored in columns,', () => {
  const set = (items: object): object => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });
  const definition = widgetWithSpec({
    type: 'object',
    properties: { ints: set({ type: 'integer' }), texts: set({ type: 'string' }), note: { type: 'string' } },
    'x-kubernetes-validations': [{ rule: "self.?texts.orValue([]).size() < 9000 && (!has(self.texts) || self.texts.all(e, e != 'x'))" }],
  });
  const withSets = widgetWithSpec({ type: 'object', properties: { ints: set({ type: 'integer' }), texts: set({ type: 'string' }) } });

  it.each<readonly [string, 'columns' | 'reader' | 'exactly', string]>([
    ['integers', 'columns', list('ints', (i) => i * 7919, 3 * MANY)],
    ['integers far apart', 'columns', list('ints', (i) => i * 50_021 - 400_000_000, 2 * MANY)],
    ['an integer that comes twice', 'exactly', list('ints', (i) => (i === 7000 ? 10_000 : 10_000 + i), 2 * MANY)],
    ['texts', 'columns', list('texts', (i) => `text-${i}`)],
    ['a text that comes twice', 'exactly', list('texts', (i) => `text-${i === 7000 ? 12 : i}`)],
    ['texts beyond ASCII', 'columns', list('texts', (i) => `téxt-${i}`)],
    ['a text beyond ASCII that comes twice', 'exactly', list('texts', (i) => `téxt-${i === 7000 ? 12 : i}`)],
    ['texts with escapes', 'columns', list('texts', (i) => `te\nxt-${i}`)],
    ['a text with escapes that comes twice', 'exactly', list('texts', (i) => `te\nxt-${i === 7000 ? 12 : i}`)],
    [
      'a text that is spelled in two ways',
      'exactly',
      list('texts', (i) => `text-${i === 7000 ? 12 : i}`).replace('"text-12"', '"te\\u0078t-12"'),
    ],
    ['a set of one', 'columns', `"texts":["a"],${list('ints', (i) => i, 3 * MANY)}`],
    ['a set of none', 'columns', `"texts":[],${list('ints', (i) => i, 3 * MANY)}`],
    ['two that are the same', 'exactly', `"texts":["a","a"],${list('ints', (i) => i, 3 * MANY)}`],
  ])('get the exact verdict: %s', (_, how, spec) => {
    expect(judgedAlike(withSets, widgetText(spec))).toBe(how);
    expect(judgedAlike(definition, widgetText(spec)) === 'exactly').toBe(how === 'exactly');
  });
});

describe('lists of type map with one key', () => {
  const mapOf = (items: object): object => ({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], ...items },
  });
  const inner = mapOf({ properties: { name: { type: 'string' } } });
  const kinds = { type: 'string', enum: ['a', 'b', 'c'] };
  const definition = widgetWithSpec({
    type: 'object',
    properties: {
      named: mapOf({ properties: { name: { type: 'string' }, port: { type: 'integer' }, inner } }),
      filled: mapOf({ required: [], properties: { name: { type: 'string', default: 'filled' }, note: { type: 'string' } } }),
      kinds: mapOf({ properties: { name: kinds } }),
      numbered: mapOf({ properties: { name: { type: 'integer' } } }),
    },
  });
  const named = (name: (i: number) => string): string => list('named', (i) => ({ port: i % 90, name: name(i) }), 4000);

  it.each<readonly [string, 'reader' | 'exactly', string]>([
    ['distinct', 'reader', named((i) => `name-${i}`)],
    ['twice', 'exactly', named((i) => `name-${i === 3000 ? 1 : i}`)],
    ['beyond ASCII', 'reader', named((i) => `näme-${i}`)],
    ['beyond ASCII, twice', 'exactly', named((i) => `näme-${i === 3000 ? 1 : i}`)],
    ['one beyond ASCII, twice', 'exactly', named((i) => (i % 2999 === 1 ? 'ä' : `name-${i}`))],
    ['one spelled in two ways', 'exactly', named((i) => `name-${i === 3000 ? 1 : i}`).replace('"name-1"', '"n\\u0061me-1"')],
    ['in lists in each other', 'reader', list('named', (i) => ({ inner: few(i), name: `name-${i}`, port: 1 }), 900)],
    ['in lists in each other, behind the own key', 'reader', list('named', (i) => ({ name: `name-${i}`, inner: few(i) }), 900)],
    ['in lists in each other, twice inside', 'exactly', list('named', (i) => ({ name: `name-${i}`, inner: few(i === 800 ? -5 : i) }), 900)],
    ['in lists in each other, twice outside', 'exactly', list('named', (i) => ({ inner: few(i), name: `name-${i % 899}` }), 900)],
    ['one by default', 'reader', list('filled', (i) => (i === 3000 ? { note: 'x' } : { name: `name-${i}` }), 5000)],
    ['two by default', 'exactly', list('filled', (i) => (i % 3000 === 7 ? { note: 'x' } : { name: `name-${i}` }), 5000)],
    ['as by default', 'exactly', list('filled', (i) => (i === 3000 ? { note: 'x' } : { name: i === 4 ? 'filled' : `name-${i}` }), 5000)],
    ['a null for the default', 'reader', list('filled', (i) => ({ name: i === 3000 ? null : `name-${i}` }), 5000)],
    ['words', 'reader', list('kinds', (i) => ({ name: 'abc'[i] }), 3)],
    ['words, twice', 'exactly', list('kinds', (i) => ({ name: 'abc'[i % 3] }), 30)],
    ['numbers', 'reader', list('numbered', (i) => ({ name: i }), 30)],
    ['numbers, twice', 'exactly', list('numbered', (i) => ({ name: i % 29 }), 30)],
  ])('get the exact verdict with these keys: %s', (_, how, spec) => {
    // The reader generates code only after enough bytes, so a long body comes first.
    judgedAlike(definition, widgetText(named((i) => `first-${i}`)));
    expect(judgedAlike(definition, widgetText(spec))).toBe(how);
  });
});

/** Returns fifteen elements with keys. If `i` is negative, two of the elements have the same key. */
const few = (i: number): object[] => Array.from({ length: 15 }, (_, n) => ({ name: `inner-${i < 0 && n === 14 ? 3 : n}` }));
