import { Redis } from 'ioredis';
import { startRedis } from '../../../test/private-redis.ts';
import { answer, flowOf, item, recordOf } from '../../../test/evaluations.ts';
import { RedisQueue } from '../redis-queue.ts';
import { JobsQueue } from './jobs/jobs-queue.ts';
import { RightsQueue } from './rights/rights-queue.ts';
import { EmbeddedQueue } from '../../embedded/embedded-queue.ts';
import { DEFAULT_QUEUE_LIMITS } from '../../limits.ts';
import type { QueueAdapter } from '../../ports.ts';

const server = await startRedis();
const admin = new Redis(server.url);
const limits = { ...DEFAULT_QUEUE_LIMITS };
const kinds: Record<string, (n: number) => QueueAdapter> = {
  tokens: (n) => new RedisQueue(server.url, `tokens-${n}`, limits),
  jobs: (n) => new JobsQueue(server.url, `jobs-${n}`, limits),
  rights: (n) => new RightsQueue(server.url, `rights-${n}`, limits),
  embedded: () => new EmbeddedQueue(':memory:', limits),
};
const body = () =>
  item(JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', spec: { r: Math.random(), text: 'x'.repeat(700) } }));
const CHUNKS = Number(process.argv[2] ?? 1000);
const ITEMS = 50;
const result = {
  ...answer('{"verdict":"accepted","cost":241}'),
  verdicts: Array.from({ length: ITEMS }, (_, i) => `{"index":${i},"verdict":"accepted","cost":241}`),
};
const flow = flowOf('a', { limits: { evaluations: 200, chunks: 1e6, bytes: 1e9 } });

async function calls(): Promise<{ calls: number; scripts: number }> {
  const info = await admin.info('commandstats');
  const of = (name: string): number => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(info)?.[1] ?? 0);
  return { calls: of('evalsha') + of('eval') + of('bzpopmin') + of('hmget') + of('hget'), scripts: of('evalsha') + of('eval') };
}
async function run(name: string, n: number): Promise<string> {
  const queue = (kinds[name] ?? kinds['tokens']!)(n);
  const leave = await queue.work.join(4);
  const items = Array.from({ length: ITEMS }, body);
  const stop = new AbortController();
  await admin.config('RESETSTAT');
  const cpu0 = (await admin.info('cpu')).match(/used_cpu_user:([\d.]+)/)?.[1];
  const own0 = process.cpuUsage();
  const began = performance.now();
  let done = 0;
  await queue.work.accept(recordOf('e', { flow }));
  const consume = (async () => {
    const running = new Set<Promise<void>>();
    while (!stop.signal.aborted) {
      while (running.size >= 4) await Promise.race(running);
      const claim = await queue.work.claim(stop.signal);
      if (!claim) break;
      const work = queue.work.commit(claim, result, 10).then((answered) => {
        if (answered !== 'stored') throw new Error(`not stored: ${answered}`);
        running.delete(work);
        if (++done === CHUNKS) stop.abort();
      });
      running.add(work);
    }
    await Promise.all(running);
  })();

  for (let i = 0; i < CHUNKS; i++) await queue.work.enqueue('e', i * ITEMS, items);
  await queue.work.seal('e');
  await consume;
  const ms = performance.now() - began;
  const { scripts } = await calls();
  const cpu1 = (await admin.info('cpu')).match(/used_cpu_user:([\d.]+)/)?.[1];
  const own = process.cpuUsage(own0);
  await queue.work.submit(
    recordOf('back', { flow }),
    Array.from({ length: CHUNKS }, () => items),
  );
  await admin.config('RESETSTAT');
  const t0 = performance.now();
  const running = new Set<Promise<void>>();
  for (let i = 0; i < CHUNKS; i++) {
    while (running.size >= 4) await Promise.race(running);
    const claim = await queue.work.claim(AbortSignal.timeout(5000));
    if (!claim) throw new Error('no chunk');
    const work = queue.work.commit(claim, result, 10).then(() => void running.delete(work));
    running.add(work);
  }
  await Promise.all(running);
  const backMs = performance.now() - t0;
  const back = await calls();
  // One small request at a time: from submit to result.
  const waits: number[] = [];
  const small = new AbortController();
  const worker = (async () => {
    for (;;) {
      const claim = await queue.work.claim(small.signal);
      if (!claim) return;
      await queue.work.commit(claim, answer('x'), 1);
    }
  })();
  for (let i = 0; i < 100; i++) {
    const t = performance.now();
    await queue.work.submit(recordOf(`s${i}`, { flow: flowOf('s') }), [[item('{}')]]);
    await queue.results.result(`s${i}`, 0);
    waits.push(performance.now() - t);
    await queue.results.forget(`s${i}`);
  }
  small.abort();
  await worker;
  waits.sort((a, b) => a - b);
  // A single object under a backlog of another flow, two seats.
  await queue.work.submit(
    recordOf('big', { flow }),
    Array.from({ length: 200 }, () => [item('{}')]),
  );
  const busy = new AbortController();
  const sleeper = (async () => {
    const running = new Set<Promise<void>>();
    for (;;) {
      while (running.size >= 2) await Promise.race(running);
      const claim = await queue.work.claim(busy.signal);
      if (!claim) return Promise.all(running);
      const ms = claim.chunk.evaluation === 'big' ? 20 : 2;
      const work = new Promise((resolve) => setTimeout(resolve, ms)).then(async () => {
        await queue.work.commit(claim, answer('x'), ms);
        running.delete(work);
      });
      running.add(work);
    }
  })();
  const under: number[] = [];
  for (let i = 0; i < 15; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const t = performance.now();
    await queue.work.submit(recordOf(`u${i}`, { flow: flowOf('u') }), [[item('{}')]]);
    await queue.results.result(`u${i}`, 0);
    under.push(performance.now() - t);
  }
  under.sort((a, b) => a - b);
  const t = performance.now();
  await queue.work.submit(
    recordOf('many', { flow }),
    Array.from({ length: 1000 }, () => [item('{}')]),
  );
  const t1 = performance.now();
  await queue.cancellations.cancel('many');
  const cancelMs = performance.now() - t1;
  busy.abort();
  await sleeper;
  await leave();
  await queue.close();
  return `${name.padEnd(9)} ${(CHUNKS / (ms / 1000)).toFixed(0).padStart(6)} chunks/s (backlog ${(CHUNKS / (backMs / 1000)).toFixed(0)}, ${(back.scripts / CHUNKS).toFixed(2)} scripts/chunk) ${((ITEMS * CHUNKS) / (ms / 1000)).toFixed(0).padStart(8)} objects/s  scripts/chunk ${(scripts / CHUNKS).toFixed(2)}  redis ${((1000 * (Number(cpu1) - Number(cpu0))) / CHUNKS).toFixed(2)} ms/chunk  own ${(own.user / 1000 / CHUNKS).toFixed(2)} ms/chunk  single p50 ${waits[50]?.toFixed(1)} p95 ${waits[95]?.toFixed(1)} ms  under load p50 ${under[7]?.toFixed(1)} max ${under.at(-1)?.toFixed(1)} ms  submit 1000 ${(t1 - t).toFixed(0)} ms cancel ${cancelMs.toFixed(1)} ms`;
}
for (let round = 0; round < 3; round++) for (const name of ['tokens', 'jobs', 'rights', 'embedded']) console.log(await run(name, round));
admin.disconnect();
server.stop();
