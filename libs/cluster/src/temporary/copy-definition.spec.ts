import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileDefinition, loneRules } from '#crd';
import { copyJson, isJsonObject, readFirstDocument, readJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { copyDefinition, copyGroup, moveToGroup, temporaryRun } from './copy-definition.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const CORPORA = resolve(PROJECT, '../shared/corpora');
const IDENTITY = { runId: 'r0a1b2c3d', label: 'whole' };

function json(value: unknown): JsonObject {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('no object');
  return reading.value;
}

const rule = (text: string) => ({ rule: text });
const SCHEMA = {
  type: 'object',
  'x-kubernetes-validations': [rule('has(self.spec)')],
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-validations': [rule('self.a > 1'), rule('self.a > 2')],
      properties: {
        a: { type: 'integer' },
        // A field of this name is a field, not a list of rules.
        'x-kubernetes-validations': {
          type: 'array',
          maxItems: 2,
          items: { type: 'string', 'x-kubernetes-validations': [rule("self != 'b'")] },
        },
        map: { type: 'object', additionalProperties: { type: 'integer', 'x-kubernetes-validations': [rule('self > 3')] } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { 'x-kubernetes-validations': [rule('kept')] } },
      },
    },
  },
};
const ORIGINAL = json({
  ...customDefinition({ kind: 'Pump', schema: SCHEMA }),
  metadata: {
    name: 'pumps.example.com',
    uid: '1',
    labels: { app: 'pumps' },
    annotations: { 'api-approved.kubernetes.io': 'https://example.com' },
  },
  status: { conditions: [] },
});

/** Returns all rules of a definition with their versions, as the compiler finds them. Undefined if a server refuses the definition. */
function rulesOf(definition: JsonValue): { version: string; path: string; rule: string }[] | undefined {
  const outcome = compileDefinition(definition, { minor: LATEST_MINOR, gates: defaultGates(LATEST_MINOR), engine: NODE_ENGINE });
  if (!outcome.ok) return undefined;
  return outcome.definition.versions.flatMap((version) => {
    const served = outcome.definition.serve(version);
    return served?.ok === true ? loneRules(served.version).map((one) => ({ version, path: one.path, rule: one.rule.source.rule })) : [];
  });
}

