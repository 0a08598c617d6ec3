import { describe, expect, it } from 'vitest';
import { readYaml } from '#go';
import type { JsonObject } from '#go';
import { schemaChanges } from './schema-changes.ts';

function definition(schema: string, version = '{name: v1, served: true, storage: true'): JsonObject {
  const read = readYaml(
    Buffer.from(`spec: {group: a.b, scope: Namespaced, versions: [${version}, schema: {openAPIV3Schema: ${schema}}}]}`),
  );
  if (!read.ok) throw new Error(read.error);
  return read.value as JsonObject;
}

describe('schemaChanges', () => {
  it.each([
    ['nothing', '{type: object}', '{type: object}', []],
    ['words', '{description: a}', '{description: b}', []],
    ['a field that goes', '{properties: {a: {type: string}}}', '{properties: {}}', ['! field removed a']],
    ['a field that comes', '{}', '{properties: {a: {}}}', ['  field added a']],
    ['a type', '{properties: {a: {items: {type: string}}}}', '{properties: {a: {items: {type: integer}}}}', ['! type changed a[*]']],
    ['values of a map', '{additionalProperties: {maxLength: 5}}', '{additionalProperties: {maxLength: 4}}', ['! maxLength tightened [*]']],
    ['a bound that loosens', '{maxItems: 5}', '{maxItems: 6}', ['  maxItems loosened ']],
    ['a bound that goes', '{minimum: 5}', '{}', ['  minimum loosened ']],
    ['a bound that comes', '{}', '{minLength: 1}', ['! minLength tightened ']],
    ['an enum', '{enum: [a, b]}', '{enum: [b, c]}', ['! enum narrowed ', '  enum widened ']],
    ['an enum that comes', '{}', '{enum: [a]}', ['! enum added ']],
    ['an enum that goes', '{enum: [a]}', '{}', ['  enum removed ']],
    ['what is required', '{required: [a]}', '{required: [b]}', ['! required added b', '  required removed a']],
    ['a pattern that goes', '{pattern: a}', '{}', ['  pattern changed ']],
    ['a default', '{default: 1}', '{default: 2}', ['! default changed ']],
    ['null', '{nullable: true}', '{}', ['! null no longer allowed ']],
    [
      'rules',
      '{x-kubernetes-validations: [{rule: a}]}',
      '{x-kubernetes-validations: [{rule: b}, {rule: a, message: x}]}',
      ['! rule added '],
    ],
    ['values that may no longer be anything', '{additionalProperties: true}', '{}', ['! additionalProperties changed ']],
  ])('reports a change of %s', (_, before, after, changes) => {
    const found = schemaChanges(definition(before), definition(after));
    expect(found.map(({ change, breaking, path }) => `${breaking ? '!' : ' '} ${change} ${path}`)).toEqual(changes);
  });

  it('reports added, removed and changed versions', () => {
    const from = definition('{}');
    const renamed = definition('{}', '{name: v2, served: true, storage: true');
    expect(schemaChanges(from, renamed)).toEqual([
      { change: 'version removed', breaking: true, version: 'v1', path: '' },
      { change: 'version added', breaking: false, version: 'v2', path: '' },
    ]);
    const unserved = definition('{}', '{name: v1, served: false, storage: true');
    expect(schemaChanges(from, unserved)).toEqual([{ change: 'version no longer served', breaking: true, version: 'v1', path: '' }]);
    const cluster = { ...from, spec: { ...(from['spec'] as JsonObject), scope: 'Cluster' } };
    expect(schemaChanges(from, cluster)).toMatchObject([{ change: 'scope changed', before: 'Namespaced', after: 'Cluster' }]);
  });
});
