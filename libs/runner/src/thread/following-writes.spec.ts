import { CancellationFlag, readJson } from '#go';
import { latestServer } from '#kube';
import { compileStoredDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { defaultOptions, FOLLOWING_WRITES } from '#documents';
import type { ObjectEffect } from '#documents';
import { expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { objectEffect } from './object-effect.ts';

interface Version {
  readonly spec?: object;
  readonly status?: object;
  readonly rules?: readonly object[];
  /** Names of the subresources. */
  readonly has?: readonly ('status' | 'scale')[];
  readonly served?: boolean;
}

const text = { type: 'string' };
const FREE: Version = { spec: { a: text, replicas: { type: 'integer' } }, status: { hash: text, phase: text } };
const withStatus = (status: object): Version => ({ ...FREE, has: ['status'], status });
const SUBRESOURCES = { status: { status: {} }, scale: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.n' } } };

function compiled({ spec = {}, status = {}, rules, has = [], served = true }: Version): CompiledDefinition {
  const properties = {
    spec: { type: 'object', properties: spec, ...(rules && { 'x-kubernetes-validations': rules }) },
    status: { type: 'object', ...('properties' in status ? status : { properties: status }) },
  };
  const document = customDefinition({ kind: 'Widget', schema: { type: 'object', properties } }) as {
    spec: { versions: Record<string, unknown>[] };
  };
  const [version = {}] = document.spec.versions;
  Object.assign(version, { served, subresources: Object.assign({}, ...has.map((name) => SUBRESOURCES[name])) as object });
  document.spec.versions.push({ ...version, name: 'v2', served: true, storage: false });
  const reading = readJson(JSON.stringify(document));
  const outcome = reading.ok ? compileStoredDefinition(reading.value, latestServer()) : undefined;
  if (!outcome?.ok) throw new Error('the definition is not usable');
  return outcome.definition;
}

const OBJECT = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default' },
  spec: { a: 'x', replicas: 3 },
  status: { hash: 'abc' },
};

function effectOf(object: object, from: Version, to: Version): ObjectEffect | undefined {
  const slice = { bytes: Buffer.from(JSON.stringify(object)), notation: 'json' } as const;
  return objectEffect(slice, 0, { from: compiled(from), to: compiled(to), options: defaultOptions() }, new CancellationFlag());
}

const atMostTwo = { spec: { a: text, replicas: { type: 'integer' } }, rules: [{ rule: '!has(self.replicas) || self.replicas <= 3' }] };
const requiresPhase = { required: ['phase'], properties: { hash: text, phase: text } };
const shortHash = { hash: { ...text, maxLength: 2 }, phase: text };

/** Changes of a definition, with the effect, the refused write and a part of the server's answer. */
const CASES: readonly (readonly [string, Version, Version, object, Partial<ObjectEffect>, string])[] = [
  [
    'a field that the status lacks',
    withStatus({ hash: text }),
    withStatus(requiresPhase),
    OBJECT,
    { effect: 'breaksOnNextChange', write: 'status', nextChange: { path: 'status.hash', before: '"abc"', after: '"abd"' } },
    'status.phase: Required value',
  ],
  [
    'a text of the status that is too long',
    withStatus({ hash: text }),
    withStatus(shortHash),
    OBJECT,
    { effect: 'savedByRatcheting', write: 'status' },
    'status.hash: Too long',
  ],
  [
    'a status that was as invalid before',
    withStatus(requiresPhase),
    withStatus(requiresPhase),
    OBJECT,
    { effect: 'invalidBefore' },
    'status.phase: Required value',
  ],
  [
    'an object without a status',
    withStatus({ hash: text }),
    withStatus(requiresPhase),
    { ...OBJECT, status: undefined },
    { effect: 'unaffected' },
    '',
  ],
  [
    'a status that is no subresource',
    FREE,
    { ...FREE, status: requiresPhase },
    OBJECT,
    { effect: 'breaksOnNextChange', write: 'update' },
    'status.phase: Required value',
  ],
  [
    'a status that becomes a subresource',
    FREE,
    withStatus(requiresPhase),
    OBJECT,
    { effect: 'breaksOnNextChange', write: 'status' },
    'status.phase: Required value',
  ],
  [
    'a status that is no subresource any more',
    withStatus({ hash: text }),
    FREE,
    OBJECT,
    { effect: 'brokenOnUpdate', write: 'status' },
    'the server could not find the requested resource',
  ],
  [
    'a transition rule that no write of the status passes',
    withStatus({ hash: text }),
    { ...withStatus({ hash: { ...text, 'x-kubernetes-validations': [{ rule: 'self != oldSelf' }] } }) },
    OBJECT,
    { effect: 'brokenOnUpdate' },
    'status.hash',
  ],
  [
    'a scale that may not grow or shrink',
    { ...FREE, has: ['scale'] },
    { ...FREE, has: ['scale'], rules: [{ rule: 'self.replicas == oldSelf.replicas' }] },
    OBJECT,
    { effect: 'breaksOnNextChange', write: 'scale', nextChange: { path: 'spec.replicas', before: '3', after: '4' } },
    'failed rule: self.replicas == oldSelf.replicas',
  ],
  [
    'a scale that may still shrink',
    { ...FREE, has: ['scale'] },
    { ...FREE, ...atMostTwo, has: ['scale'] },
    OBJECT,
    { effect: 'unaffected' },
    '',
  ],
  [
    'a scale that is gone',
    { ...FREE, has: ['scale'] },
    FREE,
    OBJECT,
    { effect: 'brokenOnUpdate', write: 'scale' },
    'the server could not find the requested resource',
  ],
  [
    'a file with a field that is not stored',
    { ...FREE, spec: { a: text } },
    { ...FREE, rules: [{ rule: 'has(self.replicas) == has(oldSelf.replicas)' }] },
    OBJECT,
    { effect: 'breaksOnNextChange', write: 'apply', nextChange: { path: 'spec.replicas', before: undefined, after: '3' } },
    'failed rule: has(self.replicas)',
  ],
  [
    'a file with a field that is stored from now on',
    { ...FREE, spec: { a: text } },
    FREE,
    OBJECT,
    { effect: 'storedDifferently', write: 'apply', changes: [{ path: 'spec.replicas', before: undefined, after: '3' }] },
    '',
  ],
  [
    'a file with a field that neither side stores',
    { ...FREE, spec: { a: text } },
    { ...FREE, spec: { a: text } },
    OBJECT,
    { effect: 'unaffected' },
    '',
  ],
  [
    'a write that changes nothing',
    FREE,
    { ...FREE, rules: [{ rule: 'oldSelf.a != "x"' }] },
    OBJECT,
    { effect: 'brokenOnUpdate', write: 'unchanged' },
    'failed rule',
  ],
  [
    'an edit beside an invalid value',
    FREE,
    { ...FREE, rules: [{ rule: 'self.replicas < 3' }] },
    OBJECT,
    { effect: 'breaksOnNextChange', write: 'update' },
    'failed rule',
  ],
  [
    'a new object',
    FREE,
    { ...FREE, spec: { a: text, replicas: { type: 'integer', maximum: 2 } } },
    OBJECT,
    { effect: 'savedByRatcheting', write: 'create' },
    'spec.replicas',
  ],
  [
    'a version that is not served any more',
    FREE,
    { ...FREE, served: false },
    OBJECT,
    { effect: 'brokenOnUpdate', write: 'unchanged' },
    'no matches for kind "Widget" in version "example.com/v1"',
  ],
  [
    'a version that neither side serves',
    { ...FREE, served: false },
    { ...FREE, served: false },
    OBJECT,
    { effect: 'invalidBefore' },
    'no matches for kind "Widget" in version "example.com/v1"',
  ],
  ['a version that is served from now on', { ...FREE, served: false }, FREE, OBJECT, { effect: 'unaffected' }, ''],
];

it.each(CASES)(
  'the effect of a changed definition on later writes of an object is computed: %s',
  (_, from, to, object, wanted, message) => {
    const effect = effectOf(object, from, to);
    expect(effect).toMatchObject(wanted);
    expect(effect?.message ?? '').toContain(message);
  },
);

it('the cases of this test include every kind of write', () => {
  expect(new Set(CASES.flatMap(([, , , , { write }]) => write ?? []))).toEqual(new Set(FOLLOWING_WRITES));
});