describe('a temporary copy of a definition', () => {
  it('has a group, a name and labels of its own, and nothing that belongs to the original object', () => {
    const copy = copyDefinition(ORIGINAL, IDENTITY, 'none');
    expect(copy).toMatchObject({
      metadata: {
        name: 'pumps.whole.r0a1b2c3d.assay.dev',
        labels: { 'app.kubernetes.io/managed-by': 'assay', 'assay.dev/temporary-run': 'r0a1b2c3d' },
      },
      spec: { group: 'whole.r0a1b2c3d.assay.dev' },
    });
    expect(Object.keys(copy ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(copy?.['metadata']).toEqual({ name: expect.any(String), labels: expect.any(Object) });
    expect(rulesOf(copy ?? null)).toEqual(rulesOf(ORIGINAL));
  });

  it('has no conversion webhook, no short names and no categories', () => {
    const { spec } = customDefinition({ kind: 'Pump', schema: SCHEMA });
    const names = { plural: 'pumps', kind: 'Pump', shortNames: ['pu'], categories: ['all'], singular: 'pump' };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { caBundle: 'AAAA', url: 'https://example.com' } } };
    const copy = copyDefinition(json({ ...ORIGINAL, spec: { ...spec, names, conversion } }), IDENTITY, 'none');
    expect(copy).toMatchObject({ spec: { conversion: { strategy: 'None' }, names: { plural: 'pumps', kind: 'Pump', singular: 'pump' } } });
    expect(JSON.stringify(copy)).not.toMatch(/caBundle|shortNames|categories|"all"/);
  });

  it('lacks all rules at every place, but keeps fields and defaults with the name of the keyword', () => {
    const copy = copyDefinition(ORIGINAL, IDENTITY, 'all');
    expect(rulesOf(copy ?? null)).toEqual([]);
    const expected = copyJson(ORIGINAL);
    expect(JSON.stringify(copy)).toContain(`"default":{"x-kubernetes-validations":[{"rule":"kept"}]}`);
    expect(JSON.stringify(copy)).toContain('"x-kubernetes-validations":{"type":"array"');
    // The original does not change.
    expect(ORIGINAL).toEqual(expected);
  });

  it('lacks one rule, and keeps all others', () => {
    const all = rulesOf(ORIGINAL) ?? [];
    expect(all.map(({ path }) => path)).toContain('properties[spec].properties[map].additionalProperties.x-kubernetes-validations[0]');
    expect(all).toHaveLength(5);
    for (const one of all) {
      const kept = rulesOf(copyDefinition(ORIGINAL, IDENTITY, one) ?? null)?.map((other) => other.rule);
      expect(kept).toEqual(all.filter((other) => other !== one).map((other) => other.rule));
    }
  });

  it('is undefined for a missing rule, for a document that is no definition, and for a definition without versions', () => {
    expect(copyDefinition(ORIGINAL, IDENTITY, { version: 'v1', path: 'x-kubernetes-validations[1]' })).toBeUndefined();
    expect(copyDefinition(ORIGINAL, IDENTITY, { version: 'v2', path: 'x-kubernetes-validations[0]' })).toBeUndefined();
    for (const other of [null, [], json({}), json({ ...ORIGINAL, kind: 'Pump' }), json({ ...ORIGINAL, spec: { group: 'a' } })])
      expect(copyDefinition(other, IDENTITY, 'none')).toBeUndefined();
  });

  it('is recognized only if its labels, its run id and its group fit together', () => {
    const copy = copyDefinition(ORIGINAL, IDENTITY, 'none') ?? json({});
    const labels = { 'app.kubernetes.io/managed-by': 'assay', 'assay.dev/temporary-run': 'r0a1b2c3d' };
    const labelled = (some: object, group = copyGroup(IDENTITY)): JsonObject => json({ metadata: { labels: some }, spec: { group } });
    expect(temporaryRun(labelled(labels))).toBe('r0a1b2c3d');
    expect(temporaryRun(copy)).toBe('r0a1b2c3d');
    expect(temporaryRun(ORIGINAL)).toBeUndefined();
    expect(temporaryRun(labelled({ 'app.kubernetes.io/managed-by': 'assay' }))).toBeUndefined();
    expect(temporaryRun(labelled({ 'assay.dev/temporary-run': 'r0a1b2c3d' }))).toBeUndefined();
    expect(temporaryRun(labelled({ ...labels, 'app.kubernetes.io/managed-by': 'Helm' }))).toBeUndefined();
    expect(temporaryRun(labelled({ ...labels, 'assay.dev/temporary-run': 'mine' }))).toBeUndefined();
    expect(temporaryRun(labelled(labels, 'example.com'))).toBeUndefined();
  });

  it('takes objects of the original after their group is changed, with exact values', () => {
    const object = readJson('{"apiVersion":"example.com/v1beta1","kind":"Pump","spec":{"a":9007199254740993}}');
    const moved = moveToGroup(object.ok && isJsonObject(object.value) ? object.value : json({}), copyGroup(IDENTITY));
    expect(moved).toMatchObject({ apiVersion: 'whole.r0a1b2c3d.assay.dev/v1beta1', spec: { a: 9007199254740993n } });
    expect(moveToGroup(json({ apiVersion: 'v1' }), 'a.b')).toBeUndefined();
  });
});

/** Sampling step for the corpora: every 12th file is read. */
const EVERY = 12;

describe('copies of real definitions', () => {
  const examples = globSync('examples/**/*crd*.yaml', { cwd: PROJECT }).map((file) => join(PROJECT, file));
  const corpora = existsSync(CORPORA)
    ? globSync('{crds,suites/crds}/**/*.yaml', { cwd: CORPORA })
        .toSorted()
        .filter((_, i) => i % EVERY === 0)
    : [];

  it('are accepted if the original is accepted, and have the expected rules', () => {
    let accepted = 0;
    for (const file of [...examples, ...corpora.map((name) => join(CORPORA, name))]) {
      const reading = readFirstDocument(readFileSync(file));
      const rules = reading.ok ? rulesOf(reading.value) : undefined;
      if (!reading.ok || rules === undefined) continue;
      accepted += 1;
      expect(rulesOf(copyDefinition(reading.value, IDENTITY, 'none') ?? null)).toEqual(rules);
      expect(rulesOf(copyDefinition(reading.value, IDENTITY, 'all') ?? null)).toEqual([]);
      for (const one of rules.slice(0, 2))
        expect(rulesOf(copyDefinition(reading.value, IDENTITY, one) ?? null)).toHaveLength(rules.length - 1);
    }
    expect(accepted).toBeGreaterThan(4);
  });
});
