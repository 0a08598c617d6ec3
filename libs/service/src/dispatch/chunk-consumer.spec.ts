import { latestServer } from '#kube';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkOptions, definitionText, steadyNow } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../../testing/deep-equality.ts';
import type { Claim, QueueAdapter, WorkQueue } from '#queue';
import { logOnly, serviceTelemetry } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { ChunkConsumer } from './chunk-consumer.ts';
import { pullChunks } from './pull-chunks.ts';
import { EngineHost } from '../../../runner/src/engine-host.ts';

const slice = (value: unknown): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });
const schema = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: `!has(self.lists) || ${DEEP_EQUALITY}` }],
  properties: { lists: LISTS },
};
const definition = definitionText(slice(customDefinition({ kind: 'Probe', scope: 'Cluster', schema })), latestServer());
const options = checkOptions({ costLimits: { perCall: 'unlimited', perObject: 'unlimited', perEvaluation: 100 } });
if (!options.ok) throw new Error('options');
const settings = {
  options: options.value,
  definitions: [{ digest: definition.digest, group: 'example.com', kind: 'Probe' }],
  refused: [],
  deadlineAt: Date.now() + 60_000,
  traceparent: undefined,
};
const probe = (rest: object = {}) => slice({ apiVersion: 'example.com/v1', kind: 'Probe', metadata: { name: 'a' }, ...rest });
const endless = probe({ lists: equalLists(900) });
const silent = logOnly({ info: () => undefined, warn: () => undefined, error: () => undefined, fatal: () => undefined });

const queueKey = { level: 'normal', flow: 'f', division: '', weight: 1, leaf: 'e' } as const;

function claimOf(item: DocumentSlice, rest: Partial<Claim> = {}): Claim {
  const chunk = { evaluation: 'e', index: 0, firstItem: 0, items: [item], settings };
  return { chunk, earlierClaims: 0, lease: 'l', queueKey, waitedMs: 0, celSpent: 0, expectedMs: 1, ...rest };
}

describe('a consumer', () => {
  const host = new EngineHost({ threads: 1 });
  beforeAll(() => host.start());
  afterAll(() => host.stop());

  /** Makes a consumer evaluate the claims one after another. Returns the committed results. */
  async function consume(
    claims: (Claim | Error)[],
    {
      renew,
      get,
      telemetry = silent,
    }: { renew?: WorkQueue['renew']; get?: QueueAdapter['definitions']['get']; telemetry?: Telemetry } = {},
  ): Promise<ChunkResult[]> {
    const results: ChunkResult[] = [];
    const stop = new AbortController();
    const wanted = claims.filter((claim) => !(claim instanceof Error)).length;
    const work: Pick<WorkQueue, 'join' | 'claim' | 'renew' | 'commit' | 'release'> = {
      join: () => Promise.resolve(() => Promise.resolve()),
      claim: async (signal) => {
        const next = claims.shift();
        if (next instanceof Error) throw next;
        if (!next && !signal.aborted) await once(signal, 'abort');
        return next;
      },
      renew: renew ?? ((running) => Promise.resolve(running.map(() => true))),
      commit: (_, result) => {
        if (results.push(result) === wanted) stop.abort();
        return Promise.resolve('stored');
      },
      release: () => Promise.resolve(),
    };
    const queue = {
      work,
      definitions: { get: get ?? (() => Promise.resolve(definition)) },
      cancellations: { onCancelled: () => () => undefined },
    } as unknown as QueueAdapter;
    await pullChunks({ work: queue.work, consumer: new ChunkConsumer(queue, host, telemetry), engine: host }, stop.signal);
    return results;
  }
  const verdictOf = (result: ChunkResult | undefined): unknown => JSON.parse(result?.verdicts[0] ?? '');

  it('goes on when its queue did not answer', async () => {
    const results = await consume([new Error('connection lost'), claimOf(probe())]);
    expect(results.map(verdictOf)).toMatchObject([{ outcome: 'accepted' }]);
  });

  it('stops what is not its own any more', async () => {
    const results = await consume([claimOf(endless)], { renew: (running) => Promise.resolve(running.map(() => false)) });
    expect(results.map(verdictOf)).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it.each([
    ['whose deadline passed', -1, 0, 'cancelled'],
    ['whose deadline is to come, although the wall clock jumps past it', 60_000, 3_600_000, 'accepted'],
    ['whose deadline passed, although the wall clock was set back', -1, -3_600_000, 'cancelled'],
  ])('ends a chunk %s', async (_, leftMs, jumpMs, outcome) => {
    const { chunk, ...rest } = claimOf(probe());
    const deadlineAt = steadyNow() + leftMs;
    const wallMs = Date.now() + jumpMs;
    const wall = vi.spyOn(Date, 'now').mockImplementation(() => wallMs);
    const results = await consume([{ ...rest, chunk: { ...chunk, settings: { ...settings, deadlineAt } } }]);
    wall.mockRestore();
    expect(results.map(verdictOf)).toMatchObject([{ outcome }]);
  });

  it('gives up a chunk whose consumers were lost again and again', async () => {
    const results = await consume([claimOf(probe(), { earlierClaims: 8 })]);
    expect(results.map(verdictOf)).toMatchObject([{ outcome: 'notEvaluated', status: { code: 500, reason: 'InternalError' } }]);
  });

  it('logs a line for each evaluation whose chunks it takes over from another process, and counts the chunks', async () => {
    const info = vi.fn<(fields: object, message: string) => void>();
    const telemetry = await serviceTelemetry({ ...silent.log, info });
    const of = (evaluation: string, earlierClaims: number): Claim => {
      const claim = claimOf(probe(), { earlierClaims });
      return { ...claim, chunk: { ...claim.chunk, evaluation } };
    };
    await consume([of('a', 1), of('b', 0), of('a', 2), of('c', 1)], { telemetry });
    const message = 'chunks that another process left unfinished are judged here';
    expect(info.mock.calls).toEqual([
      [{ evaluation: 'a', chunks: 2 }, message],
      [{ evaluation: 'c', chunks: 1 }, message],
    ]);
    expect(await telemetry.scrape()).toContain('assay_taken_over_work_total{kind="chunk"} 3');
  });

  it('says of a chunk whose definitions were lost that it was lost, and not that they never came', async () => {
    const results = await consume([claimOf(probe())], { get: () => Promise.resolve(undefined) });
    expect(results.map(verdictOf)).toMatchObject([{ outcome: 'notEvaluated', status: { code: 503, reason: 'ServiceUnavailable' } }]);
  });

  it('spends no more than is left of the budget', async () => {
    const results = await consume([claimOf(probe({ lists: [] }), { celSpent: 99 }), claimOf(probe(), { celSpent: 100 })]);
    expect(results.map(verdictOf)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'notEvaluated', status: { code: 403 } }]);
  });
});
