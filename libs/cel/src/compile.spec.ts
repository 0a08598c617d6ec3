import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { compileProgram } from './compile.ts';
import { environmentFor } from './language/environment.ts';
import { viewJson } from './values/json-view.ts';
import { LazyMap } from './values/map.ts';
import { CelError } from './values/value.ts';
import { BOOL, DYN, INT, NULL, STRING } from './values/types/type.ts';
import type { Compiled, CompileRequest } from './compile.ts';
import type { CelType } from './values/types/type.ts';

const VARIABLES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['object', DYN],
  ['oldObject', DYN],
  ['owner.name', STRING],
  ['variables', { kind: 'object', name: 'kubernetes.variables', fields: new Map([['count', INT]]) }],
]);
const ENGINES = ['interpreted', 'compiled', 'adaptive'] as const;

const compile = (text: string, request: Partial<CompileRequest> = {}): Compiled =>
  compileProgram(text, {
    variables: VARIABLES,
    environment: environmentFor(LATEST_MINOR, 'stored'),
    results: undefined,
    messages: { compile: 'compilation failed: ', resultType: (found) => `but got ${found}`, program: 'no program: ' },
    ...request,
  });

/** An object that contains all kinds of JSON values. */
const object = viewJson({ spec: { replicas: 3, ratio: 0.5, tags: ['a', 'b'], none: null, labels: { x: 'y' } } });

describe('expressions with variables of any type', () => {
  it.each<[text: string, value: unknown, cost: number]>([
    ['object.spec.replicas == 3', true, 4],
    ['oldObject == null', true, 2],
    ['has(object.spec.none) && object.spec.none == null', true, 6],
    ['object.spec.tags.all(t, t in object.spec.labels || size(t) == 1)', true, 26],
    ['object.spec.labels.exists(k, object.spec.labels[k] == "y")', true, 13],
    ['owner.name + "!"', 'me!', 2],
    ['object.spec.missing', 'no such key: missing', 3],
    ['oldObject.spec', 'no such key: spec', 2],
  ])('give the expected value and cost in both engines: %s', (text, value, cost) => {
    for (const name of ENGINES) {
      const compiled = compile(text, { engine: nodeEngine(name) });
      if (!compiled.ok) throw new Error(compiled.error);
      const found = compiled.program.evaluate({ object, oldObject: null, 'owner.name': 'me' }, { costLimit: 1e6, token: undefined });
      expect([found.value instanceof CelError ? found.value.message : found.value, found.cost, name]).toEqual([value, cost, name]);
    }
  });

  it('are compiled to JavaScript code', () => {
    const compiled = compile('object.spec.replicas > variables.count', { engine: nodeEngine('compiled') });
    expect(compiled.ok && compiled.program.engine).toBe('compiled');
  });

  it('compute a LazyMap variable once, and only if the expression reads the variable', () => {
    const compiled = compile('object.spec.replicas == 3 || variables.count > 1 && variables.count < 5', { engine: nodeEngine('compiled') });
    if (!compiled.ok) throw new Error(compiled.error);
    let reads = 0;
    const run = (spec: number) => {
      const variables = new LazyMap(new Map([['count', () => ++reads + 1]]));
      return compiled.program.evaluate({ object: viewJson({ spec: { replicas: spec } }), variables }, { costLimit: 1e6, token: undefined });
    };
    expect([run(3).value, reads, run(1).value, reads]).toEqual([true, 0, true, 1]);
  });

  it.each<[string, readonly CelType[] | undefined, string]>([
    [
      'object.',
      undefined,
      "compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'\n | object.\n | .......^",
    ],
    ['object.x', [BOOL], 'but got dyn'],
    ['[1]', [STRING, NULL], 'but got list(int)'],
    ['variables.y', undefined, "compilation failed: ERROR: <input>:1:10: undefined field 'y'\n | variables.y\n | .........^"],
  ])('%s does not compile', (text, results, error) => {
    const compiled = compile(text, { results });
    expect(compiled.ok).toBe(false);
    if (!compiled.ok) expect(compiled.error).toBe(error);
  });
});
