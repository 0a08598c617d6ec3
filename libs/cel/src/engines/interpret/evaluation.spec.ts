import { readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import type { JsonValue } from '#go';
import type { Minor } from '#kube';
import { describe, expect, it } from 'vitest';
import { formatValue } from '../../values/format-value.ts';
import { CelError } from '../../values/value.ts';
import { wrapValue } from '../../values/wrap.ts';
import { environmentFor } from '../../language/environment.ts';
import { compile, schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';

const SCHEMA: SchemaFixture = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    list: { type: 'array', items: { type: 'integer' } },
    items: {
      type: 'array',
      listType: 'map',
      listMapKeys: ['key'],
      items: { type: 'object', properties: { key: { type: 'string' }, value: { type: 'integer' } }, required: ['key'] },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    set: { type: 'array', listType: 'set', items: { type: 'string' } },
    port: { intOrString: true },
    at: { type: 'string', format: 'date-time' },
    ttl: { type: 'string', format: 'duration' },
    nothing: { type: 'string', nullable: true },
  },
};

const OBJECT = `{
  "name": "widget", "count": 3, "ratio": 1.5, "on": true, "list": [3, 1, 2], "items": [{"key": "a", "value": 1}, {"key": "b"}],
  "labels": {"app": "web"}, "set": ["x", "y"], "port": "http", "at": "2024-02-29T12:00:00Z", "ttl": "90s", "nothing": null
}`;

function valueOf(json: string): JsonValue {
  const reading = readJson(Buffer.from(json));
  if (!reading.ok) throw new Error('bad fixture');
  return reading.value;
}

const self = wrapValue(valueOf(OBJECT), schemaOf(SCHEMA));

function run(text: string, minor: Minor = LATEST_MINOR, costLimit = 1_000_000): readonly [shown: string, cost: number] {
  const compiled = compile(text, SCHEMA, { engine: 'interpreted', environment: environmentFor(minor, 'stored') });
  if (!compiled.ok) throw new Error(compiled.error);
  const { value, cost } = compiled.program.evaluate({ self }, { costLimit, token: undefined });
  return [value instanceof CelError ? `error: ${value.message}` : formatValue(value), cost];
}

/** Expressions with the values and costs of a server of 1.37. */
const EVALUATED: readonly (readonly [text: string, shown: string, cost: number])[] = [
  ['true', 'true', 0],
  ['self.count', '3', 2],
  ['self.count == 3', 'true', 3],
  ['self.on ? self.count : 0', '3', 3],
  ['self.on || self.count / 0 == 1', 'true', 2],
  ['self.count / 0 == 1 || self.on', 'true', 6],
  ['self.count / 0 == 1 && self.on', 'error: division by zero', 6],
  ['self.on && self.count > 5', 'false', 5],
  ['has(self.name)', 'true', 1],
  ['has(self.nothing)', 'false', 1],
  ['self.labels.app', 'web', 3],
  ["self.labels['app']", 'web', 3],
  ['self.labels.zone', 'error: no such key: zone', 3],
  ["self.labels[?'zone'].orValue('none')", 'none', 2],
  ['self.?name.value()', 'widget', 3],
  ['self.list[0]', '3', 3],
  ['self.list[5]', 'error: index out of bounds: 5', 3],
  ['self.list[-1]', 'error: index out of bounds: -1', 3],
  ['self.list[?5].hasValue()', 'false', 3],
  ['1 in self.list', 'true', 5],
  ['4 in self.list', 'false', 5],
  ['1 in [1, 2, 3]', 'true', 0],
  ["'app' in self.labels", 'true', 3],
  ['self.list.all(x, x > 0)', 'true', 18],
  ['self.list.exists(x, x == 1)', 'true', 18],
  ['self.list.exists(x, 1 / x == 2)', 'false', 24],
  ['self.list.exists(x, x / 0 == 2)', 'error: division by zero', 24],
  ['self.list.exists_one(x, x > 2)', 'true', 12],
  ['self.list.map(x, x * 2)', '[6, 2, 4]', 45],
  ['self.list.filter(x, x > 1)', '[3, 2]', 35],
  ['self.list.all(i, x, i < 3)', 'true', 18],
  ['self.list.transformList(i, x, x + i)', '[3, 2, 4]', 48],
  ["self.labels.all(k, k == 'app')", 'true', 8],
  ["self.labels.transformMap(k, v, v + '!')", '{app: web!}', 8],
  ['[].all(x, x > 0)', 'true', 1],
  ["self.name + '-' + self.name", 'widget-widget', 7],
  ["self.name.startsWith('wid')", 'true', 3],
  ["self.name.matches('^w.*t$')", 'true', 4],
  ['self.name.size()', '6', 3],
  ['size(self.items)', '2', 3],
  ['self.items[0] == self.items[0]', 'true', 7],
  ["self.set + ['y', 'z']", '[x, y, z]', 3],
  ["self.set == ['y', 'x']", 'true', 3],
  ['self.list == [3, 1, 2]', 'true', 3],
  ['self.list + [4]', '[3, 1, 2, 4]', 3],
  ['type(self.port) == string', 'true', 4],
  ["self.port == 'http'", 'true', 3],
  ['dyn(1) == 1.0', 'true', 1],
  ['dyn(1) < 1.5', 'true', 1],
  ["dyn('a') < 1", 'error: no such overload', 1],
  ['self.count + 9223372036854775807', 'error: integer overflow', 3],
  ['-(-9223372036854775807 - 1)', 'error: integer overflow', 2],
  ['18446744073709551615u + 1u', 'error: unsigned integer overflow', 1],
  ['5 % 0', 'error: modulus by zero', 1],
  ['1.0 / 0.0', '+Inf', 1],
  ["double('1.5e3')", '1500', 0],
  ['string(self.ratio)', '1.5', 3],
  ['self.at.getDayOfYear()', '59', 3],
  ['self.at + self.ttl', '2024-02-29 12:01:30 +0000 UTC', 5],
  ["self.at - timestamp('2024-02-29T00:00:00Z')", '12h0m0s', 3],
  ["duration('1h') > self.ttl", 'true', 3],
  ["duration('-1h30m').getMinutes()", '-90', 1],
  ["{'a': 1, 'a': 2}", '{a: 2}', 0],
  ["{'a': 1}.b", 'error: no such key: b', 2],
  ['[1, 2, 3].sum()', '6', 3],
  ['[1, 2, 3].map(x, x) == [1, 2, 3]', 'true', 41],
  ["'%s is %d%%'.format([self.name, 50])", 'widget is 50%', 13],
  ["quantity('1Gi').compareTo(quantity('1024Mi'))", '0', 3],
  ['self.name.charAt(9)', 'error: index out of range: 9', 3],
  ['optional.none().value()', 'error: optional.none() dereference', 2],
  ['optional.of(1).optMap(x, x + 1)', 'optional(2)', 7],
  ["b'abc' == b'abc'", 'true', 1],
];

describe('evaluation', () => {
  it.each(EVALUATED)('gives for %s the value %s at a cost of %d', (text, shown, cost) => {
    expect(run(text)).toEqual([shown, cost]);
  });

  it('stops at the cost limit', () => {
    expect(run('self.list.all(x, x > 0)', LATEST_MINOR, 10)).toEqual(['error: operation cancelled: actual cost limit exceeded', 11]);
  });

  it('compares lists of type set as older Kubernetes versions do', () => {
    const shown = (minor: Minor): string => run("self.set == ['x', 'x']", minor)[0];
    expect([shown('1.36'), shown('1.37')]).toEqual(['true', 'false']);
  });
});

describe('expressions that compile, but for which a server cannot create a program', () => {
  it.each([
    ["bool('maybe')", "program instantiation failed: type conversion error from 'string' to 'bool'"],
    ['[type(1)].exists(t, t == int)', 'program instantiation failed: reference to undefined type: t'],
    ['duration == int', 'program instantiation failed: reference to undefined type: duration'],
  ])("have the server's error: %s", (text, error) => {
    expect(compile(text, SCHEMA)).toMatchObject({ ok: false, error });
  });
});
