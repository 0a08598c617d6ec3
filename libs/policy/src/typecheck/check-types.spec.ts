import { describe, expect, it } from 'vitest';
import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import { readValidatingPolicy } from '../read/policy.ts';
import { serverKinds } from '../request/kinds.ts';
import { ObjectSchemas } from '../schemas/object-schemas.ts';
import { checkTypes } from './check-types.ts';
import type { TypeChecking } from './check-types.ts';

function object(value: unknown): JsonObject {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('no object');
  return reading.value;
}

const version = (name: string, schema: unknown) => ({ name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: schema } });
const WIDGETS = object({
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      version('v1', {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              size: { type: 'integer' },
              port: { 'x-kubernetes-int-or-string': true },
              part: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      }),
      version('v2', { type: 'object', properties: { spec: { properties: {} } } }),
    ],
  },
});

interface PolicyWords {
  readonly groups?: readonly string[];
  readonly versions?: readonly string[];
  readonly resources?: readonly string[];
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly message?: string;
}

function check(expression: string, words: PolicyWords = {}, minor: Minor = '1.37'): TypeChecking {
  const { groups = ['example.com'], versions = ['v1'], resources = ['widgets'], variables = {}, message = '', paramKind } = words;
  const policy = object({
    metadata: { name: 'p' },
    spec: {
      paramKind,
      matchConstraints: { resourceRules: [{ apiGroups: groups, apiVersions: versions, operations: ['*'], resources }] },
      variables: Object.entries(variables).map(([name, text]) => ({ name, expression: text })),
      validations: [{ expression, messageExpression: message }],
    },
  });
  const schemas = new ObjectSchemas(minor, [WIDGETS]);
  return checkTypes(readValidatingPolicy(policy), {
    minor,
    kinds: serverKinds(minor, [WIDGETS]),
    schemaOf: (kind) => schemas.published(kind),
  });
}

const PODS: PolicyWords = { groups: [''], resources: ['pods'] };

/** Returns the first line of the first warning, without the source excerpt below it. */
const complaint = ({ warnings }: TypeChecking): string | undefined => warnings[0]?.warning.split('\n')[0];

describe('checkTypes', () => {
  it.each<[expression: string, words: PolicyWords, complaint: string | undefined]>([
    ['object.spec.size > 1', {}, undefined],
    ['object.spec.size', {}, undefined],
    [
      "object.spec.size == 'x'",
      {},
      "example.com/v1, Kind=Widget: ERROR: <input>:1:18: found no matching overload for '_==_' applied to '(int, string)'",
    ],
    ['object.spec.foo', {}, "example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field 'foo'"],
    ["object.spec.port == 'x' || object.spec.port == 1", {}, undefined],
    ["object.spec.part.metadata.labels.a == 'x'", {}, undefined],
    ['oldObject.metadata.foo', {}, "example.com/v1, Kind=Widget: ERROR: <input>:1:19: undefined field 'foo'"],
    ['object.metadata.labels', { versions: ['v2'] }, "example.com/v2, Kind=Widget: ERROR: <input>:1:16: undefined field 'labels'"],
    ['variables.a.foo', { variables: { a: 'object.spec' } }, undefined],
    [
      'variables.a + 1',
      { variables: { a: 'object.metadata.name' } },
      "example.com/v1, Kind=Widget: ERROR: <input>:1:13: found no matching overload for '_+_' applied to '(string, int)'",
    ],
    ['variables.a', { variables: { a: 'object.nope' } }, undefined],
    ['1 / 0 == 1', {}, undefined],
    ['params.x', {}, "example.com/v1, Kind=Widget: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')"],
    ['params.spec.size', { paramKind: { apiVersion: 'example.com/v1', kind: 'Widget' } }, undefined],
    [
      'params.spec.foo',
      { paramKind: { apiVersion: 'example.com/v1', kind: 'Widget' } },
      "example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field 'foo'",
    ],
    ['params.spec.foo', { paramKind: { apiVersion: 'other.com/v1', kind: 'Other' } }, undefined],
    ['object.spec.containers[0].resources.limits', PODS, "/v1, Kind=Pod: ERROR: <input>:1:36: undefined field 'limits'"],
    [
      "object.metadata.creationTimestamp > '2020'",
      PODS,
      "/v1, Kind=Pod: ERROR: <input>:1:35: found no matching overload for '_>_' applied to '(timestamp, string)'",
    ],
    ['object.foo', { resources: ['*'] }, undefined],
    ['object.foo', { resources: ['widgets/status'] }, undefined],
    ['object.foo', { groups: ['*'] }, undefined],
  ])('reports the warnings of a server for %s in a policy with %j', (expression, words, expected) => {
    expect(complaint(check(expression, words))).toBe(expected);
  });

  it('checks the expression for each matched kind, and also the messages', () => {
    const { warnings, checked } = check('object.spec.nodeName == 1', {
      ...PODS,
      resources: ['pods', 'secrets'],
      message: 'string(object.x)',
    });
    expect(warnings.map(({ fieldRef }) => fieldRef)).toEqual(['spec.validations[0].expression', 'spec.validations[0].messageExpression']);
    expect(warnings[0]?.warning.split('\n\n').map((paragraph) => paragraph.split(':')[0])).toEqual(['/v1, Kind=Pod', '/v1, Kind=Secret']);
    expect(checked.map(({ kind }) => kind)).toEqual(['Pod', 'Secret']);
  });

  it('declares parameters of an unknown kind only from 1.36 on', () => {
    const paramKind = { apiVersion: 'other.com/v1', kind: 'Other' };
    expect(complaint(check('params.x', { paramKind }, '1.35'))).toContain("undeclared reference to 'params'");
    expect(check('params.x', { paramKind }, '1.36').unresolved).toEqual([{ group: 'other.com', version: 'v1', kind: 'Other' }]);
  });
});
