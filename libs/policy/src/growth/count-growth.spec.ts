import { latestServer, OBJECT_BUDGET } from '#kube';
import { CancellationFlag, Cancelled, writeJson } from '#go';
import { describe, expect, it } from 'vitest';
import { configMap, json, requestOf } from '../testing/admission-fixture.ts';
import { growCount, growSizes, stopOf } from './count-growth.ts';
import { multiplyPolicy } from './multiply-policy.ts';
import type { Multiplied, PolicySubject } from './multiply-policy.ts';
import { compileSubject, probeSubject } from './probe-policy.ts';
import type { SampleRequest } from './probe-policy.ts';

const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];

function subjectOf(kind: 'Validating' | 'Mutating', spec: object, binding: object = {}, cluster: readonly object[] = []): PolicySubject {
  return {
    policy: json({
      kind: `${kind}AdmissionPolicy`,
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules: everything }, ...spec },
    }),
    bindings: [
      json({
        kind: `${kind}AdmissionPolicyBinding`,
        metadata: { name: 'b' },
        spec: { policyName: 'p', validationActions: ['Deny'], ...binding },
      }),
    ],
    cluster: cluster.map(json),
    definitions: [],
  };
}

const sampleOf = (object: object): SampleRequest => ({ request: requestOf({ object }), server: latestServer(), authorizer: [] });
const sample = sampleOf(configMap({ a: 'x', b: 'y' }));

function costsAt(subject: PolicySubject, what: Multiplied, sizes: number): readonly (readonly [size: number, cost: number])[] {
  const base = probeSubject(subject, sample);
  if (typeof base === 'string') throw new Error(base);
  const growth = growCount(subject, sample, what, base, undefined);
  if (typeof growth === 'string') throw new Error(growth);
  const points: [number, number][] = [];
  for (const { size, probe } of growth.sizes) {
    points.push([size, probe.cost]);
    if (points.length === sizes) break;
  }
  return points;
}

const PARAM = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits', namespace: 'default' }, data: { most: '5' } };
const withParam = (spec: object): PolicySubject =>
  subjectOf(
    'Validating',
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...spec },
    { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    [PARAM],
  );

describe('multiplying a part of a policy for measurements', () => {
  const data = "object.data.all(k, object.data[k] != '')";

  it('multiplies the cost by the number of bindings', () => {
    const subject = subjectOf('Validating', { validations: [{ expression: data }] });
    const [[, one] = [1, 0], ...more] = costsAt(subject, 'bindings', 4);
    expect(one).toBeGreaterThan(5);
    expect(more).toEqual([4, 16, 64].map((size) => [size, size * one]));
  });

  it('gives each copy of a binding its own parameter', () => {
    const subject = withParam({ validations: [{ expression: "params.data.most == '5'" }] });
    const made = multiplyPolicy(subject, 'bindings', 3);
    const probe = made.ok ? probeSubject(made.subject, sample) : made.why;
    expect(probe).toMatchObject({ bindings: 3, invocations: 3, parameters: 3, refusal: undefined });
    expect(typeof probe === 'string' ? [] : probe.runs.map(({ param }) => param)).toEqual([
      'default/limits',
      'default/limits-1',
      'default/limits-2',
    ]);
  });

  it('evaluates one binding once for each parameter', () => {
    const subject = withParam({ validations: [{ expression: "params.data.most == '5'" }] });
    const made = multiplyPolicy(subject, 'parameters', 5);
    expect(made.ok ? probeSubject(made.subject, sample) : made.why).toMatchObject({ bindings: 1, invocations: 5, parameters: 5 });
    expect(costsAt(subject, 'parameters', 3).map(([size, cost]) => cost / size)).toEqual([5, 5, 5].map(() => expect.any(Number)));
  });

  it.each(['Validating', 'Mutating'] as const)('evaluates each copy of a variable once (%s)', (kind) => {
    const patch = "JSONPatch{op: 'add', path: '/data/c', value: variables.keys.join(',')}";
    const spec = {
      variables: [{ name: 'keys', expression: 'object.data.map(k, k)' }],
      ...(kind === 'Validating'
        ? { validations: [{ expression: 'variables.keys.size() > 0' }] }
        : { reinvocationPolicy: 'Never', mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: `[${patch}]` } }] }),
    };
    const made = multiplyPolicy(subjectOf(kind, spec), 'variables', 7);
    const probe = made.ok ? probeSubject(made.subject, sample) : made.why;
    if (typeof probe === 'string') throw new Error(probe);
    const names = probe.runs.flatMap(({ evaluations }) => evaluations.flatMap(({ part, name }) => (part === 'variable' ? [name] : [])));
    expect(new Set(names)).toEqual(new Set(['keys', ...Array.from({ length: 7 }, (_, i) => `assayCopy${i}`)]));
    expect(names).toHaveLength(8);
    expect(probe.refusal).toBeUndefined();
  });

  it('adds match conditions only up to the number that a server accepts', () => {
    const subject = subjectOf('Validating', {
      matchConditions: [{ name: 'c', expression: "object.data.a == 'x'" }],
      validations: [{ expression: 'true' }],
    });
    const points = costsAt(subject, 'matchConditions', 20);
    expect(points.map(([size]) => size)).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(
      new Set(points.slice(1).map(([size, cost], i) => (cost - (points[i]?.[1] ?? 0)) / (size - (points[i]?.[0] ?? 0)))),
    ).toHaveProperty('size', 1);
  });

  it.each([
    ['variables', 'no expression uses a variable in this request'],
    ['matchConditions', 'the policy has no matchConditions'],
    ['parameters', 'no binding of the policy has a paramRef'],
  ] as const)('is refused for %s if the policy has none', (what, why) => {
    const subject = subjectOf('Validating', { validations: [{ expression: 'true' }] });
    const base = probeSubject(subject, sample);
    if (typeof base === 'string') throw new Error(base);
    expect(growCount(subject, sample, what, base, undefined)).toBe(why);
  });

  it('stops when it is cancelled', () => {
    const subject = subjectOf('Validating', { validations: [{ expression: data }] });
    const base = probeSubject(subject, sample);
    const token = new CancellationFlag();
    const growth = typeof base === 'string' ? base : growCount(subject, sample, 'bindings', base, token);
    token.cancel();
    expect(() => (typeof growth === 'string' ? growth : [...growth.sizes])).toThrow(Cancelled);
  });
});

