import { isJsonObject, newJsonObject, readJson, utf8Bytes, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { describe, expect, it } from 'vitest';
import { widgetWithSpec } from '../testing/judged-widgets.ts';
import type { ObjectWrite } from '../verdict.ts';
import { readYamlBody } from './json-bytes.ts';
import { validateObject } from './validate-object.ts';
import { verdictText } from '../testing/outcomes.ts';

const DEFINITION_SPEC = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 3 },
    share: { type: 'number' },
    title: { type: 'string', maxLength: 40 },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [{ rule: '!has(self.tags) || self.tags.all(tag, size(tag) < self.size)' }],
};
// Each body gets its own definition. Otherwise, the generated reader would give up after several failures.
const definition = () => widgetWithSpec(DEFINITION_SPEC);

const HEAD = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\n';
const spec = (text: string): string => `${HEAD}spec:\n  ${text}\n`;

const write = (body: ObjectWrite['body'], more: Partial<ObjectWrite> = {}): ObjectWrite => ({
  operation: 'CREATE',
  body,
  contentType: 'application/yaml',
  fieldValidation: 'Warn',
  ...more,
});

/**
 * Returns what computed the verdict on a write: a reader or the exact validation. Only the exact validation reports the times of its steps.
 * Checks that the verdict equals the verdict for the same body as text, which never uses a reader.
 */
function judged(one: ObjectWrite, asText: ObjectWrite): 'reader' | 'accepted exactly' | 'refused exactly' {
  const verdict = validateObject(definition(), one, { timings: true });
  expect(verdictText(verdict)).toBe(verdictText(validateObject(definition(), asText)));
  if ('cancelled' in verdict) throw new Error('cancelled');
  if (verdict.phases === undefined) return 'reader';
  return verdict.accepted ? 'accepted exactly' : 'refused exactly';
}

const judgedYaml = (text: string, more?: Partial<ObjectWrite>): string => judged(write(utf8Bytes(text), more), write(text, more));

describe('a body in YAML', () => {
  it.each<readonly [string, 'reader' | 'accepted exactly' | 'refused exactly', string]>([
    ['plain', 'reader', spec('title: a title')],
    ['of words, numbers and aliases', 'reader', spec('{title: &t "yes", share: .5, size: 0x1F, tags: [*t, no-tag]}')],
    ['beyond ASCII, with escapes', 'reader', spec('title: "\\u00e9\\x1b\\U0001F600 ü"')],
    ['a whole number as a fraction', 'reader', spec('size: 12.0')],
    ['a number that no double holds', 'accepted exactly', spec('any: {n: 9007199254740993}')],
    ['a negative zero, which becomes an integer', 'reader', spec('share: -0.0')],
    ['a whole number beyond integers', 'accepted exactly', spec('share: 1e300')],
    ['a text that looks like half a pair', 'accepted exactly', spec("title: '\\ud800'")],
    ['nested deep', 'accepted exactly', spec(`any: {a: ${'['.repeat(300)}${']'.repeat(300)}}`)],
    ['half a pair', 'refused exactly', spec('title: "\\ud800"')],
    ['a key that comes twice', 'accepted exactly', spec('title: a\n  title: b')],
    ['an unknown field', 'accepted exactly', spec('other: a')],
    ['a null for a default', 'reader', spec('size: null')],
    ['a rule that is not true', 'refused exactly', spec('tags: [longer]')],
    ['of a wrong type', 'refused exactly', spec('title: 7')],
    ['infinite', 'refused exactly', spec('share: .inf')],
    ['no YAML', 'refused exactly', spec('title: [a')],
    ['a tag that is a key of objects', 'reader', spec('any: {__proto__: {a: b}, toJSON: c, constructor: d}')],
  ])('is judged like the same body in JSON, %s (by: %s)', (_, how, text) => {
    expect(judgedYaml(text)).toBe(how);
  });

  it('is rejected in strict mode if a key occurs twice', () => {
    expect(judgedYaml(spec('title: a\n  title: b'), { fieldValidation: 'Strict' })).toBe('refused exactly');
  });

  it('that the caller already parsed is not parsed again, and does not change', () => {
    for (const text of [spec('title: a title'), spec('other: a')]) {
      const yaml = readYamlBody(utf8Bytes(text), undefined);
      const before = JSON.stringify(yaml.reading);
      const one = write(utf8Bytes('no: [YAML'), { yaml });
      expect(judged(one, write(text))).toBe(text.includes('other') ? 'accepted exactly' : 'reader');
      expect(judged(one, write(text))).toBeDefined();
      expect(JSON.stringify(yaml.reading)).toBe(before);
    }
  });

  it('includes the time of parsing in its timings, if the caller parsed it', () => {
    const yaml = { ...readYamlBody(utf8Bytes(spec('other: a')), undefined), ms: 1000 };
    const verdict = validateObject(definition(), write(utf8Bytes(spec('other: a')), { yaml }), { timings: true });
    expect('phases' in verdict && verdict.phases?.parse).toBeGreaterThanOrEqual(1000);
  });

  it('is judged like the same body in JSON, in an update', () => {
    const oldObject = read('{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"},"spec":{"size":2}}');
    expect(judgedYaml(spec('title: a title'), { operation: 'UPDATE', oldObject })).toBe('reader');
    expect(judgedYaml(spec('tags: [longer]'), { operation: 'UPDATE', oldObject })).toBe('refused exactly');
  });
});

function read(text: string): JsonObject {
  const reading = readJson(text);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('no object');
  return reading.value;
}

describe('an object that the caller already parsed', () => {
  const body = (fields: string): string => `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"},"spec":{${fields}}}`;

  it.each([
    ['reader', '"title":"a","share":0.5,"any":{"__proto__":{"a":1}}'],
    ['accepted exactly', '"share":1.0'],
    ['accepted exactly', '"share":-0.0'],
    ['accepted exactly', '"any":{"n":9007199254740993}'],
    ['accepted exactly', '"any":{"n":[1e3]}'],
    ['refused exactly', '"title":7'],
  ])('is judged like the same object in JSON (by: %s): %s', (how, fields) => {
    const text = body(fields);
    expect(judged(write(read(text), { contentType: undefined }), write(text, { contentType: 'application/json' }))).toBe(how);
  });

  it('is not changed', () => {
    const object = read(body('"title":"a"'));
    validateObject(definition(), write(object));
    expect(writeJson(object)).toBe(writeJson(read(body('"title":"a"'))));
  });

  it.each<readonly [string, JsonValue]>([
    ['half a pair', { title: '\ud800' }],
    ['no number', { size: Number.NaN }],
  ])('is validated by the exact code if JSON cannot express one of its values: %s', (_, spec) => {
    const object = read(body('"title":"a"'));
    object['spec'] = Object.assign(newJsonObject(), spec);
    const verdict = validateObject(definition(), write(object), { timings: true });
    expect(verdict).toHaveProperty('phases');
  });
});
