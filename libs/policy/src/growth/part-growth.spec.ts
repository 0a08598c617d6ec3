import { MAX_BODY_BYTES, PER_CALL_LIMIT } from '#kube';
import { nodeEngine } from '#runner/linker';
import { CancellationFlag, Cancelled, utf8Length, writeJson } from '#go';
import { describe, expect, it } from 'vitest';
import { thorough } from '../../../../testing/thorough.ts';
import { configMap, json, requestOf, worldOf } from '../testing/admission-fixture.ts';
import { compilePolicies } from '../validate/compiled-policy.ts';
import { partsOf } from './object-parts.ts';
import { compileMutatingPolicies } from '../mutate/mutating-policy.ts';
import { growingParts, growParts } from './part-growth.ts';
import { probePolicy } from './probe-policy.ts';
import type { ProbedPolicy } from './probe-policy.ts';

const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];
const widget = (sizes: readonly number[]) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default' },
  spec: { sizes, name: 'n' },
});

function hookOf(...validations: readonly string[]): ProbedPolicy {
  const compiled = compilePolicies(
    [
      json({
        metadata: { name: 'p' },
        spec: { matchConstraints: { resourceRules: everything }, validations: validations.map((expression) => ({ expression })) },
      }),
    ],
    [json({ metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'] } })],
    { minor: '1.37', engine: nodeEngine('adaptive') },
  );
  if (!compiled.ok || compiled.set.hooks[0] === undefined) throw new Error('no hook');
  return { kind: 'validating', hook: compiled.set.hooks[0] };
}

describe('the largest length of a list that a policy can evaluate', () => {
  const request = requestOf({ object: widget([1, 2]) });
  const world = worldOf({});

  it.each([
    ['a loop', 'object.spec.sizes.all(x, x > 0)'],
    ['a loop in a loop', 'object.spec.sizes.all(x, object.spec.sizes.all(y, x + y > 0))'],
    ['three loops', 'object.spec.sizes.all(x, object.spec.sizes.all(y, object.spec.sizes.all(z, x + y + z > 0)))'],
  ])('is the exact length at which the limit stops %s', (_, expression) => {
    const hook = hookOf(expression);
    const [growth, ...more] = growParts(hook, request, world);
    expect(more).toEqual([]);
    expect(growth).toMatchObject({
      part: 'validation',
      index: 0,
      list: 'spec.sizes',
      unit: 'elements',
      length: 2,
      endsBy: 'limit',
      isChecked: true,
    });
    const list = partsOf(request.object ?? {}).find(({ path }) => path === 'spec.sizes');
    const costAt = (length: number) =>
      probePolicy(hook, { ...request, object: list!.grownTo(length) }, world).expressions.get('validation 0 ')!;
    const longest = growth?.mayGrowTo ?? 0;
    expect(longest).toBeGreaterThan(20);
    expect(costAt(longest)).toMatchObject({ isStopped: false });
    expect(costAt(longest).cost).toBeLessThanOrEqual(PER_CALL_LIMIT);
    expect(costAt(longest + 1).isStopped).toBe(true);
  });

  it('is not reported for lists whose length does not change the cost', () => {
    expect(growParts(hookOf("object.spec.name == 'n'", 'object.spec.sizes.size() < 3'), request, world)).toEqual([]);
  });

  it('is unlimited if the largest request is too small to reach a limit', () => {
    const long = { ...widget([1]), spec: { sizes: ['x'.repeat(100_000), 'y'.repeat(100_000)] } };
    const [growth] = growParts(hookOf("object.spec.sizes.all(x, x != '')"), requestOf({ object: long }), world);
    expect(growth).toMatchObject({ mayGrowTo: undefined, endsBy: undefined, largest: 31, isChecked: true });
  });

  it('depends on the budget of the policy if no single expression exceeds its limit', () => {
    const dear = 'object.spec.sizes.all(x, object.spec.sizes.all(y, x + y > 0))';
    const growth = growParts(hookOf(...Array.from({ length: 12 }, () => dear)), request, world);
    expect(growth).toHaveLength(12);
    const [alone] = growParts(hookOf(dear), request, world);
    for (const one of growth) expect(one).toMatchObject({ endsBy: 'budget', isChecked: true, mayGrowTo: growth[0]?.mayGrowTo });
    expect(growth[0]?.mayGrowTo).toBeLessThan(alone?.mayGrowTo ?? 0);
  });

  it.skipIf(!thorough)('is also found for maps, texts, parameter objects and mutating policies', () => {
    const deep = "object.data.all(k, object.data.all(l, params.data.list.split(',').all(m, k + l + m != '')))";
    const patch = `[JSONPatch{op: 'add', path: '/data/all', value: string(${deep})}]`;
    const compiled = compileMutatingPolicies(
      [
        json({
          metadata: { name: 'p' },
          spec: {
            paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
            matchConstraints: { resourceRules: everything },
            reinvocationPolicy: 'Never',
            mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patch } }],
          },
        }),
      ],
      [json({ metadata: { name: 'b' }, spec: { policyName: 'p', paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } } })],
      { minor: '1.37', engine: nodeEngine('adaptive') },
    );
    const hook = compiled.ok ? compiled.set.hooks[0] : undefined;
    if (hook === undefined) throw new Error('no hook');
    const policy: ProbedPolicy = { kind: 'mutating', hook };
    const limits = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits', namespace: 'default' }, data: { list: 'a,b' } };
    const asked = requestOf({ object: configMap({ one: 'x', two: 'y' }) });
    const cluster = worldOf({ minor: '1.37', params: [limits] });
    const found = growParts(policy, asked, cluster);
    expect(found.map(({ list, unit, param, part }) => [part, list, unit, param])).toEqual([
      ['mutation', 'data', 'entries', undefined],
      ['mutation', 'data.list', 'characters', 'default/limits'],
    ]);
    for (const [i, { mayGrowTo = 0, isChecked, endsBy }] of found.entries()) {
      expect({ isChecked, endsBy }).toEqual({ isChecked: true, endsBy: 'limit' });
      const part = growingParts(probePolicy(policy, asked, cluster), asked, cluster).find(({ path }) => path === found[i]?.list);
      const stopsAt = (length: number) => {
        const { request: grown, world: around } = part!.with(length);
        return probePolicy(policy, grown, around).expressions.get('mutation 0 ')?.isStopped;
      };
      expect([stopsAt(mayGrowTo), stopsAt(mayGrowTo + 1)]).toEqual([false, true]);
    }
  });

  it('is not computed further after the caller cancels the search', () => {
    const token = new CancellationFlag();
    token.cancel();
    expect(() => growParts(hookOf('object.spec.sizes.all(x, x > 0)'), request, world, token)).toThrow(Cancelled);
  });
});

