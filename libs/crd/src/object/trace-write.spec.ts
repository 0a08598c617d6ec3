import { CancellationFlag, Cancelled, utf8Bytes } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { KEYWORDS } from '../keywords/all.ts';
import { VALUE } from '../keywords/forms/scalar-forms.ts';
import type { Keyword } from '../keywords/keyword.ts';
import { definitionOfSchema } from '../testing/definition-fixture.ts';
import type { ObjectWrite, ValidationOptions } from '../verdict.ts';
import { EVERY_KIND } from './openapi/kind.ts';
import { traceWrite } from './trace-write.ts';
import type { WriteTrace } from './trace-write.ts';

/** Keyword about the contents of all values, which generated code cannot read. */
const CONTENTS: Keyword = {
  name: 'isStrange',
  position: 100,
  form: VALUE,
  nesting: 'allowed',
  appliesTo: EVERY_KIND,
  contents: true,
  fastPaths: {},
  change: { kind: 'exact', change: 'isStrange changed', loosenedByRemoval: true },
  docs: { doc: 'An imaginary keyword.', value: 'scalar' },
};
const STRANGE = KEYWORDS.with({
  keywords: { isStrange: CONTENTS },
  validator: { appliesTo: EVERY_KIND, matches: () => 0, steps: () => [] },
});

type Engine = Parameters<typeof compileStoredDefinition>[1]['engine'];

function compiled(document: object, engine: Engine = nodeEngine('adaptive')): CompiledDefinition {
  const server = { minor: LATEST_MINOR, gates: defaultGates(LATEST_MINOR), engine, vocabulary: STRANGE };
  const outcome = compileStoredDefinition(document as never, server);
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

const SPEC = {
  type: 'object',
  properties: {
    size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
    share: { type: 'number' },
    text: { type: 'string' },
    ids: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule: 'self.all(i, i >= 0)' }] },
    words: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const WIDGETS = definitionOfSchema({ type: 'object', properties: { spec: SPEC } });
const PLAIN = definitionOfSchema({ type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } });

const HEAD = '"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"}';
const spec = (fields: string): string => `{${HEAD},"spec":{${fields}}}`;
const ids = (one: string): string => spec(`"ids":[${Array.from({ length: 40_000 }, () => one).join()}]`);

function trace(document: object, body: string, options: ValidationOptions = {}, more: Partial<ObjectWrite> = {}): WriteTrace {
  return traceWrite(compiled(document), written(body, more), options);
}

function written(body: string, more: Partial<ObjectWrite> = {}): ObjectWrite {
  return { operation: 'CREATE', body: utf8Bytes(body), contentType: 'application/json', fieldValidation: 'Warn', ...more };
}

const YAML: Partial<ObjectWrite> = { contentType: 'application/yaml' };

