import { describe, expect, it } from 'vitest';
import { builtInKinds, readTyped } from '#policy/built-in';
import { nodeEngine } from '#runner/linker';
import type { JsonValue } from '#go';
import { compileProgram } from '../compile.ts';
import { environmentFor } from '../language/environment.ts';
import { DYN } from './types/type.ts';
import { CelError } from './value.ts';
import type { CelValue } from './value.ts';
import { viewTyped } from './typed-view.ts';

const NEW: JsonValue = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'n', labels: { app: 'x', '1': 'y' }, annotations: {} },
  spec: {
    nodeSelector: {},
    tolerations: [],
    activeDeadlineSeconds: 5,
    containers: [
      {
        name: 'c',
        image: 'i',
        args: ['a', 'b'],
        resources: { requests: { cpu: '1000m', memory: '1024Mi' }, limits: { cpu: '2' } },
        ports: [{ containerPort: 80 }],
        livenessProbe: { httpGet: { port: 'http' } },
      },
      { name: 'd', image: 'i', resources: { requests: { memory: '1073741824' } }, livenessProbe: { httpGet: { port: 80 } } },
    ],
    volumes: [
      { name: 'v', emptyDir: { sizeLimit: '1Ki' } },
      { name: 'w', emptyDir: { sizeLimit: '1024' } },
      { name: 'x', emptyDir: {} },
    ],
  },
};
const OLD: JsonValue = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'n', labels: { app: 'z', '1': 'y' } },
  spec: {
    tolerations: [],
    activeDeadlineSeconds: 5,
    containers: [
      {
        name: 'c',
        image: 'i',
        args: ['a', 'b'],
        resources: { requests: { cpu: '1', memory: '1073741824' }, limits: { cpu: '2' } },
        ports: [{ containerPort: 80 }],
        livenessProbe: { httpGet: { port: 'http' } },
      },
      { name: 'd', image: 'i', resources: { requests: { memory: '1073741824' } }, livenessProbe: { httpGet: { port: 80 } } },
    ],
    volumes: [
      { name: 'v', emptyDir: { sizeLimit: '1Ki' } },
      { name: 'w', emptyDir: { sizeLimit: '1024' } },
      { name: 'x', emptyDir: {} },
    ],
  },
};

function view(pod: JsonValue): CelValue {
  const kind = builtInKinds('1.37').kind('v1', 'Pod');
  const reading = kind && readTyped(pod, kind, '1.37');
  if (kind === undefined || reading?.ok !== true) throw new Error('no pod');
  return viewTyped(reading.object, kind.type);
}

