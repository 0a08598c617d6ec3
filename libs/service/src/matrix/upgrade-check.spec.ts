import { CancellationFlag } from '#go';
import { defaultOptions } from '#documents';
import type { DocumentSlice } from '#documents';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { asSingleBlock } from '../evaluate/cut-runs.ts';
import { upgradeCheck, upgradedObjects } from './upgrade-check.ts';

const sliceOf = (document: object): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(document)), notation: 'json' });
const status = { type: 'object', properties: { seen: { type: 'integer', format: 'int32' } } };
const definition = sliceOf(
  customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { status } }, subresources: { status: {} } }),
);
const widget = (seen: number): DocumentSlice =>
  sliceOf({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, status: { seen } });

it('the upgrade check names the write that the newer version rejects, even if both versions accept a create', async () => {
  const engine = new InProcessEngine(new WorkPerformer(), new CancellationFlag());
  const options = defaultOptions();
  const check = await upgradeCheck(engine, { definitions: [definition], policies: [], cluster: [], options }, ['1.35', '1.36']);
  const rows = [];
  const objects = asSingleBlock([widget(1), widget(2 ** 31)]);
  for await (const run of upgradedObjects(engine, check, { definition, objects, options })) rows.push(...run);
  expect(rows).toMatchObject([
    { outcome: { '1.35': 'accepted', '1.36': 'accepted' }, changes: false, next: { effect: 'unaffected' } },
    { outcome: { '1.35': 'accepted', '1.36': 'accepted' }, changes: true, next: { effect: 'breaksOnNextChange', write: 'status' } },
  ]);
});