describe('the trace of a write', () => {
  it.each<[what: string, body: string, obstacle: string]>([
    ['a small object', spec('"size":1'), 'the object has fewer than 65,536 bytes of JSON'],
    [
      'a list that fits into no column',
      ids('3000000000'),
      'a list does not fit into a column, or a rule reads it in a way that columns do not support',
    ],
    ['a large object without a list', spec(`"text":"${'x'.repeat(70_000)}"`), 'the object has no list that can become a column'],
  ])('names the generated reader for %s', (_, body, obstacle) => {
    expect(trace(WIDGETS, body)).toEqual({ way: 'reader', obstacle });
  });

  it('names the generated reader for a schema without lists', () => {
    expect(trace(PLAIN, spec('"size":1'))).toEqual({ way: 'reader', obstacle: 'no list of the schema can become a column' });
  });

  it('names columns for a long list', () => {
    expect(trace(WIDGETS, ids('7'))).toEqual({ way: 'columns' });
  });

  it('names the conversion of a YAML body', () => {
    const body = `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: 1}\n`;
    expect(trace(PLAIN, body, {}, YAML)).toEqual({
      way: 'reader',
      fromYaml: true,
      obstacle: 'no list of the schema can become a column',
    });
  });

  const notation = 'a number, a text or a key is written in a form that the reader does not read, such as 1e3 or an escaped key';

  it.each<[what: string, body: string, obstacle: string, options?: ValidationOptions, more?: Partial<ObjectWrite>]>([
    ['an object that is rejected', spec('"size":0'), 'a server rejects the object'],
    ['an object of another kind', spec('').replace('Widget', 'Gadget'), 'a server rejects the object'],
    ['an unknown field', spec('"size":1,"colour":1'), 'the object has an unknown field "spec.colour"'],
    [
      'an unknown field that is ignored',
      spec('"colour":1'),
      'the object has an unknown field "spec.colour"',
      {},
      { fieldValidation: 'Ignore' },
    ],
    ['a key twice', spec('"size":1,"size":2'), 'the object has a duplicate field "spec.size"'],
    [
      'a key twice, in YAML',
      `{${HEAD},"spec":{"size":1,"size":2}}`,
      'the object has the warning: line 1: key "size" already set in map',
      {},
      YAML,
    ],
    [
      'a warning',
      spec('').replace('"name":"one"', '"name":"one","finalizers":["mine"]'),
      'the object has the warning: metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ],
    ['an exponent', spec('"share":1e-3'), notation],
    ['an escaped key', spec('"\\u0073ize":1'), notation],
    ['many digits in YAML', `{${HEAD},"spec":{"size":9007199254740993}}`, 'JSON cannot hold a value of the YAML exactly', {}, YAML],
    ['a null that is removed', spec('"words":{"a":"b","c":null}'), 'the server removes a null from the object'],
    ['many digits', spec('"size":9007199254740993'), 'the reader cannot decide about a part of the object'],
    ['a cost at the limit', spec('"size":1'), 'the cost of the rules reaches the limit of an object', { budget: 2 }],
    ['an update', spec('"size":1'), 'the trace covers only the creation of objects', {}, { operation: 'UPDATE' }],
    ['another version', spec('"size":1'), 'the definition does not serve the version of the object', {}, { version: 'v7' }],
  ])('names the exact path, with the reason, for %s', (_, body, obstacle, options, more) => {
    expect(trace(WIDGETS, body, options, more)).toEqual({ way: 'exact', obstacle });
  });

  it.each<[what: string, schema: object, obstacle: string]>([
    ['a keyword without generated code', { isStrange: true }, 'the root of the schema has the keyword isStrange, which no reader knows'],
    ['an embedded resource', { 'x-kubernetes-embedded-resource': true }, 'the root of the schema is an embedded resource'],
    ['a nullable root', { nullable: true }, 'the root of the schema is nullable'],
    ['a format', { format: 'date' }, 'the root of the schema has a format'],
    ['additional properties', { additionalProperties: true }, 'the root of the schema has additionalProperties'],
    [
      'a rule about the kind',
      { properties: { kind: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true' }] } } },
      'the schema has a rule at kind',
    ],
    [
      'another kind',
      { properties: { kind: { type: 'string', maxLength: 2 } } },
      'the schema forbids the apiVersion or the kind of its own objects',
    ],
    [
      'metadata with lists',
      { properties: { metadata: { type: 'object', properties: { finalizers: { type: 'array', items: { type: 'string' } } } } } },
      'the schema of metadata has defaults, lists, maps, or fields other than strings',
    ],
  ])('names the exact path, with the reason, for a schema with %s', (_, schema, obstacle) => {
    expect(trace(definitionOfSchema({ type: 'object', ...schema }), `{${HEAD}}`)).toEqual({ way: 'exact', obstacle });
  });

  it.each<[what: string, engine: Engine, obstacle: string]>([
    ['an interpreting engine', 'interpreted', 'the engine generates no code'],
    [
      'a host that forbids code',
      {
        kind: 'adaptive',
        link: () => {
          throw new EvalError('forbidden');
        },
      },
      'the host forbids code from strings',
    ],
  ])('names the exact path, with the reason, for %s', (_, engine, obstacle) => {
    expect(traceWrite(compiled(PLAIN, engine), written(spec('"size":1')))).toEqual({ way: 'exact', obstacle });
  });

  it('stops when it is cancelled', () => {
    const token = new CancellationFlag();
    token.cancel();
    expect(() => trace(WIDGETS, ids('-1'), { token })).toThrow(Cancelled);
  });
});
