import { describe, expect, it } from 'vitest';
import { Kinds } from '../request/kinds.ts';
import { matchResourceRules } from './match-request.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { ResourceRule } from '../read/match-resources.ts';

const widgets = (version: string) => ({ group: 'example.com', version, resource: 'widgets' });
const widget = (version: string) => ({ group: 'example.com', version, kind: 'Widget' });
const kinds = new Kinds(
  [],
  ['v1', 'v2'].map((version) => ({ resource: widgets(version), kind: widget(version), subresource: '' })),
);
const request = (change: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  operation: 'CREATE',
  kind: widget('v1'),
  resource: widgets('v1'),
  subresource: '',
  name: 'a',
  namespace: 'default',
  object: undefined,
  oldObject: undefined,
  objectType: undefined,
  oldObjectType: undefined,
  options: undefined,
  dryRun: false,
  user: { username: 'jane', uid: '', groups: [], extra: new Map() },
  ...change,
});
const rule = (change: Partial<ResourceRule> = {}): ResourceRule => ({
  operations: ['*'],
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  resources: ['widgets'],
  scope: '*',
  resourceNames: [],
  ...change,
});
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };

describe('a resource rule', () => {
  it.each<[what: string, rule: Partial<ResourceRule>, request: Partial<AdmissionRequest>, expected: boolean]>([
    ['applies', {}, {}, true],
    ['names operations', { operations: ['UPDATE', 'DELETE'] }, {}, false],
    ['names groups', { apiGroups: ['apps'] }, {}, false],
    ['names resources', { resources: ['gadgets'] }, {}, false],
    ['takes any resource', { resources: ['*'] }, {}, true],
    ['leaves subresources out', { resources: ['*'] }, { subresource: 'status' }, false],
    ['takes a subresource', { resources: ['widgets/status'] }, { subresource: 'status' }, true],
    ['takes a subresource of any resource', { resources: ['*/status'] }, { subresource: 'status' }, true],
    ['takes any subresource and none', { resources: ['widgets/*'] }, {}, true],
    ['names objects', { resourceNames: ['b'] }, {}, false],
    ['names this object', { resourceNames: ['a'] }, {}, true],
    ['has a scope', { scope: 'Cluster' }, {}, false],
    ['has the scope of no namespace', { scope: 'Cluster' }, { namespace: '' }, true],
    ['takes a Namespace for cluster-scoped', { scope: 'Namespaced', apiGroups: [''], resources: ['*'] }, { resource: NAMESPACES }, false],
  ])('%s', (_, change, of, expected) => {
    expect(matchResourceRules([rule(change)], 'Exact', request(of), kinds) !== 'no').toBe(expected);
  });

  it('matches requests in another version of its resource only if matchPolicy is Equivalent', () => {
    const other = rule({ apiVersions: ['v2'] });
    expect(matchResourceRules([other], 'Exact', request(), kinds)).toBe('no');
    expect(matchResourceRules([other], 'Equivalent', request(), kinds)).toEqual({ kind: widget('v2'), resource: widgets('v2') });
    expect(matchResourceRules([other, rule()], 'Equivalent', request(), kinds)).toEqual({ kind: widget('v1'), resource: widgets('v1') });
  });
});