/** Tests expressions against the recorded answers of the 1.37 policy plugin: the value or error, and the cost. */
describe('expressions over typed objects', () => {
  const environment = environmentFor('1.37', 'stored');
  const variables = new Map([['object', DYN] as const, ['oldObject', DYN] as const]);
  const messages = { compile: '', resultType: () => '', program: '' };
  const given = { object: view(NEW), oldObject: view(OLD) };

  it.each<[expression: string, answer: unknown, cost: number]>([
    ['object.spec == oldObject.spec', true, 5],
    ['object == oldObject', false, 3],
    ['object.metadata == oldObject.metadata', false, 5],
    ['object.metadata.labels == oldObject.metadata.labels', false, 7],
    ['object.spec.containers == oldObject.spec.containers', true, 7],
    ['object.spec.containers[0] == oldObject.spec.containers[0]', true, 9],
    ['object.spec.containers[0].resources == oldObject.spec.containers[0].resources', true, 11],
    ['object.spec.containers[0].resources != oldObject.spec.containers[0].resources', false, 11],
    ['object.spec.containers[0] in oldObject.spec.containers', true, 8],
    ['object.spec.volumes[0].emptyDir == object.spec.volumes[1].emptyDir', true, 11],
    ['object.spec.volumes[0].emptyDir.sizeLimit == object.spec.volumes[1].emptyDir.sizeLimit', false, 13],
    ["object.spec.volumes[0].emptyDir == {'sizeLimit':'1Ki'}", true, 6],
    ["{'sizeLimit':'1Ki'} == object.spec.volumes[0].emptyDir", true, 6],
    ["object.spec.volumes[0].emptyDir == {'sizeLimit':'1024'}", false, 6],
    ['object.spec.volumes[2].emptyDir == {}', true, 5],
    ['{} == object.spec.volumes[2].emptyDir', true, 5],
    ['object.spec.containers[0].resources == object.spec', false, 8],
    ['object.spec.containers[0].resources == object.metadata.labels', false, 9],
    ['object.metadata.labels == object.spec.containers[0].resources', false, 9],
    ['object.spec.containers[0].resources == 1', 'no such overload', 6],
    ['object.spec.containers[0].resources == null', false, 6],
    ["object.spec == 'a'", 'no such overload', 3],
    ['object.metadata.labels == 1', 'no such overload', 4],
    ['object.metadata.labels == [1]', 'no such overload', 4],
    ['object.spec.containers == 1', 'no such overload', 4],
    ['object.spec.containers == {}', 'no such overload', 3],
    ["object.spec.containers[0].args == ['a','b']", true, 6],
    ["['a','b'] == object.spec.containers[0].args", true, 6],
    ["object.spec.containers[0].args == ['a']", false, 6],
    ['object.spec.containers == [object.spec.containers[0], object.spec.containers[1]]', true, 22],
    ['[object.spec.containers[0], object.spec.containers[1]] == object.spec.containers', true, 22],
    ["(object.spec.containers[0].args + ['c']) == ['a','b','c']", true, 7],
    ["'c' in (object.spec.containers[0].args + ['c'])", true, 9],
    ['object.spec.containers[0].args + 1', 'no such overload', 6],
    ['1 in object.spec.containers[0].args', false, 6],
    ["'a' in object.spec.containers[0].args", true, 6],
    ["'app' in object.metadata.labels", true, 4],
    ['1 in object.metadata.labels', 'unsupported map key type: types.Int', 4],
    ['1.0 in object.metadata.labels', 'unsupported map key type: types.Double', 4],
    ['null in object.metadata.labels', 'unsupported map key type: types.Null', 4],
    ['object.metadata.labels[1]', 'unsupported map key type: types.Int', 4],
    ['object.metadata.labels[1u]', 'unsupported map key type: types.Uint', 4],
    ['object.metadata.labels[true]', 'unsupported map key type: types.Bool', 4],
    ['object.metadata.labels[1.5]', 'unsupported map key type: types.Double', 4],
    ['object.spec[1]', 'unsupported map key type: types.Int', 3],
    ['object.spec[true]', 'unsupported map key type: types.Bool', 3],
    ["'containers' in object.spec", true, 3],
    ['1 in object.spec', 'unsupported map key type: types.Int', 3],
    ['true in object.spec', 'unsupported map key type: types.Bool', 3],
    ['has(object.metadata.creationTimestamp)', false, 2],
    ['object.status == {}', true, 2],
    ['object.spec.containers[0u].name', 'unsupported index type: types.Uint', 5],
    ['object.spec.containers[0.0].name', 'unsupported index type: types.Double', 5],
    ["object.spec.containers.filter(c, c.name == 'c') == [object.spec.containers[0]]", true, 38],
    ["object.metadata.labels.transformMap(k, v, v + '!').size()", 2, 15],
    ['optional.ofNonZeroValue(object.metadata.labels).hasValue()', true, 5],
    ['optional.ofNonZeroValue(object.status).hasValue()', true, 4],
    ['optional.ofNonZeroValue(object.spec.containers[1].resources).hasValue()', true, 7],
    ['optional.ofNonZeroValue(object.spec.containers[0].args).hasValue()', true, 7],
    ['type(object.spec) == map', true, 4],
    ['type(object.spec.containers) == list', true, 5],
    ['type(object.spec.containers[0].livenessProbe.httpGet.port) == string', true, 9],
    ['type(object.spec.containers[1].livenessProbe.httpGet.port) == int', true, 9],
    ['object.spec.containers[0].livenessProbe == object.spec.containers[1].livenessProbe', false, 11],
    ['object.spec.activeDeadlineSeconds + 1', 6, 4],
    ['dyn(object.spec) == oldObject.spec', true, 6],
    ['object.spec.containers.exists_one(c, c == oldObject.spec.containers[1])', true, 19],
    ['sets.equivalent(object.spec.containers, oldObject.spec.containers)', true, 15],
    ["{'a': object.spec} == {'a': oldObject.spec}", true, 65],
    ['[object.spec] == [oldObject.spec]', true, 25],
    ['object.spec + oldObject.spec', 'no such overload: _+_', 5],
    ['object.spec.containers.size() == 2 && object.spec.containers[0].ports[0].containerPort < 1024', true, 13],
    ["object.spec.containers[0].ports == [{'containerPort': 80}]", true, 6],
    ["object.spec.containers[0].ports[0] == {'containerPort': 80.0}", true, 7],
    ["object.spec.containers[0].ports[0] == {'containerPort': '80'}", false, 7],
    ["object.spec.containers[0].ports[0] == {'containerPort': [1]}", false, 7],
    ["object.metadata.labels == {'app': 'x', '1': 'y'}", true, 4],
    ['oldObject.spec.containers[1] == object.spec.containers[1]', true, 9],
  ])('have the expected value and cost in both engines: %s', (expression, answer, cost) => {
    for (const name of ['interpreted', 'compiled'] as const) {
      const compiled = compileProgram(expression, {
        variables,
        environment,
        results: undefined,
        messages,
        engine: nodeEngine(name),
      });
      if (!compiled.ok) throw new Error(compiled.error);
      const found = compiled.program.evaluate(given, { costLimit: 1e6, token: undefined });
      expect([found.value instanceof CelError ? found.value.message : found.value, found.cost, name]).toEqual([answer, cost, name]);
    }
  });
});