describe('the growth of cost with the size of a part', () => {
  const grown = (subject: PolicySubject, request: SampleRequest) => {
    const compiled = compileSubject(subject, request);
    const base = probeSubject(subject, request);
    if (typeof compiled === 'string' || typeof base === 'string') throw new Error(String(compiled));
    return [...growSizes(compiled, request, base, undefined)].map(({ part, sizes }) => {
      const points = [...sizes];
      return { path: part.path, unit: part.unit, param: part.param, last: points.at(-1), costs: points.map(({ probe }) => probe.cost) };
    });
  };

  it('is measured for a map of an object and a validating policy, up to the limit of one evaluation', () => {
    const subject = subjectOf('Validating', {
      validations: [{ expression: "object.data.all(k, object.data.all(l, k != '' && l != ''))" }],
    });
    const [map, ...more] = grown(subject, sample);
    expect(map).toMatchObject({ path: 'data', unit: 'entries', param: undefined });
    expect(more).toEqual([]);
    expect(map?.last && stopOf(map.last.probe)).toBe('limit');
  });

  it('is measured for a text of an object and a mutating policy', () => {
    const expression = "[JSONPatch{op: 'add', path: '/data/c', value: object.data.a.upperAscii()}]";
    const subject = subjectOf('Mutating', {
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
    });
    const found = grown(subject, sample);
    expect(found.map(({ path, unit }) => [path, unit])).toEqual([['data.a', 'characters']]);
    expect(found[0]?.costs.at(-1)).toBeGreaterThan(20_000);
    expect(found[0]?.costs.at(-1)).toBeLessThan(OBJECT_BUDGET);
  });

  it('is measured for a list in an apply configuration, and for a text of a parameter', () => {
    const apply = { expression: "Object{data: {'n': string(object.metadata.labels.map(k, k).size())}}" };
    const labels = subjectOf('Mutating', {
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: apply }],
    });
    expect(grown(labels, sampleOf(configMap({}, { one: 'x' }))).map(({ path, unit }) => [path, unit])).toEqual([
      ['metadata.labels', 'entries'],
    ]);
    const text = withParam({ validations: [{ expression: "params.data.most.split(',').size() > 0" }] });
    expect(grown(text, sample)).toMatchObject([{ path: 'data.most', unit: 'characters', param: 'default/limits' }]);
  });

  it('is measured without changing the object', () => {
    const before = writeJson(sample.request.object ?? {});
    grown(subjectOf('Validating', { validations: [{ expression: "object.data.all(k, k != '')" }] }), sample);
    expect(writeJson(sample.request.object ?? {})).toBe(before);
  });
});
