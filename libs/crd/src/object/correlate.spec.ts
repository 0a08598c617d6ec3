import { describe, expect, it } from 'vitest';
import { isJsonObject, newJsonObject, readJson } from '#go';
import type { JsonValue } from '#go';
import { Correlation, isPlainlyUnchanged } from './correlate.ts';
import { KEYWORDS } from '../keywords/all.ts';
import { SchemaDecoder, decodeSchema } from '../schema/decode-schema.ts';
import { toStructural } from '../structural/from-schema.ts';
import type { Structural } from '../structural/structural.ts';

function read(text: string): JsonValue {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

function structural(schema: unknown): Structural {
  const json = read(JSON.stringify(schema));
  const props = decodeSchema(
    new SchemaDecoder('JSONSchemaProps', { vocabulary: KEYWORDS }),
    isJsonObject(json) ? json : newJsonObject(),
    '',
  );
  const result = props && toStructural(props);
  if (result?.ok !== true) throw new Error('not structural');
  return result.structural;
}

const ITEM = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } };
const KEYED = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: ITEM };
const SCHEMA = structural({
  type: 'object',
  properties: {
    keyed: KEYED,
    twice: { ...KEYED, 'x-kubernetes-list-map-keys': ['name', 'size'] },
    plain: { type: 'array', items: ITEM },
    map: { type: 'object', additionalProperties: ITEM },
    any: { 'x-kubernetes-int-or-string': true },
  },
});

const SIDES = [
  '{}',
  '{"any":1}',
  '{"any":1.0}',
  '{"any":"1"}',
  '{"any":null}',
  '{"unknown":1}',
  '{"keyed":[]}',
  '{"keyed":[{"name":"a","size":1},{"name":"b","size":2}]}',
  '{"keyed":[{"name":"b","size":2},{"name":"a","size":1}]}',
  '{"keyed":[{"name":"a","size":1},{"name":"a","size":1}]}',
  '{"keyed":[{"name":"a","size":1},{"name":"a","size":2}]}',
  '{"keyed":[{"size":1},{"name":"a"}]}',
  '{"keyed":[{"name":null}]}',
  '{"keyed":[{"name":1,"size":1},{"name":"1","size":1}]}',
  '{"keyed":[{"name":"a","other":1}]}',
  '{"keyed":[null]}',
  '{"twice":[{"name":"a","size":1}]}',
  '{"twice":[]}',
  '{"plain":[{"name":"a"},{"other":1}]}',
  '{"plain":[]}',
  '{"map":{"x":{"name":"a"},"y":{}}}',
  '{"map":{"x":{"other":1}}}',
  '{"map":{}}',
];

describe('a value that isPlainlyUnchanged() finds equal to its old value', () => {
  it('is also unchanged for the class Correlation', () => {
    const plainly: string[] = [];
    for (const one of SIDES) {
      for (const other of SIDES) {
        if (!isPlainlyUnchanged(read(one), read(other), SCHEMA)) continue;
        plainly.push(one);
        expect(new Correlation(read(one), read(other), SCHEMA).unchanged, `${one} after ${other}`).toBe(true);
      }
    }
    expect(plainly).toEqual(expect.arrayContaining(['{}', '{"any":1}', SIDES[7], '{"plain":[]}', '{"map":{"x":{"name":"a"},"y":{}}}']));
  });
});