describe('growing parts of an object', () => {
  it('are lists, maps and texts, without the fields that identify the object', () => {
    const object = json({ apiVersion: 'v1', kind: 'X', metadata: { name: 'n', labels: { a: 'b' } }, spec: { list: ['é'], map: { k: 1 } } });
    expect(partsOf(object).map(({ path, unit, length }) => [path, unit, length])).toEqual([
      ['spec.list', 'elements', 1],
      ['spec', 'entries', 2],
      ['metadata.labels', 'entries', 1],
      ['spec.map', 'entries', 1],
      ['metadata.labels.a', 'characters', 1],
      ['spec.list[0]', 'characters', 1],
    ]);
    const [, , , map, , text] = partsOf(object);
    expect(JSON.parse(writeJson(map!.grownTo(3)))).toMatchObject({ spec: { map: { k: 1, 'copy-1': 1, 'copy-2': 1 } } });
    expect(JSON.parse(writeJson(text!.grownTo(3)))).toMatchObject({ spec: { list: ['ééé'] } });
    for (const part of partsOf(object)) expect(utf8Length(writeJson(part.grownTo(part.largest)))).toBeLessThanOrEqual(MAX_BODY_BYTES);
  });

  it('exclude the Go structs of built-in kinds', () => {
    const { object, objectType } = requestOf({
      object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { nodeSelector: { a: 'b' } } },
    });
    const maps = partsOf(object ?? {}, objectType).filter(({ unit }) => unit === 'entries');
    expect(maps.map(({ path }) => path)).toEqual(['spec.nodeSelector']);
  });
});

describe('growing lists of an object', () => {
  it('are found at any depth, and grow by copies of their elements up to the size of a request', () => {
    const object = json({ a: [1, 2], b: { c: [{ d: ['x'] }], e: [] } });
    const lists = partsOf(object).filter(({ unit }) => unit === 'elements');
    expect(lists.map(({ path, length }) => [path, length])).toEqual([
      ['a', 2],
      ['b.c', 1],
      ['b.c[0].d', 1],
    ]);
    expect(JSON.parse(writeJson(lists[2]!.grownTo(3)))).toEqual({ a: [1, 2], b: { c: [{ d: ['x', 'x', 'x'] }], e: [] } });
    expect(JSON.parse(writeJson(lists[0]!.grownTo(5)))).toMatchObject({ a: [1, 2, 1, 2, 1] });
    expect(writeJson(object)).toBe('{"a":[1,2],"b":{"c":[{"d":["x"]}],"e":[]}}');
    expect(writeJson(lists[0]!.grownTo(lists[0]!.largest)).length).toBeLessThanOrEqual(MAX_BODY_BYTES);
  });
});
