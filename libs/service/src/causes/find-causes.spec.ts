import { CancellationFlag } from '#go';
import { defaultOptions, inMinor } from '#documents';
import type { DocumentSlice } from '#documents';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { explain } from '../explain/explain.ts';
import { upgradeCheck } from '../matrix/upgrade-check.ts';
import { versionMatrix } from '../matrix/version-matrix.ts';

const rule = { type: 'string', 'x-kubernetes-validations': [{ rule: "matches(self, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')" }] };
const sliceOfValue = (value: object): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });
const sliceOf = (kind: string, schema: object): DocumentSlice => {
  const spec = { type: 'object', properties: { spec: schema } };
  return sliceOfValue(customDefinition({ kind, schema: spec }));
};
const dear = sliceOf('Widget', { type: 'array', maxItems: 10, items: rule });
const cheap = sliceOf('Gadget', { type: 'array', maxItems: 10, items: { ...rule, maxLength: 10 } });
const documents = { definitions: [cheap, dear], policies: [], cluster: [], objects: [], options: defaultOptions() };
const engine = () => new InProcessEngine(new WorkPerformer(), new CancellationFlag());
const expected = (from: string, to: string) => [{ from, to, causes: [{ name: 'globalMatchesTraverses' }], hasSeveral: false }];

describe('the search for the causes of different verdicts', () => {
  it('finds causes in the definition if neighbouring versions give it different verdicts', async () => {
    const { definitions } = await versionMatrix(engine(), documents, ['1.35', '1.36', '1.37', '1.38']);
    expect(definitions[0]).not.toHaveProperty('causes');
    expect(definitions[1]?.causes).toMatchObject(expected('1.36', '1.37'));
  });

  it('finds causes in the object if neighbouring versions give it different verdicts', async () => {
    const count = { type: 'object', properties: { count: { type: 'integer', format: 'int32' } } };
    const object = (name: string, value: number) => ({
      apiVersion: 'example.com/v1',
      kind: 'Gizmo',
      metadata: { name, namespace: 'shop' },
      spec: { count: value },
    });
    const large = object('large', 2 ** 31);
    const recorded = { apiVersion: 'audit.k8s.io/v1', kind: 'Event', verb: 'create', stage: 'ResponseComplete', requestObject: large };
    const objects = [object('small', 1), large, recorded, large].map((value) => sliceOfValue(value));
    const batch = { ...documents, definitions: [sliceOf('Gizmo', count)], objects };
    const { objects: rows } = await versionMatrix(engine(), batch, ['1.34', '1.35', '1.36']);
    const causes = [{ from: '1.35', to: '1.36', about: 'verdict', causes: [{ name: 'numbersAreTyped' }] }];
    expect(rows.map((row) => row.causes)).toMatchObject([undefined, causes, undefined, causes]);
  });

  it('compares the two versions of an upgrade', async () => {
    const { definitions } = await upgradeCheck(engine(), documents, ['1.33', '1.38']);
    expect(definitions.map(({ causes }) => causes)).toMatchObject([undefined, expected('1.33', '1.38')]);
  });

  it('compares a rejecting version with the last earlier version that accepts the definition', async () => {
    const { definitions } = await explain(engine(), { ...documents, options: inMinor(documents.options, '1.38') });
    expect(definitions.map(({ causes }) => causes)).toMatchObject([undefined, expected('1.36', '1.38')[0]]);
    const never = sliceOf('Widget', { type: 'array', items: rule, 'x-kubernetes-validations': [{ rule: 'self.none' }] });
    const { definitions: refused } = await explain(engine(), { ...documents, definitions: [never] });
    expect(refused[0]?.report.accepted).toBe(false);
    expect(refused[0]).not.toHaveProperty('causes');
  });
});
