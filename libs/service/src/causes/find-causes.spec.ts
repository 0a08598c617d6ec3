import { CancellationFlag } from '#go';
import { defaultOptions, inMinor } from '#evaluation';
import type { DocumentSlice } from '#evaluation';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { explain } from '../explain/explain.ts';
import { upgradeCheck } from '../matrix/upgrade-check.ts';
import { versionMatrix } from '../matrix/version-matrix.ts';

const rule = { type: 'string', 'x-kubernetes-validations': [{ rule: "matches(self, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')" }] };
const sliceOf = (kind: string, schema: object): DocumentSlice => {
  const spec = { type: 'object', properties: { spec: schema } };
  return { bytes: Buffer.from(JSON.stringify(customDefinition({ kind, schema: spec }))), notation: 'json' };
};
const dear = sliceOf('Widget', { type: 'array', maxItems: 10, items: rule });
const cheap = sliceOf('Gadget', { type: 'array', maxItems: 10, items: { ...rule, maxLength: 10 } });
const documents = { definitions: [cheap, dear], policies: [], cluster: [], objects: [], options: defaultOptions() };
const engine = () => new InProcessEngine(new WorkPerformer(), new CancellationFlag());
const expected = (from: string, to: string) => [{ from, to, causes: [{ name: 'globalMatchesTraverses' }], hasSeveral: false }];

describe('the causes of different verdicts', () => {
  it('belong to the definition on which neighbouring versions differ', async () => {
    const { definitions } = await versionMatrix(engine(), documents, ['1.35', '1.36', '1.37', '1.38']);
    expect(definitions[0]).not.toHaveProperty('causes');
    expect(definitions[1]?.causes).toMatchObject(expected('1.36', '1.37'));
  });

  it('are between the two versions of an upgrade', async () => {
    const { definitions } = await upgradeCheck(engine(), documents, ['1.33', '1.38']);
    expect(definitions.map(({ causes }) => causes)).toMatchObject([undefined, expected('1.33', '1.38')]);
  });

  it('explain a refusal by the last earlier version that accepts the definition', async () => {
    const { definitions } = await explain(engine(), { ...documents, options: inMinor(documents.options, '1.38') });
    expect(definitions.map(({ causes }) => causes)).toMatchObject([undefined, expected('1.36', '1.38')[0]]);
    const never = sliceOf('Widget', { type: 'array', items: rule, 'x-kubernetes-validations': [{ rule: 'self.none' }] });
    const { definitions: refused } = await explain(engine(), { ...documents, definitions: [never] });
    expect(refused[0]?.report.accepted).toBe(false);
    expect(refused[0]).not.toHaveProperty('causes');
  });
});
