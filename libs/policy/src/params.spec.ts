import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#go';
import { collectParams, ParamObjects } from './params.ts';
import type { ParamRef } from './read/policy.ts';
import { serverKinds } from './request/kinds.ts';

const kinds = serverKinds('1.37', []);
const objects = new ParamObjects();
const add = (apiVersion: string, kind: string, metadata: JsonObject): string | undefined =>
  objects.add({ apiVersion, kind, metadata }, kinds, '1.37');
add('v1', 'ConfigMap', { name: 'b', namespace: 'apps', labels: { env: 'prod' } });
add('v1', 'ConfigMap', { name: 'a', namespace: 'apps' });
add('v1', 'ConfigMap', { name: 'b' });
add('v1', 'PersistentVolume', { name: 'p' });

const configMap = kinds.ofKind({ group: '', version: 'v1', kind: 'ConfigMap' });
const volume = kinds.ofKind({ group: '', version: 'v1', kind: 'PersistentVolume' });
const ref = (change: Partial<ParamRef> = {}): ParamRef => ({
  name: '',
  namespace: '',
  selector: undefined,
  parameterNotFoundAction: 'Allow',
  ...change,
});
const all = { matchLabels: new Map<string, string>(), matchExpressions: [] };
const DENY = 'no params found for policy binding with `Deny` parameterNotFoundAction';

describe('the parameters of a binding', () => {
  it.each<
    [what: string, kind: typeof configMap, ref: ParamRef | undefined, namespace: string, expected: readonly (string | undefined)[] | string]
  >([
    ['are absent for a policy without paramKind', undefined, ref({ name: 'b' }), 'apps', [undefined]],
    ['are absent for a binding without paramRef', configMap, undefined, 'apps', [undefined]],
    ['are found by name in the namespace of the request', configMap, ref({ name: 'b' }), 'apps', ['apps/b']],
    ['are found by name in the namespace that paramRef names', configMap, ref({ name: 'b', namespace: 'default' }), 'apps', ['default/b']],
    ['are found by a selector, in the order of their names', configMap, ref({ selector: all }), 'apps', ['apps/a', 'apps/b']],
    ['are found by labels', configMap, ref({ selector: { ...all, matchLabels: new Map([['env', 'prod']]) } }), 'apps', ['apps/b']],
    ['are found by name if they are cluster-scoped', volume, ref({ name: 'p' }), 'apps', ['/p']],
    ['may be missing', configMap, ref({ name: 'x' }), 'apps', []],
    ['may not be missing if parameterNotFoundAction is Deny', configMap, ref({ name: 'x', parameterNotFoundAction: 'Deny' }), 'apps', DENY],
    [
      'are an error if they are namespaced and the request has no namespace',
      configMap,
      ref({ name: 'b' }),
      '',
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    ],
    [
      'are an error if paramRef names a namespace for a cluster-scoped kind',
      volume,
      ref({ name: 'p', namespace: 'x' }),
      'x',
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    ],
    ['are an error if paramRef has no name and no selector', configMap, ref(), 'apps', 'one of name or selector must be provided'],
  ])('%s', (_, kind, reference, namespace, expected) => {
    const collected = collectParams(kind, reference, namespace, objects);
    expect(collected.ok ? collected.params.map((param) => param && `${param.namespace}/${param.name}`) : collected.error).toEqual(expected);
  });

  it('are an error if the kind of the parameters does not exist', () => {
    expect(add('example.com/v1', 'Thing', { name: 'x' })).toBe('no matches for kind "Thing" in version "example.com/v1"');
  });
});
