import { readJson } from '#go';
import type { JsonObject } from '#go';
import { builtInKinds, readTyped } from '#policy/built-in';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import type { Minor } from '#kube';
import { compileProgram } from '../compile.ts';
import { environmentFor } from '../language/environment.ts';
import { compile, schemaOf } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/compile-fixture.ts';
import { formatValue } from './format-value.ts';
import { viewTyped } from './typed-view.ts';
import { DYN } from './types/type.ts';
import { CelError } from './value.ts';
import type { CelValue } from './value.ts';
import { wrapValue } from './wrap.ts';

const ENGINES = ['compiled', 'interpreted'] as const;
const KEYED = { type: 'object', properties: { k: { type: 'string' }, 'a-b': { type: 'integer' } }, required: ['k'] } as const;
const SCHEMA: SchemaFixture = {
  type: 'object',
  properties: {
    s: { type: 'string' },
    list: { type: 'array', items: { type: 'integer' } },
    times: { type: 'array', items: { type: 'string', format: 'date-time' } },
    numbers: { type: 'array', items: { type: 'number' } },
    set: { type: 'array', listType: 'set', items: { type: 'integer' } },
    keyed: { type: 'array', listType: 'map', listMapKeys: ['k'], items: KEYED },
  },
};
const OBJECT = `{"s": "a,b", "list": [1, 2], "times": ["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"], "numbers": [1, 2.5],
  "set": [1, 2], "keyed": [{"k": "x", "a-b": 1}, {"k": "y", "a-b": 2}]}`;

const shown = (value: CelValue): string => (value instanceof CelError ? value.message : formatValue(value));

function run(text: string, minor: Minor, engine: (typeof ENGINES)[number]): string {
  const reading = readJson(OBJECT);
  const compiled = compile(text, SCHEMA, { engine, environment: environmentFor(minor, 'stored') });
  if (!reading.ok) throw new Error('bad fixture');
  if (!compiled.ok) return compiled.error;
  const self = wrapValue(reading.value, schemaOf(SCHEMA));
  return shown(compiled.program.evaluate({ self }, { costLimit: 1_000_000, token: undefined }).value);
}

/** Tests copies of lists of an object against the recorded answers of servers of 1.37 and 1.38. */
describe('an expression that copies a list of an object', () => {
  it.each<[text: string, before: string, since38: string]>([
    ['self.times.reverse()[1] == self.times[0]', 'true', 'false'],
    ['self.times.slice(0, 1)[0].getFullYear() == 2020', 'true', 'no such overload: getFullYear(string)'],
    ['self.times[0] in self.times.slice(0, 2)', 'true', 'false'],
    ['type(self.numbers.reverse()[1]) == double', 'true', 'false'],
    ['self.numbers.slice(0, 1)[0] + 1.0 == 2.0', 'true', 'no such overload'],
    ['self.keyed.reverse()[0].a__dash__b == 2', 'true', 'no such key: a__dash__b'],
    ['self.keyed.reverse()[0].k', 'y', 'y'],
    ['self.keyed.slice(0, 1).reverse()[0].a__dash__b == 1', 'true', 'no such key: a__dash__b'],
    ['self.keyed == self.keyed.slice(0, 2)', 'true', 'true'],
    ['self.keyed == self.keyed.reverse()', 'true', 'true'],
    ['self.set.reverse() == self.set', 'false', 'false'],
    ['(self.list + [3]).reverse()[0] == 3', 'true', 'true'],
    ['self.list.reverse() == [2, 1]', 'true', 'true'],
    ["self.s.split(',').reverse() == ['b', 'a']", 'true', 'true'],
  ])('%s gives %s, and since 1.38 %s', (text, before, since38) => {
    for (const engine of ENGINES) {
      expect([engine, run(text, '1.37', engine)]).toEqual([engine, before]);
      expect([engine, run(text, '1.38', engine)]).toEqual([engine, since38]);
    }
  });
});

