import { describe, expect, it } from 'vitest';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { compileProgram } from '../../compile.ts';
import type { EngineChoice } from '../../engines/plan-program.ts';
import { mutationEnvironmentFor } from '../../language/environment.ts';
import { viewJson } from '../json-view.ts';
import { DYN, typeText } from '../types/type.ts';
import { isList, isMap } from '../type-of.ts';
import { CelError, Optional } from '../value.ts';
import type { CelValue } from '../value.ts';
import { JsonPatchLiteral, ObjectLiteral } from './mutation-messages.ts';

const WORDS = { compile: '', resultType: () => 'result', program: 'program: ' };

function show(value: CelValue): unknown {
  if (value instanceof CelError) return { error: value.message };
  if (value instanceof Optional) return value.value === undefined ? 'none' : { some: show(value.value) };
  if (value instanceof ObjectLiteral)
    return { [value.celType.name]: Object.fromEntries([...value.fields].map(([name, field]) => [name, show(field)])) };
  if (value instanceof JsonPatchLiteral) return `${value.op} ${value.path}`;
  if (isList(value)) return Array.from({ length: value.size }, (_, index) => show(value.at(index)));
  return isMap(value) ? Object.fromEntries([...value.keys()].map((key) => [key, show(value.get(key) ?? null)])) : value;
}

function compileMutation(text: string, engine: EngineChoice = 'interpreted') {
  const environment = mutationEnvironmentFor(LATEST_MINOR, 'stored');
  return compileProgram(text, { variables: new Map([['object', DYN]]), environment, results: undefined, messages: WORDS, engine });
}

function evaluate(text: string, engine?: EngineChoice): { type: string; value: unknown; cost: number } {
  const compiled = compileMutation(text, engine);
  if (!compiled.ok) throw new Error(compiled.error);
  const { value, cost } = compiled.program.evaluate({ object: viewJson({ a: 1 }) }, { costLimit: Infinity, token: undefined });
  return { type: typeText(compiled.outputType), value: show(value), cost };
}

describe('message literals', () => {
  it.each<[expression: string, type: string, value: unknown, cost: number]>([
    ['Object{}', 'Object', { Object: {} }, 40],
    ['Object.spec{a: 1, ?b: optional.of(2), ?c: optional.none()}', 'Object.spec', { 'Object.spec': { a: 1, b: 2 } }, 42],
    ['Object{a: 1, a: 2}', 'Object', { Object: { a: 2 } }, 40],
    ['Object{a: 1/0}', 'Object', { error: 'division by zero' }, 41],
    ['Object{?a: dyn(1)}', 'Object', { error: "cannot initialize optional entry 'a' from non-optional value 1" }, 40],
    ['Object{a: 1}.a', 'dyn', 1, 42],
    ['Object{}.a', 'dyn', null, 42],
    ['Object{}.a.b', 'dyn', { error: 'no such key: b' }, 43],
    ['Object{a: [Object.a{b: 1}]}.a', 'dyn', [{ b: 1 }], 92],
    ['has(Object{a: 1}.a)', 'bool', true, 41],
    ['has(Object{}.a)', 'bool', false, 41],
    ['Object{a: 1}.?a', 'optional_type(dyn)', 'none', 41],
    ['dyn(Object{a: 1}).a', 'dyn', { error: 'no such key: a' }, 43],
    ['(object.a == 2 ? Object{a: 1} : null).a', 'dyn', { error: 'cannot get field "a"' }, 4],
    ['Object{a: 1} == Object{a: 1}', 'bool', true, 81],
    ['Object{a: 1} == Object{a: 1.0}', 'bool', false, 81],
    ['Object{a: [1]} == Object{a: [1]}', 'bool', false, 81],
    ['type(Object{}) == type(Object{})', 'bool', true, 83],
    ['optional.ofNonZeroValue(Object{})', 'optional_type(Object)', 'none', 41],
    ["JSONPatch{op: 'add', path: '/a', value: 1}", 'JSONPatch', 'add /a', 40],
    ["JSONPatch{op: 'add'}.from", 'string', '', 42],
    ["has(JSONPatch{op: 'add'}.from)", 'bool', false, 41],
    ["JSONPatch{op: 'add'}.?value", 'optional_type(dyn)', 'none', 41],
    ["dyn(JSONPatch{op: 'add'}).foo", 'dyn', { error: 'unsupported indexer: foo' }, 43],
    ['JSONPatch{op: object.a}', 'JSONPatch', { error: "unexpected type int64 for JSONPatchType 'op' field" }, 42],
    ["JSONPatch{op: 'a', value: 1} == JSONPatch{op: 'a', value: 1.0}", 'bool', true, 81],
    ["jsonpatch.escapeKey('k8s.io/my~label')", 'string', 'k8s.io~1my~0label', 2],
  ])('have the expected type, value and cost in both engines: %s', (expression, type, value, cost) => {
    expect(evaluate(expression)).toEqual({ type, value, cost });
    expect(evaluate(expression, nodeEngine('compiled'))).toEqual({ type, value, cost });
  });

  it.each([
    "Object{spec: Object.spec{replicas: object.a + 1, ?paused: object.?paused, template: {'a': [object.a]}}}",
    "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: Object.metadata{labels: {'a': 'b'}}}]",
    'object.a == 1 ? Object{a: 2} : Object{}',
    '[1, 2].map(i, Object.spec{i: i + object.a})',
    'Object{a: object.a / 0, b: 1}',
    'Object{?a: object.?missing, b: object.missing}',
  ])('run as generated code: %s', (expression) => {
    const compiled = compileMutation(expression, nodeEngine('compiled'));
    expect(compiled.ok && [compiled.program.engine, compiled.program.obstacle]).toEqual(['compiled', undefined]);
    expect(evaluate(expression, nodeEngine('compiled'))).toEqual(evaluate(expression));
  });

  it.each([
    ['Foo{}', "undeclared reference to 'Foo' (in container '')"],
    ['Objectx{}', "undeclared reference to 'Objectx' (in container '')"],
    ['string{}', "'string' is not a message type"],
    ['JSONPatch{op: 1}', "expected type of field 'op' is 'string' but provided type is 'int'"],
    ['JSONPatch{foo: 1}', "expected type of field 'foo' is '' but provided type is 'int'"],
    ['Object{?a: 1}', "expected type 'optional_type(int)' but found 'int'"],
    ['Object{} == Object.spec{}', "found no matching overload for '_==_' applied to '(Object, Object.spec)'"],
    ['type(Object{}) == Object', 'program: reference to undefined type: Object'],
  ])('%s does not compile', (expression, error) => {
    expect(compileMutation(expression)).toMatchObject({ ok: false, error: expect.stringContaining(error) as string });
  });
});
