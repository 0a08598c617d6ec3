import { describe, expect, it } from 'vitest';
import { isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject } from '#go';
import { applyConfiguration } from './apply-configuration.ts';
import type { MergeRules } from './apply-configuration.ts';
import type { Atom, AtomRef, FieldAtom } from './atom.ts';
import { ForeignValue } from './merge-value.ts';
import { customKindAtom } from './schema-atoms.ts';

const NEWEST: MergeRules = { required: 'any', liveDuplicates: 'allowed' };

const object = (text: string): JsonObject => {
  const reading = readJson(text);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error(`no object: ${text}`);
  return reading.value;
};

const ref =
  (atom: Atom): AtomRef =>
  () =>
    atom;
const struct = (fields: Record<string, Atom | FieldAtom>, atomic = false): Atom => ({
  map: {
    atomic,
    fields: new Map(Object.entries(fields).map(([name, field]) => [name, 'type' in field ? field : { type: ref(field) }])),
  },
});
const list = (items: Atom, keys: string[], atomic = false): Atom => ({ list: { atomic, keys, items: ref(items) } });

const STRING: Atom = { scalar: 'string' };
const NUMBER: Atom = { scalar: 'numeric' };
const PORT = struct({ port: NUMBER, protocol: { type: ref(STRING), default: 'TCP' }, name: STRING });
const TYPE = struct({
  name: STRING,
  count: NUMBER,
  on: { scalar: 'boolean' },
  any: { scalar: 'untyped' },
  labels: { map: { atomic: false, fields: new Map(), others: ref(STRING) } },
  args: list(STRING, [], true),
  limits: struct({ cpu: STRING }, true),
  tags: list(STRING, []),
  ports: list(PORT, ['port', 'protocol']),
  boxes: list(struct({ name: STRING, args: list(STRING, [], true) }), ['name']),
});

function outcome(live: string, patch: string, rules = NEWEST): string {
  const result = applyConfiguration(ref(TYPE), object(live), object(patch), rules);
  return result.ok ? writeJson(result.object) : result.error;
}

describe('applyConfiguration', () => {
  it.each<[live: string, patch: string, merged: string]>([
    ['{"name":"a","count":1}', '{"count":2}', '{"count":2,"name":"a"}'],
    ['{"name":"a"}', '{"name":null}', '{"name":null}'],
    ['{"labels":{"a":"1","b":"2"}}', '{"labels":{"b":"3","c":"4"}}', '{"labels":{"a":"1","b":"3","c":"4"}}'],
    ['{"labels":{"a":"1"}}', '{"labels":null}', '{"labels":{"a":"1"}}'],
    ['{"labels":{"a":"1"}}', '{"labels":{}}', '{"labels":{"a":"1"}}'],
    ['{"name":"a"}', '{"labels":{}}', '{"labels":{},"name":"a"}'],
    ['{"tags":["a","b"]}', '{"tags":["c","a"]}', '{"tags":["c","a","b"]}'],
    ['{"tags":["a","b","c"]}', '{"tags":["c","a"]}', '{"tags":["b","c","a"]}'],
    [
      '{"ports":[{"port":1,"name":"a"}]}',
      '{"ports":[{"port":1,"protocol":"TCP","name":"b"}]}',
      '{"ports":[{"name":"b","port":1,"protocol":"TCP"}]}',
    ],
    ['{"ports":[{"port":1}]}', '{"ports":[{"port":1,"protocol":"UDP"}]}', '{"ports":[{"port":1},{"port":1,"protocol":"UDP"}]}'],
    ['{"ports":[{"port":1,"name":"a"},{"port":1}]}', '{"ports":[{"port":1,"name":"b"}]}', '{"ports":[{"name":"b","port":1}]}'],
    ['{"args":["a"]}', '{"name":"b"}', '{"args":["a"],"name":"b"}'],
  ])('merges %s with %s', (live, patch, merged) => {
    expect(outcome(live, patch)).toBe(merged);
  });

  const PATCH = 'failed to convert patch object to typed object: ';
  const LIVE = 'failed to convert original object to typed object: ';
  const ATOMIC = 'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ';
  it.each<[live: string, patch: string, error: string]>([
    ['{}', '{"foo":1}', `${PATCH}.foo: field not declared in schema`],
    ['{"foo":1}', '{}', `${LIVE}.foo: field not declared in schema`],
    ['{}', '{"name":1}', `${PATCH}.name: expected string, got &value.valueUnstructured{Value:1}`],
    ['{}', '{"count":"x"}', `${PATCH}.count: expected numeric (int or float), got string`],
    ['{}', '{"on":{"b":[1],"a":"x"}}', `${PATCH}.on: expected boolean, got &{map[a:x b:[1]]}`],
    ['{}', '{"labels":1.5}', `${PATCH}.labels: expected map, got &{1.5}`],
    ['{}', '{"tags":"x"}', `${PATCH}.tags: expected list, got &{x}`],
    [
      '{}',
      '{"count":"x","name":1}',
      `${PATCH}errors:\n  .count: expected numeric (int or float), got string\n  .name: expected string, got &value.valueUnstructured{Value:1}`,
    ],
    ['{}', '{"tags":["a","a"]}', `${PATCH}.tags: duplicate entries for key [="a"]`],
    ['{}', '{"tags":[null]}', `${PATCH}.tags: element 0: associative list without keys has an element that's an explicit null`],
    ['{}', '{"ports":[{"port":1},{"port":1}]}', `${PATCH}.ports: duplicate entries for key [port=1,protocol="TCP"]`],
    ['{}', '{"ports":[1]}', `${PATCH}.ports: element 0: associative list with keys may not have non-map elements`],
    ['{}', '{"ports":[{"port":1,"x":1}]}', `${PATCH}.ports[port=1,protocol="TCP"].x: field not declared in schema`],
    [
      '{}',
      '{"boxes":[{}]}',
      `${PATCH}.boxes: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    ['{}', '{"args":["x"],"boxes":[{"name":"a","args":[]}],"limits":{}}', `${ATOMIC}.args, .boxes[0].args, .limits`],
  ])('rejects %s merged with %s', (live, patch, error) => {
    expect(outcome(live, patch)).toBe(error);
  });

  it('follows the older rules for keys and duplicates in older versions', () => {
    const older: MergeRules = { required: 'each', liveDuplicates: 'refused' };
    expect(outcome('{"tags":["a","a"]}', '{}', older)).toBe(`${LIVE}.tags: duplicate entries for key [="a"]`);
    expect(outcome('{}', '{"ports":[{}]}', older)).toBe(
      `${PATCH}.ports: element 0: associative list with keys has an element that omits key field "port" (and doesn't have default value)`,
    );
  });

  it('rejects values that JSON cannot express', () => {
    const result = applyConfiguration(ref(TYPE), object('{}'), { any: new ForeignValue('structpb.NullValue', 'NULL_VALUE', '0') }, NEWEST);
    expect(result).toEqual({ ok: false, error: `${PATCH}.any: expected any scalar, got &{NULL_VALUE}` });
  });

  it('merges objects of a kind without a schema as plain JSON', () => {
    const type = ref(customKindAtom(undefined));
    const result = applyConfiguration(type, object('{"spec":{"a":1,"b":[1]}}'), object('{"spec":{"a":{"c":2}}}'), NEWEST);
    expect(result.ok && writeJson(result.object)).toBe('{"spec":{"a":{"c":2},"b":[1]}}');
  });
});