/** Tests lists of a typed object against the recorded answers of the policy plugin. */
describe('an expression that copies a list of a typed object', () => {
  const pod: JsonObject = {
    metadata: { finalizers: ['a/b', 'c/d'], ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u' }] },
    spec: { containers: [{ name: 'a' }, { name: 'b', image: 'j' }] },
  };
  const container =
    'unsupported conversion to ref.Val: (v1.Container){b j [] []  [] [] [] {map[] map[] []} [] <nil> [] [] [] nil nil nil nil    nil false false false}';

  /** Evaluates an expression about the pod with each engine, and returns its values and costs. */
  function runOnPod(text: string, minor: Minor): { readonly value: string; readonly cost: number }[] {
    const kind = builtInKinds(minor).kind('v1', 'Pod');
    const reading = kind && readTyped({ apiVersion: 'v1', kind: 'Pod', ...pod }, kind, minor);
    if (kind === undefined || reading?.ok !== true) throw new Error('no pod');
    const object = viewTyped(reading.object, kind.type);
    const environment = environmentFor(minor, 'stored');
    const messages = { compile: '', resultType: () => '', program: '' };
    return ENGINES.map((engine) => {
      const variables = new Map([['object', DYN]]);
      const compiled = compileProgram(text, { variables, environment, results: undefined, messages, engine: nodeEngine(engine) });
      if (!compiled.ok) throw new Error(compiled.error);
      const { value, cost } = compiled.program.evaluate({ object }, { costLimit: 1e6, token: undefined });
      return { value: shown(value), cost };
    });
  }

  it.each<[text: string, before: string, since38: string]>([
    ['object.spec.containers.reverse()[0].name', 'b', container],
    ['object.spec.containers.reverse().indexOf(1)', '-1', 'no such overload: indexOf(list, int)'],
    ['object.spec.containers.reverse().reverse()[0].name', 'a', 'no such overload: reverse(list)'],
    ['object.spec.containers.reverse().map(c, c)[0].name', 'b', container],
    [
      'object.metadata.ownerReferences.slice(0, 1)[0].name',
      'n',
      'unsupported conversion to ref.Val: (v1.OwnerReference){v1 X n u <nil> <nil>}',
    ],
    ['object.metadata.ownerReferences.reverse()[0].name', 'n', 'n'],
    ['object.metadata.finalizers.reverse()[0]', 'c/d', 'c/d'],
    ['object.metadata.ownerReferences[0] in object.metadata.ownerReferences.slice(0, 1)', 'true', 'false'],
    [
      'dyn(object.metadata.finalizers.slice(0, 1)) in object.spec',
      'unsupported map key type: *types.baseList',
      'unsupported map key type: *types.sliceList[string]',
    ],
    [
      '{}[dyn(object.spec.containers.slice(0, 1))]',
      'invalid qualifier type: *types.baseList',
      'invalid qualifier type: *types.sliceList[uint8]',
    ],
  ])('%s gives %s, and since 1.38 %s', (text, before, since38) => {
    for (const minor of ['1.37', '1.38'] as const)
      for (const { value } of runOnPod(text, minor)) expect([minor, value]).toEqual([minor, minor === '1.37' ? before : since38]);
  });

  const noKey = 'invalid qualifier type: *types.Err';
  it.each<[text: string, cost: number, error: string]>([
    // In 1.38, the elements are Go structs that CEL cannot convert. The cost of a selection counts before the selection fails.
    ['object.spec.containers.reverse().map(c, c)', 20, container],
    ['object.spec.containers.reverse().map(c, c.name)', 21, container],
    ['object.spec.containers.reverse().map(c, c.name.size())', 21, container],
    // An element that is an error is a value, but it cannot be a key.
    ["{'a': 1}[object.spec.containers.reverse()[0]]", 19, noKey],
    ['object.spec.containers.reverse().map(c, [1][c.name])', 22, container],
  ])('%s costs %d units in 1.38, and fails', (text, cost, error) => {
    for (const ran of runOnPod(text, '1.38')) expect(ran).toEqual({ value: error, cost });
  });

  it('uses an error as a key if it indexes a list with a wrong type, and fails', () => {
    for (const minor of ['1.37', '1.38'] as const)
      for (const ran of runOnPod('[1][object.metadata.finalizers[1u]]', minor)) expect(ran).toEqual({ value: noKey, cost: 5 });
  });
});

/** Tests the names of Go types in errors against the recorded answers of servers of 1.37 and 1.38. */
describe('the Go type in an error about a list or map', () => {
  const REF_VAL = 'cel.dev/cel-go/common/types/ref.Val';
  // An expression with a constant key fails during planning, and its error has a prefix.
  const error = (answer: string): string => answer.replace(/^.*: (?=invalid)/, '');
  const SLICE = `sliceList[${REF_VAL}]`;
  const MAP = `nativeMap[${REF_VAL},${REF_VAL}]`;

  it.each<[text: string, before: string, since38: string]>([
    ['[1]', 'types.baseList', `types.${SLICE}`],
    ['{1: 2}', 'types.baseMap', `types.${MAP}`],
    ['[1] + [2]', 'types.concatList', 'types.concatList'],
    ['self.list', 'common.unstructuredList', 'common.unstructuredList'],
    ['self.set', 'common.unstructuredSetList', 'common.unstructuredSetList'],
    ['self.keyed', 'common.unstructuredMapList', 'common.unstructuredMapList'],
    ['self', 'common.unstructuredMap', 'common.unstructuredMap'],
    ['self.list + [1]', 'types.baseList', `types.${SLICE}`],
    ['self.set + [3]', 'common.refValSetList', 'common.refValSetList'],
    ['self.keyed + self.keyed', 'common.refValMapList', 'common.refValMapList'],
    ["self.s.split(',')", 'types.baseList', 'types.sliceList[string]'],
    ["self.s.split(',').reverse()", 'types.baseList', 'types.sliceList[string]'],
    ["self.s.split(',').sort()", 'types.baseList', `types.${SLICE}`],
    ["self.s.findAll('[a-z]')", 'types.baseList', 'types.sliceList[string]'],
    ["url('https://a.b/?a=1').getQuery()", 'types.baseMap', `types.${MAP}`],
    ["url('https://a.b/?a=1').getQuery()['a']", 'types.baseList', 'types.sliceList[string]'],
    ["format.dns1123Label().validate('A_').value()", 'types.baseList', 'types.sliceList[string]'],
    ['lists.range(3)', 'types.baseList', 'types.sliceList[int]'],
    ['self.list.slice(0, 1)', 'types.baseList', 'types.sliceList[interface {}]'],
    ['self.keyed.reverse()[0]', 'common.unstructuredMap', 'types.nativeMap[string,interface {}]'],
    ['self.list.map(x, x)', 'types.baseList', `types.${SLICE}`],
    ['self.list.sort()', 'types.baseList', `types.${SLICE}`],
    ['{1: 2}.transformMap(k, v, v)', 'types.baseMap', `types.${MAP}`],
  ])('of %s is %s, since 1.38 %s', (value, before, since38) => {
    for (const engine of ENGINES) {
      for (const text of [`dyn({})[dyn(${value})]`, `{}[?dyn(${value})]`, `self.list[dyn(${value})]`]) {
        expect(error(run(text, '1.37', engine))).toBe(`invalid qualifier type: *${before}`);
        expect(error(run(text, '1.38', engine))).toBe(`invalid qualifier type: *${since38}`);
      }
    }
  });

  it("is part of Go's panic about an argument that is not a list", () => {
    const panic = (type: string): string => `interface conversion: *types.${type} is not traits.Lister: missing method Add`;
    for (const engine of ENGINES) {
      expect(run('dyn({}).distinct() == []', '1.37', engine)).toContain(panic('baseMap'));
      expect(run('dyn({}).distinct() == []', '1.38', engine)).toContain(panic(MAP));
    }
  });
});

describe('the search for an element that Go cannot hash', () => {
  it.each([
    ["dyn(b'a') in [1]", 'types.Bytes'],
    ["dyn(bytes(self.s)) in ['a', 'b']", 'types.Bytes'],
    ["dyn(semver('1.0.0')) in [1, 2, 3]", 'cel.Semver'],
  ])('reports the panic of a server for %s', (text, type) => {
    for (const engine of ENGINES) expect(run(text, '1.37', engine)).toContain(`runtime error: hash of unhashable type ${type}`);
  });
});
