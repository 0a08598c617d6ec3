import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions, definitionText } from '#documents';
import type { Chunk, DocumentSlice } from '#documents';
import { latestServer } from '#kube';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { EngineHost } from './engine-host.ts';
import { runChunk } from '../../service/src/run/run-chunk.ts';
import type { StudyWork } from './protocol.ts';

const read = checkOptions({});
if (!read.ok) throw new Error(read.status.message);
const options = read.value;
const slice = (value: unknown): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });
/** CEL rule that takes long to evaluate: three nested loops over texts. */
const RULE = 'self.all(x, self.all(y, self.all(z, x != y + z)))';
const spec = { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 100 }, 'x-kubernetes-validations': [{ rule: RULE }] };
const document = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
const definition = definitionText(slice(document), latestServer());
const rule = { version: 'v1', path: 'properties[spec].x-kubernetes-validations[0]' };
const study: StudyWork = {
  kind: 'study',
  definition,
  base: undefined,
  cell: { kind: 'costs', rule, ms: 60_000, seed: 1, objects: [], hints: [], suggested: [] },
};

function chunk(): Chunk {
  const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'b' }, spec: ['a'] };
  const settings = {
    options,
    definitions: [{ digest: definition.digest, group: 'example.com', kind: 'Widget' }],
    refused: [],
    deadlineAt: Date.now() + 60_000,
    traceparent: undefined,
  };
  return { evaluation: 'e', index: 0, firstItem: 0, items: [slice(object)], settings };
}

describe('background work on a host with one thread', () => {
  let host: EngineHost;
  beforeAll(async () => {
    host = new EngineHost({ threads: 1 });
    await host.start();
  });
  afterAll(() => host.stop());

  it('does not delay other work, does not count as load, and can be stopped', async () => {
    const stop = new AbortController();
    let isOver = false;
    const running = host.run(study, { background: true, signal: stop.signal }).finally(() => (isOver = true));
    for (let i = 0; i < 20; i++) {
      const { result } = await runChunk(host, chunk(), [definition]);
      expect(result.tally).toMatchObject({ accepted: 1 });
    }
    expect(isOver).toBe(false);
    expect(host.load).toEqual({ running: 0, waiting: 0 });
    stop.abort();
    // A stopped search ends with its results so far, or without results if it had only begun.
    expect(['done', 'cancelled']).toContain((await running).kind);
  });
});
