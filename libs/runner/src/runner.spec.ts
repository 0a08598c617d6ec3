import { latestServer } from '#kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions, definitionText } from '#documents';
import type { Chunk, ChunkResult, DocumentSlice } from '#documents';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';
import { EngineHost } from './engine-host.ts';
import { runChunk } from '../../service/src/run/run-chunk.ts';

const UNLIMITED = { definitions: Infinity, objects: Infinity };
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

function chunkOf(objects: readonly unknown[]): Chunk {
  const settings = {
    options: (options as { value: Chunk['settings']['options'] }).value,
    definitions: [{ digest: text.digest, group: 'example.com', kind: 'Probe' }],
    refused: [],
    deadlineAt: Date.now() + 60_000,
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
/** JSON that needs about thirty times its size in memory after parsing. */
const heavy = `{"apiVersion":"example.com/v1","kind":"Probe","metadata":{"name":"heavy"},"free":{"list":[${'{},'.repeat(1_000_000)}{}]}}`;
const endless = (name: string) => probe(name, { lists: equalLists(1_000) });
const outcomes = (result: ChunkResult) => result.verdicts.map((line) => (JSON.parse(line) as { outcome: string }).outcome);

describe('the start of an engine host', () => {
  it('succeeds even if the first host is killed before it is ready', async () => {
    const host = new EngineHost({ threads: 1 });
    const starting = host.start();
    process.kill(host.processId ?? 0, 'SIGKILL');
    await starting;
    expect(host.ready).toBe(true);
    host.stop();
  });
});

describe('the engine host', () => {
  let host: EngineHost;
  beforeAll(async () => {
    host = new EngineHost({ threads: 2, threadHeapMb: 48 });
    await host.start();
  });
  afterAll(() => host.stop());

  const judge = async (objects: readonly unknown[]) => (await runChunk(host, chunkOf(objects), [text])).result;

  it('evaluates a chunk', async () => {
    expect(outcomes(await judge([probe('a'), probe('b', { lists: ['x'] })]))).toEqual(['accepted', 'rejected']);
  });

  it('runs a chunk again if its process is killed', async () => {
    const running = judge([probe('a'), probe('b')]);
    // The host has received the chunk, and dies before it can answer.
    expect(host.load.running).toBe(1);
    const { restarts } = host;
    process.kill(host.processId ?? 0, 'SIGKILL');
    expect(outcomes(await running)).toEqual(['accepted', 'accepted']);
    expect(host.restarts).toBe(restarts + 1);
  });

  it('stops reading a YAML body when the caller cancels the work', async () => {
    const controller = new AbortController();
    const running = host.run(
      { kind: 'documents', bytes: Buffer.from('a: 1\n'.repeat(500_000)), notation: 'yaml', limits: UNLIMITED },
      { signal: controller.signal },
    );
    controller.abort();
    expect(await running).toMatchObject({ kind: 'cancelled' });
    expect((await host.run({ kind: 'documents', bytes: Buffer.from('a: 1'), notation: 'yaml', limits: UNLIMITED })).kind).toBe('done');
  });

  it('finds the one object that breaks the engine, and evaluates the other objects of the chunk', async () => {
    const result = await judge([probe('a'), probe('b'), heavy, probe('c')]);
    expect(outcomes(result)).toEqual(['accepted', 'accepted', 'notEvaluated', 'accepted']);
    expect(JSON.parse(result.verdicts[2] ?? '')).toMatchObject({ index: 2, status: { code: 500, reason: 'InternalError' } });
    expect(result.tally).toMatchObject({ items: 4, accepted: 3, notEvaluated: 1 });
  });

  it('evaluates each of many simultaneous chunks, even if one never ends and one breaks its thread', async () => {
    const stop = new AbortController();
    const small = Array.from({ length: 40 }, (_, i) => judge([probe(`p${i}`)]));
    const long = runChunk(host, chunkOf([endless('e')]), [text], { signal: stop.signal });
    const more = Array.from({ length: 40 }, (_, i) => judge([probe(`q${i}`)]));
    const broken = judge([heavy]);
    const behind = Array.from({ length: 40 }, (_, i) => judge([probe(`r${i}`)]));
    for (const { verdicts } of await Promise.all([...small, ...more, ...behind]))
      expect(JSON.parse(verdicts[0] ?? '')).toMatchObject({ outcome: 'accepted' });
    stop.abort();
    expect(outcomes((await long).result)).toEqual(['cancelled']);
    expect(outcomes(await broken)).toEqual(['notEvaluated']);
    expect(host.load).toEqual({ running: 0, waiting: 0 });
  });

  it('evaluates other work while quarantined work runs', async () => {
    const { settings } = chunkOf([]);
    const evaluate = (items: readonly unknown[], alone: boolean, signal?: AbortSignal) =>
      host.run(
        { kind: 'evaluate', firstItem: 0, items: items.map(slice), settings, traceparent: undefined },
        { definitions: [text], alone, ...(signal && { signal }) },
      );
    const stop = new AbortController();
    // One thread and the quarantine are busy.
    const held = evaluate([endless('held')], false, stop.signal);
    const suspect = evaluate([endless('suspect')], true, stop.signal);
    let isOver = false;
    void Promise.race([held, suspect]).then(() => (isOver = true));
    expect(outcomes(await judge([probe('honest')]))).toEqual(['accepted']);
    const innocent = await evaluate([probe('innocent')], true);
    expect(innocent).toMatchObject({ kind: 'done', result: { tally: { accepted: 1 } } });
    expect(isOver).toBe(false);
    stop.abort();
    await Promise.all([held, suspect]);
    expect(host.load).toEqual({ running: 0, waiting: 0 });
  });

  it('stops in the middle of one long rule', async () => {
    const running = runChunk(host, chunkOf([endless('e0'), endless('e1')]), [text], { signal: AbortSignal.timeout(60) });
    expect(outcomes((await running).result)).toContain('cancelled');
  });

  it('does not begin work that was already stopped', async () => {
    const { result } = await runChunk(host, chunkOf([probe('late')]), [text], { signal: AbortSignal.abort() });
    expect(JSON.parse(result.verdicts[0] ?? '')).toMatchObject({ outcome: 'cancelled', status: { code: 408, reason: 'Timeout' } });
  });
});
