import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { latestServer } from '#kube';
import { EngineHost, consumeChunks } from '#runner';
import { chunkSource } from '../src/chunk-source.ts';
import { startRedis } from './private-redis.ts';
import { flowOf, recordOf, settingsWith } from './evaluations.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { JobsQueue } from '../src/bullmq/spike/jobs/jobs-queue.ts';
import { RightsQueue } from '../src/bullmq/spike/rights/rights-queue.ts';
import { EmbeddedQueue } from '../src/embedded/embedded-queue.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { QueueAdapter } from '../src/ports.ts';

const server = await startRedis();
const kinds: Record<string, (n: number) => QueueAdapter> = {
  tokens: (n) => new RedisQueue(server.url, `tokens-${n}`),
  jobs: (n) => new JobsQueue(server.url, `jobs-${n}`),
  rights: (n) => new RightsQueue(server.url, `rights-${n}`),
  embedded: () => new EmbeddedQueue(':memory:', DEFAULT_QUEUE_LIMITS),
};
const definition = readFileSync(process.argv[2] ?? '');
const object = readFileSync(process.argv[3] ?? '');
const digest = createHash('sha256').update(definition).digest('hex');
const host = new EngineHost(2, 512);
await host.start();
const ITEMS = 250,
  CHUNKS = Number(process.argv[4] ?? 80);
for (let round = 0; round < 3; round++)
  for (const name of Object.keys(kinds)) {
    const queue = kinds[name]!(round);
    await queue.definitions.put({ digest, slice: { bytes: definition, notation: 'json' }, ...latestServer() });
    const stop = new AbortController();
    const consuming = consumeChunks(chunkSource(queue), host, stop.signal, { claimed: () => undefined, ran: () => undefined });
    const items = Array.from({ length: ITEMS }, () => ({ bytes: object, notation: 'json' as const }));
    const flow = flowOf('a', { limits: { evaluations: 200, chunks: 1e6, bytes: 1e9 } });
    for (const warm of [true, false]) {
      const t = performance.now();
      const n = warm ? 8 : CHUNKS;
      const id = `e${warm}`;
      await queue.work.accept(recordOf(id, { flow, settings: settingsWith(digest) }));
      for (let i = 0; i < n; i++) await queue.work.enqueue(id, i * ITEMS, items);
      await queue.work.seal(id);
      let first: unknown;
      for (let i = 0; i < n; i++) first = await queue.results.result(id, i);
      const ms = performance.now() - t;
      if (!warm)
        console.log(
          name.padEnd(9),
          `${((ITEMS * n) / (ms / 1000)).toFixed(0)} objects/s`,
          round === 0 ? JSON.stringify((first as { verdicts: string[] }).verdicts[0]).slice(0, 90) : '',
        );
    }
    stop.abort();
    await consuming;
    await queue.close();
  }
host.stop();
server.stop();
