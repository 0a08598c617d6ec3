import { latestServer } from '#kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions, definitionText } from '#evaluation';
import type { Chunk, ChunkResult, DocumentSlice } from '#evaluation';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';
import { EngineHost } from './engine-host.ts';
import { runChunk } from './run-chunk.ts';

const slice = (value: unknown): DocumentSlice => ({
  bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  notation: 'json',
});
const schema = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: `!has(self.lists) || ${DEEP_EQUALITY}` }],
  properties: { lists: LISTS, free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
};
const definition = slice(customDefinition({ kind: 'Probe', scope: 'Cluster', schema }));
const text = definitionText(definition, latestServer());
const options = checkOptions({ costLimits: { perCall: 'unlimited', perObject: 'unlimited' } });
if (!options.ok) throw new Error('options');

function chunkOf(objects: readonly unknown[], deadlineMs = 60_000): Chunk {
  const settings = {
    options: (options as { value: Chunk['settings']['options'] }).value,
    definitions: [{ digest: text.digest, group: 'example.com', kind: 'Probe' }],
    refused: [],
    deadlineAt: Date.now() + deadlineMs,
    traceparent: undefined,
  };
  return { evaluation: 'e', index: 0, firstItem: 0, items: objects.map(slice), settings };
}
const probe = (name: string, rest: Record<string, unknown> = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Probe',
  metadata: { name },
  ...rest,
});
/** JSON that needs some thirty times its size once parsed. */
const heavy = `{"apiVersion":"example.com/v1","kind":"Probe","metadata":{"name":"heavy"},"free":{"list":[${'{},'.repeat(500_000)}{}]}}`;
const endless = (name: string) => probe(name, { lists: equalLists(500) });
const outcomes = (result: ChunkResult) => result.verdicts.map((line) => (JSON.parse(line) as { outcome: string }).outcome);

describe('the start of an engine host', () => {
  it('succeeds although the first one is killed before it is ready', async () => {
    const host = new EngineHost(1);
    const starting = host.start();
    process.kill(host.processId ?? 0, 'SIGKILL');
    await starting;
    expect(host.ready).toBe(true);
    host.stop();
  });
});

describe('engine host', () => {
  let host: EngineHost;
  beforeAll(async () => {
    host = new EngineHost(2, 24);
    await host.start();
  });
  afterAll(() => host.stop());

  it('judges a chunk', async () => {
    expect(outcomes(await runChunk(host, chunkOf([probe('a'), probe('b', { lists: ['x'] })]), [text]))).toEqual(['accepted', 'rejected']);
  });

  it('runs a chunk again when its host is killed', { timeout: 30_000 }, async () => {
    const running = runChunk(host, chunkOf([endless('a'), probe('b')]), [text]);
    setTimeout(() => process.kill(host.processId ?? 0, 'SIGKILL'), 50);
    expect(outcomes(await running)).toEqual(['accepted', 'accepted']);
  });

  it('gives up reading a YAML body when that is cancelled', async () => {
    const controller = new AbortController();
    const running = host.run(
      { kind: 'documents', bytes: Buffer.from('a: 1\n'.repeat(500_000)), lines: false },
      { signal: controller.signal },
    );
    controller.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect((await host.run({ kind: 'documents', bytes: Buffer.from('a: 1'), lines: false })).kind).toBe('done');
  });

  it('finds the one object that breaks the engine; its neighbours are judged', { timeout: 60_000 }, async () => {
    const result = await runChunk(host, chunkOf([probe('a'), probe('b'), heavy, probe('c')]), [text]);
    expect(outcomes(result)).toEqual(['accepted', 'accepted', 'notEvaluated', 'accepted']);
    expect(JSON.parse(result.verdicts[2] ?? '')).toMatchObject({ index: 2, status: { code: 500, reason: 'InternalError' } });
    expect(result.tally).toMatchObject({ items: 4, accepted: 3, notEvaluated: 1 });
  });

  it('stops inside one long rule', async () => {
    const controller = new AbortController();
    const many = [endless('e0'), endless('e1')];
    const running = runChunk(host, chunkOf(many), [text], { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const cancelledAt = performance.now();
    controller.abort();
    const result = await running;
    expect(performance.now() - cancelledAt).toBeLessThan(250);
    expect(outcomes(result)).toContain('cancelled');
  });

  it('gives up at the deadline', async () => {
    const result = await runChunk(host, chunkOf([probe('late')], -1), [text]);
    expect(JSON.parse(result.verdicts[0] ?? '')).toMatchObject({ outcome: 'cancelled', status: { code: 408, reason: 'Timeout' } });
  });
});
