import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { DEFAULT_QUEUE_LIMITS } from '#queue';
import type { QueueAdapter } from '#queue';
import { redisInstalled, startRedis } from '../../../libs/queue/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/queue/test/private-redis.ts';
import { QUEUE } from '../src/engine/tokens.ts';
import { startProcess } from './fleet-processes.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';

const WORKER = fileURLToPath(new URL('../../worker/src/main.ts', import.meta.url));

/** The service and its workers as processes of their own, over a Redis that may be harmed. */
describe.skipIf(!redisInstalled || !thorough)('a fleet', () => {
  let redis: PrivateRedis;
  let app: NestFastifyApplication;
  let url = '';
  let client: ReturnType<PrivateRedis['connect']>;
  let workers: ChildProcess[] = [];
  /** Process ids of engine hosts that stand still. */
  let held: number[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    client = redis.connect();
    ({ app, url } = await startApi({ ASSAY_REDIS_URL: redis.url }));
  });
  afterAll(async () => {
    await app.close();
    client.disconnect();
    redis.stop();
  });
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    for (const host of held) signal(host, 'SIGKILL');
    [workers, held] = [[], []];
    // Dead consumers count until they were not heard of for as long as a lease.
    await redis.flush();
  });

  const queue = (): QueueAdapter => app.get<QueueAdapter>(QUEUE);

  /** A worker that takes part. */
  async function startWorker(): Promise<ChildProcess> {
    const consumers = (): Promise<string[]> => client.zrange('{assay}:consumers', '0', '-1');
    const before = await consumers();
    const worker = spawn(process.execPath, ['--conditions=source', WORKER], {
      env: { ...process.env, PORT: '0', ASSAY_REDIS_URL: redis.url, ASSAY_THREADS: '1' },
      stdio: 'ignore',
    });
    workers.push(worker);
    // Its name tells, and the number of seats does not: the script with which it joins removes a worker that died too long ago, so the number
    // stays where this one was slow to start.
    await until(async () => (await consumers()).some((name) => !before.includes(name)));
    return worker;
  }

  /** A worker that takes part and whose engine host stands still: what it claims is never done, on however fast a machine. */
  async function startHeldWorker(): Promise<ChildProcess> {
    const worker = await startWorker();
    const hosts = readFileSync(`/proc/${worker.pid}/task/${worker.pid}/children`, 'utf8').trim().split(' ').map(Number);
    for (const host of hosts) signal(host, 'SIGSTOP');
    held.push(...hosts);
    return worker;
  }

  /** As often as it takes; the test's own timeout ends it. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const untilClaimed = (): Promise<void> => until(async () => (await queue().work.depth()).claimed > 0);

  /** Evaluations that an API process has queued as a whole, or begun to. */
  const accepted = async (api = url): Promise<number> =>
    Number(/evaluations_total\{end="accepted"\} (\d+)/.exec(await (await fetch(`${api}/metrics`)).text())?.[1]);

  /** Longer than any test may take: what ends here ends for another reason. */
  const LONG = { deadline: '20m' };

  function evaluate(objects: unknown[], options: unknown = {}): Promise<Response> {
    const body = JSON.stringify({ definitions: [slow], objects, options });
    return fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }

  it("a killed worker's chunk runs elsewhere within 15 seconds, and nothing is doubled", async () => {
    const first = await startHeldWorker();
    const objects = Array.from({ length: 2 }, (_, i) => slowObject(`o${i}`, 30));
    const answer = evaluate(objects, LONG);
    await untilClaimed();
    // Nothing is heard of it from here on; it dies for good when there is another one.
    first.kill('SIGSTOP');
    expect((await queue().work.depth()).claimed).toBe(1);
    await startWorker();
    first.kill('SIGKILL');
    expect(await (await answer).json()).toMatchObject({
      items: objects.map((_, index) => ({ index, outcome: 'accepted' })),
      summary: { items: 2, accepted: 2 },
    });
    // How soon follows from the limits; a clock would measure how busy the machine is.
    expect(DEFAULT_QUEUE_LIMITS.leaseMs + 2 * DEFAULT_QUEUE_LIMITS.heartbeatMs).toBeLessThan(15_000);
  });

  it('judges by admission policies, whose text travels as those of definitions do', async () => {
    await startWorker();
    const group = 'admissionregistration.k8s.io/v1';
    const resourceRules = [{ apiGroups: ['example.com'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }];
    const validations = [{ expression: `object.metadata.name != 'b'` }];
    const policies = [
      {
        apiVersion: group,
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'p' },
        spec: { matchConstraints: { resourceRules }, validations },
      },
      {
        apiVersion: group,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'p' },
        spec: { policyName: 'p', validationActions: ['Deny'] },
      },
    ];
    const body = JSON.stringify({ definitions: [slow], policies, objects: ['a', 'b', 'c'].map((name) => slowObject(name, 2)) });
    const answer = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(((await answer.json()) as { items: { outcome: string }[] }).items.map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'rejected',
      'accepted',
    ]);
  });

  it('an evaluation whose keys vanish is the 503 of its request, and the next one is served', async () => {
    const first = await startHeldWorker();
    const answer = evaluate([slowObject('a', 2)], LONG);
    await untilClaimed();
    await redis.flush();
    const response = await answer;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ reason: 'ServiceUnavailable', message: expect.stringContaining('was lost') as string });
    // Flushed out, the first worker joins again; it must not take what the second is to do.
    first.kill('SIGKILL');
    await startWorker();
    expect(await (await evaluate([slowObject('b', 2)], LONG)).json()).toMatchObject({ summary: { accepted: 1 } });
  });

  it('a stream whose evaluation vanished says so, and is not as if it had ended', async () => {
    let send: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
    const line = (value: unknown): void => send?.enqueue(Buffer.from(`${JSON.stringify(value)}\n`));
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = fetch(`${url}/evaluate`, { method: 'POST', headers, body, duplex: 'half' });
    const before = await accepted();
    line({ definitions: [slow] });
    await until(async () => (await accepted()) > before);
    await redis.flush();
    line(slowObject('a', 2));
    // The client would go on for as long as it is not told.
    expect((await answer).status).toBe(503);
    send?.close();
  });

  describe('an API process', () => {
    /** Several chunks. */
    const objects = Array.from({ length: 40 }, (_, i) => slowObject(`o${i}`, 900));
    const body = JSON.stringify({ definitions: [slow], objects, options: LONG });
    const evaluateAt = (api: string, path = '/evaluate'): Promise<Response> =>
      fetch(`${api}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

    it('that is killed takes along what its clients waited for, and nothing else', async () => {
      await startHeldWorker();
      const api = await startProcess('api', { ASSAY_REDIS_URL: redis.url });
      const answer = evaluateAt(api.url).catch(() => 'cut off');
      await untilClaimed();
      const background = (await evaluateAt(api.url, '/evaluate?wait=0')).headers.get('location') ?? '';
      const both = (await queue().work.depth()).waiting;
      api.signal('SIGKILL');
      expect(await answer).toBe('cut off');
      // Half of the chunks go at once, while those of the other evaluation wait for their turn.
      await until(async () => (await queue().work.depth()).waiting <= both / 2 + 1);
      expect(DEFAULT_QUEUE_LIMITS.servingMs + 2 * DEFAULT_QUEUE_LIMITS.heartbeatMs).toBeLessThan(15_000);
      expect(await (await fetch(`${url}${background}`)).json()).toMatchObject({ state: 'running' });
      expect((await fetch(`${url}${background}`, { method: 'DELETE' })).status).toBe(204);
      await until(async () => (await queue().work.depth()).waiting === 0);
    });

    it('that stood still for long tells its client that the evaluation was lost', async () => {
      await startHeldWorker();
      const api = await startProcess('api', { ASSAY_REDIS_URL: redis.url });
      const answer = evaluateAt(api.url);
      await untilClaimed();
      // From now on it waits for results. Stopped while it still queues chunks, it would find that Redis did not answer: another refusal.
      await until(async () => (await accepted(api.url)) === 1);
      api.signal('SIGSTOP');
      // The other API process finds that this one sends no heartbeat.
      await until(async () => (await client.hlen('{assay}:living')) === 0);
      api.signal('SIGCONT');
      const response = await answer;
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('was lost') as string });
      api.terminate();
      expect(await api.ended).toBe(0);
    });
  });

  it('without workers the deadline ends a request', async () => {
    const response = await evaluate([slowObject('a', 2)], { deadline: '200ms' });
    expect(response.status).toBe(408);
    expect(await queue().work.depth()).toMatchObject({ waiting: 0, claimed: 0 });
  });
});

/** One that has ended by itself gets no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}
