import { describe, expect, it } from 'vitest';
import type { Minor } from '#kube';
import { typeText } from '../../values/types/type.ts';
import { environmentFor } from '../environment.ts';
import { compile } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';

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

describe('the checked type of an expression', () => {
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
  ])('%s is of type %s', (text, type) => {
    const compiled = compile(text, schema);
    expect(compiled.ok ? typeText(compiled.outputType) : compiled.error).toBe(type);
  });
});

describe('errors of the checker', () => {
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
  ])('are those of a server for %s', (text, message) => {
    const compiled = compile(text, schema);
    expect(compiled.ok ? '' : compiled.error.split('\n')[0]).toBe(`compilation failed: ERROR: <input>:${message}`);
  });

  it('state the line of an error in a rule of two lines', () => {
    const compiled = compile('self.b ||\n\tself.é👑', { type: 'object', properties: {} });
    expect(compiled.ok ? '' : compiled.error).toMatch(/^compilation failed: ERROR: <input>:2:/);
  });
});

describe('the type checker as of a given Kubernetes version', () => {
  const inMinor = (text: string, minor: Minor): string => {
    const compiled = compile(text, schema, { environment: environmentFor(minor, 'stored') });
    return compiled.ok ? 'compiles' : (compiled.error.split('\n')[0] ?? '');
  };

  it.each([
    // The oracles (the Go code of Kubernetes) of these versions gave these answers.
    [
      'optional.none().optMap(x, x)',
      '1.30',
      '1:14: incompatible type already exists for expression: id:2  call_expr:{function:"optional.none"}(2) old:optional(_var0), new:optional(_var3)',
    ],
    ['[1].all(__result__, true)', '1.37', '1:9: iteration variable overwrites accumulator variable'],
    ['[1].map(x, __result__)', '1.33', "1:12: undeclared reference to '__result__' (in container '')"],
    ['optional_type', '1.30', "1:1: undeclared reference to 'optional_type' (in container '')"],
    ["'a' + optional.none()", '1.30', "1:5: found no matching overload for '_+_' applied to '(string, optional(dyn))'"],
    ["'a' + optional.none()", '1.31', "1:5: found no matching overload for '_+_' applied to '(string, optional_type(dyn))'"],
  ] as const)("rejects %s in %s with that server's error", (text, minor, message) => {
    expect(inMinor(text, minor)).toBe(`compilation failed: ERROR: <input>:${message}`);
  });

  it.each([
    // The oracle of 1.38 (the Go code of Kubernetes) gave these answers.
    ['nope', "1:1: undeclared reference to 'nope'"],
    ['Foo{}', "1:4: undeclared reference to 'Foo'"],
    ['slef', "1:1: undeclared reference to 'slef' (did you mean 'self'?)"],
    ['se', "1:1: undeclared reference to 'se' (did you mean 'self' or 'semver'?)"],
    ['i', "1:1: undeclared reference to 'i' (did you mean 'in' or 'ip'?)"],
    ['size', "1:1: undeclared reference to 'size'"],
    ['lists.nope(1)', "1:1: undeclared reference to 'lists' (did you mean 'list'?)"],
    ['this.metadata.name', "1:14: undeclared reference to 'this.metadata.name' (did you mean 'format.named'?)"],
    ['optional.int(1)', "1:13: undeclared reference to 'optional.int' (did you mean 'optional.of' or 'optional.none'?)"],
    ['type([]) == int', "1:10: found no matching overload for '_==_' applied to '(type(list(dyn)), type(int))'"],
  ] as const)("rejects %s in 1.38 with that server's error", (text, message) => {
    expect(inMinor(text, '1.38')).toBe(`compilation failed: ERROR: <input>:${message}`);
  });

  it.each([
    ['optional.none().optMap(x, x)', '1.32'],
    ['[1].map(x, __result__.size())', '1.32'],
    ["timestamp <= timestamp('2024-01-01T00:00:00Z')", '1.31'],
  ] as const)('accepts %s in %s', (text, minor) => {
    expect(inMinor(text, minor)).toBe('compiles');
  });
});
