import { CancellationFlag, readJson } from '#go';
import { latestServer } from '#kube';
import { compileStoredDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { defaultOptions } from '#documents';
import type { ObjectEffect } from '#documents';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { objectEffect } from './object-effect.ts';

/** Metadata that `kubectl get -o yaml` shows for any stored object. */
const STORED = {
  name: 'w',
  namespace: 'default',
  uid: '0b1c2d3e-0000-4000-8000-00000000000a',
  resourceVersion: '48151623',
  generation: 3,
  creationTimestamp: '2024-05-01T10:00:00Z',
  managedFields: [{ manager: 'kubectl', operation: 'Update', apiVersion: 'example.com/v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
};

function compiled(spec: object, more: object = {}): CompiledDefinition {
  const schema = { type: 'object', properties: { spec: { type: 'object', ...spec } } };
  const document = readJson(JSON.stringify(customDefinition({ kind: 'Widget', schema, ...more })));
  const outcome = document.ok ? compileStoredDefinition(document.value, latestServer()) : undefined;
  if (!outcome?.ok) throw new Error('the definition is not usable');
  return outcome.definition;
}

const objectOf = (spec: unknown, metadata: object = STORED): object => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec });

function effectOf(document: object, from: object, to: object): ObjectEffect {
  const change = { from: compiled(from), to: compiled(to), options: defaultOptions() };
  const slice = { bytes: Buffer.from(JSON.stringify(document)), notation: 'json' } as const;
  const effect = objectEffect(slice, 0, change, new CancellationFlag());
  if (effect === undefined) throw new Error('stopped');
  return effect;
}

const text = { type: 'string' };
const integer = { type: 'integer' };
const FREE = { properties: { a: text, b: text, n: integer } };

describe('the effect of a changed definition on a stored object', () => {
  it.each([
    ['with all that a server owns', STORED],
    ['with a uid alone', { name: 'w', uid: '0b1c2d3e-0000-4000-8000-00000000000a' }],
    ['written by hand', { name: 'w' }],
  ])('%s is `unaffected` under the same definition', (_, metadata) => {
    expect(effectOf(objectOf({ a: 'x' }, metadata), FREE, FREE)).toMatchObject({ effect: 'unaffected', causes: [], changes: [] });
  });

  it('reports a default whose transition rule forbids later changes as frozen', () => {
    const mode = { type: 'string', default: 'auto' };
    const immutable = { ...mode, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
    expect(effectOf(objectOf({ a: 'x' }), FREE, { properties: { ...FREE.properties, b: immutable } })).toMatchObject({
      effect: 'storedDifferently',
      frozen: ['spec.b'],
    });
    expect(effectOf(objectOf({ a: 'x' }), FREE, { properties: { ...FREE.properties, b: mode } })).not.toHaveProperty('frozen');
  });

  it('is `breaksOnNextChange` if a parent lacks a newly required field', () => {
    const effect = effectOf(objectOf({ a: 'x' }), FREE, { ...FREE, required: ['n'] });
    expect(effect).toMatchObject({
      effect: 'breaksOnNextChange',
      causes: [{ field: 'spec.n', reason: 'FieldValueRequired' }],
      nextChange: { path: 'spec.a', before: '"x"' },
    });
    expect(effect.message).toContain('spec.n: Required value');
  });

  it('is `savedByRatcheting` while an invalid scalar is unchanged', () => {
    const to = { properties: { ...FREE.properties, n: { type: 'integer', minimum: 5 } } };
    expect(effectOf(objectOf({ a: 'x', n: 1 }), FREE, to)).toMatchObject({ effect: 'savedByRatcheting', causes: [{ field: 'spec.n' }] });
  });

  it.each([
    ['a list that may not be as long', { l: { type: 'array', maxItems: 1, items: text } }, ['x', 'y'], 'spec.l[0]'],
    [
      'an item of a list that is replaced as a whole',
      { l: { type: 'array', items: { type: 'string', maxLength: 1 } } },
      ['x', 'yy'],
      'spec.l[0]',
    ],
    ['a branch of a junctor', { l: { type: 'array', items: text }, a: text }, ['x'], 'spec.l[0]', { anyOf: [{ required: ['b'] }] }],
    [
      'a rule about two fields',
      { l: { type: 'array', maxItems: 9, items: text }, a: text },
      ['x'],
      'spec.l[0]',
      { 'x-kubernetes-validations': [{ rule: '!has(self.a) || size(self.l) > 1' }] },
    ],
  ])('is `breaksOnNextChange` beside %s', (_, properties, l, path, more: object = {}) => {
    const from = { properties: { l: { type: 'array', items: text }, a: text, b: text } };
    const effect = effectOf(objectOf({ l, a: 'q' }), from, { properties: { b: text, a: text, ...properties }, ...more });
    expect(effect).toMatchObject({ effect: 'breaksOnNextChange', nextChange: { path } });
  });

  it('is `savedByRatcheting` after an edit of another item in a list with keys', () => {
    const list = (size: object) => ({
      properties: {
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', required: ['k'], properties: { k: text, v: { ...text, ...size }, w: text } },
        },
      },
    });
    const stored = objectOf({
      l: [
        { k: 'a', v: 'long' },
        { k: 'b', v: 's' },
      ],
    });
    expect(effectOf(stored, list({}), list({ maxLength: 1 }))).toMatchObject({ effect: 'savedByRatcheting' });
  });

  it('ignores trial edits that are rejected for a reason of their own', () => {
    const fixed = { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
    const to = { properties: { a: fixed, n: { type: 'integer', minimum: 5 } } };
    const effect = effectOf(objectOf({ a: 'x', n: 1 }), FREE, to);
    expect(effect).toMatchObject({ effect: 'savedByRatcheting', causes: [{ field: 'spec.n' }] });
  });

  it('is `mended` for an object that becomes valid, and `invalidBefore` for an object that stays invalid', () => {
    const strict = { properties: { ...FREE.properties, n: { type: 'integer', minimum: 5 } } };
    expect(effectOf(objectOf({ n: 1 }), strict, FREE)).toMatchObject({
      effect: 'mended',
      message: expect.stringContaining('should be greater than or equal to 5') as string,
    });
    expect(effectOf(objectOf({ n: 1 }), strict, strict)).toMatchObject({
      effect: 'invalidBefore',
      message: expect.stringContaining('should be greater than or equal to 5') as string,
    });
  });

  it('is `brokenOnUpdate` if even an unchanged write is rejected', () => {
    const to = { ...FREE, 'x-kubernetes-validations': [{ rule: 'oldSelf.a != "x"' }] };
    const effect = effectOf(objectOf({ a: 'x' }), FREE, to);
    expect(effect.effect).toBe('brokenOnUpdate');
  });

  it('is computed for the object in an audit event', () => {
    const event = { apiVersion: 'audit.k8s.io/v1', kind: 'Event', verb: 'patch', requestObject: {}, responseObject: objectOf({ a: 'x' }) };
    expect(effectOf(event, FREE, FREE)).toMatchObject({ effect: 'unaffected', name: 'w' });
  });
});
