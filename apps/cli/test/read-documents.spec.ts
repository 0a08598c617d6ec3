import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineHost } from '#runner';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { evaluate } from '../src/evaluation/evaluate.ts';
import { documentsOf } from '../src/documents/read-documents.ts';

const host = new EngineHost({ threads: 1 });
beforeAll(() => host.start());
afterAll(() => host.stop());

const definition = (i: number): unknown => customDefinition({ kind: `W${i}`, scope: 'Cluster', schema: { type: 'object' } });
const object = (i: number): unknown => ({ apiVersion: 'example.com/v1', kind: `W${i}`, metadata: { name: 'one' } });

it('assay evaluates lines of JSON with more definitions than a thread caches', async () => {
  const kinds = Array.from({ length: 140 }, (_, i) => i);
  const lines = [...kinds.map(definition), '', ...kinds.map(object)].map((value) => (value === '' ? '' : JSON.stringify(value)));
  const documents = await documentsOf([{ name: 'all.ndjson', bytes: Buffer.from(`${lines.join('\n')}\n`) }], host);
  expect([documents.definitions.length, documents.objects.length]).toEqual([140, 140]);
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  for (let time = 0; time < 2; time++) {
    const { summary } = await evaluate(documents, options.value, host);
    expect(summary).toMatchObject({ items: 140, accepted: 140 });
  }
});
