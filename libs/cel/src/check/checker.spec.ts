import { describe, expect, it } from 'vitest';
import { typeText } from '../types/format.ts';
import { compile } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/schema-fixture.ts';

const schema: SchemaFixture = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    port: { intOrString: true },
    data: { type: 'string', format: 'byte' },
    at: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
    labels: { type: 'object', additionalProperties: { type: 'integer' } },
    nested: { type: 'object', properties: { 'a-b': { type: 'string' } } },
    namespace: { type: 'string' },
  },
};

describe('types', () => {
  it.each([
    ['self.name', 'string'],
    ['self.port', 'dyn'],
    ['self.data', 'bytes'],
    ['self.at', 'google.protobuf.Timestamp'],
    ['self.tags.map(t, size(t))', 'list(int)'],
    ['self.labels', 'map(string, int)'],
    ['self.nested.a__dash__b', 'string'],
    ['self.namespace == self.__namespace__', 'bool'],
    ['self.?count', 'optional_type(int)'],
    ['[]', 'list(dyn)'],
    ['{}', 'map(dyn, dyn)'],
    ['self.count < self.ratio', 'bool'],
    ['type(self.count)', 'type(int)'],
    ['self', 'selfType0'],
    ['cidr("10.0.0.0/8").ip()', 'net.IP'],
  ])('%s is %s', (text, type) => {
    const compiled = compile(text, schema);
    expect(compiled.ok ? typeText(compiled.outputType) : compiled.error).toBe(type);
  });
});

describe('complaints', () => {
  it.each([
    ['self.nmae', "1:5: undefined field 'nmae'"],
    ['self.count + self.name', "1:12: found no matching overload for '_+_' applied to '(int, string)'"],
    ['nope', "1:1: undeclared reference to 'nope' (in container '')"],
    ['self.count.foo', "1:11: type 'int' does not support field selection"],
    ['self.count.all(i, true)', "1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
    ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
    ["duration('x')", '1:10: invalid duration argument'],
    ["self.name.matches('(')", '1:19: invalid matches argument'],
    ["'%d'.format(['a'])", '1:14: error during formatting: decimal clause can only be used on integers, was given string'],
    ['1 && true', "1:1: expected type 'bool' but found 'int'"],
    ['Foo{}', "1:4: undeclared reference to 'Foo' (in container '')"],
  ])('%s', (text, message) => {
    const compiled = compile(text, schema);
    expect(compiled.ok ? '' : compiled.error.split('\n')[0]).toBe(`compilation failed: ERROR: <input>:${message}`);
  });

  it('are shown under their lines, in order of place', () => {
    const compiled = compile('self.b ||\n\tself.é👑', { type: 'object', properties: {} });
    expect(compiled.ok ? '' : compiled.error).toMatch(/^compilation failed: ERROR: <input>:2:/);
  });
});
