import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { DEFAULT_QUEUE_LIMITS } from '#jobs';
import type { QueueAdapter } from '#jobs';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { testedArguments } from '../../../testing/app-arguments.ts';
import { startProcess } from './fleet-processes.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';
import { serviceEnvironment } from './service-environment.ts';

/**
 * Tests asynchronous evaluations with separate processes for the API and the workers, over a Redis that tests disturb. The API process
 * evaluates no objects itself; the workers do this.
 */
describe.skipIf(!redisInstalled || !thorough)('a fleet', () => {
  let redis: PrivateRedis;
  let app: NestFastifyApplication;
  let url = '';
  let client: ReturnType<PrivateRedis['connect']>;
  let workers: ChildProcess[] = [];
  /** Process ids of engine hosts that are paused by SIGSTOP. */
  let held: number[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    client = redis.connect();
    ({ app, url } = await startApi({ ASSAY_REDIS_URL: redis.url, ASSAY_ROLE: 'api' }));
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
    // Without the flush, a dead worker would count as a consumer until its lease ends.
    await redis.flush();
  });

  const queue = (): QueueAdapter => app.get<Service>(SERVICE).durable;

  /** Starts a worker and waits until it is registered as a consumer. */
  async function startWorker(): Promise<ChildProcess> {
    const consumers = (): Promise<string[]> => client.zrange('{assay}:consumers', '0', '-1');
    const before = await consumers();
    const worker = spawn(process.execPath, testedArguments(), {
      env: serviceEnvironment({ PORT: '0', ASSAY_REDIS_URL: redis.url, ASSAY_THREADS: '1', ASSAY_ROLE: 'worker' }),
      stdio: 'ignore',
    });
    workers.push(worker);
    // Compares names, and not the number of consumers. When a worker joins, Redis also forgets workers that died long ago, so the number
    // may stay the same.
    await until(async () => (await consumers()).some((name) => !before.includes(name)));
    return worker;
  }

  /**
   * Starts a worker, waits until it is registered, and pauses its engine host with SIGSTOP. Chunks that this worker claims are never
   * finished, however fast the machine is.
   */
  async function startHeldWorker(): Promise<ChildProcess> {
    const worker = await startWorker();
    const hosts = readFileSync(`/proc/${worker.pid}/task/${worker.pid}/children`, 'utf8').trim().split(' ').map(Number);
    for (const host of hosts) signal(host, 'SIGSTOP');
    held.push(...hosts);
    return worker;
  }

  /** Repeats the check `holds` until it resolves to true. Only the timeout of the test limits the wait. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  /** Waits until a process has begun an evaluation. */
  const untilBegun = (location: string): Promise<void> =>
    until(async () => Number(await client.hget(`{assay}:ev:${location.split('/').at(-1)}`, 'starts')) > 0);

  /** Options with a deadline longer than any test may take, so that an evaluation never ends because of its deadline. */
  const LONG = { deadline: '20m' };

  /** Starts an evaluation that continues without its request. Returns the path of the evaluation. */
  async function begin(body: object, api = url): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${api}/evaluate?wait=0`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(202);
    return response.headers.get('location') ?? '';
  }
  /** Waits for the verdicts of an evaluation and returns them. */
  async function verdicts(location: string): Promise<{ index: number; outcome: string }[]> {
    const lines = (await (await fetch(`${url}${location}/results`)).text()).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as { index: number; outcome: string });
  }

  it('another worker continues the job of a killed worker within ten seconds, without duplicate results', async () => {
    const first = await startHeldWorker();
    const objects = Array.from({ length: 2 }, (_, i) => slowObject(`o${i}`, 30));
    const location = await begin({ definitions: [slow], objects, options: LONG });
    await untilBegun(location);
    // From here on, the first worker gives no sign of life. The test kills it when the second process runs.
    first.kill('SIGSTOP');
    const second = await startProcess('worker', { ASSAY_REDIS_URL: redis.url });
    first.kill('SIGKILL');
    expect(await verdicts(location)).toMatchObject(objects.map((_, index) => ({ index, outcome: 'accepted' })));
    expect(await (await fetch(`${second.url}/metrics`)).text()).toContain('assay_taken_over_work_total{kind="evaluation"} 1');
    second.terminate();
    await second.ended;
    expect(second.written()).toContain(`"redis":"${redis.url}/0","traces":"off","msg":"the service has started"`);
    const evaluation = location.split('/').at(-1);
    expect(second.written()).toContain(
      `"evaluation":"${evaluation}","parts":1,"done":0,"startsWithoutResult":2,"msg":"an evaluation that another process left unfinished continues here"`,
    );
    // The ten seconds follow from the length of a lease. A clock would measure how busy the machine is.
    expect(2 * DEFAULT_QUEUE_LIMITS.leaseMs).toBeLessThanOrEqual(10_000);
  });

  it('a terminated worker returns its job at once, and ends', async () => {
    const worker = await startWorker();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const location = await begin({ definitions: [slow], objects: [slowObject('a', 900)], options: LONG });
    await untilBegun(location);
    const requestedAt = performance.now();
    worker.kill('SIGTERM');
    await until(async () => (await client.llen('{assay}:bull:jobs-normal:wait')) === 1);
    expect(await queue().jobs.depth()).toMatchObject({ jobs: 1, waiting: 1 });
    expect(await ended).toBe(0);
    expect(performance.now() - requestedAt).toBeLessThan(4500);
  });

  it('workers evaluate with admission policies, whose texts they get like definitions', async () => {
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
    const location = await begin({ definitions: [slow], policies, objects: ['a', 'b', 'c'].map((name) => slowObject(name, 2)) });
    expect((await verdicts(location)).map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected', 'accepted']);
  });

  it('an evaluation whose keys Redis lost is unknown to its readers, and the next evaluation runs', async () => {
    const first = await startHeldWorker();
    const location = await begin({ definitions: [slow], objects: [slowObject('a', 2)], options: LONG });
    const answer = fetch(`${url}${location}/results`);
    await untilBegun(location);
    // The node handles requests in order, so the request above waits for its results now.
    await fetch(`${url}${location}`);
    await redis.flush();
    const response = await answer;
    // A deleted evaluation and a lost one look the same.
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ reason: 'NotFound' });
    // After the flush, the first worker would join again, and could take the next job.
    first.kill('SIGKILL');
    await startWorker();
    const next = await begin({ definitions: [slow], objects: [slowObject('b', 2)], options: LONG });
    expect(await verdicts(next)).toMatchObject([{ outcome: 'accepted' }]);
  });

  it('workers continue the work of a killed API process', async () => {
    await startHeldWorker();
    const api = await startProcess('api', { ASSAY_REDIS_URL: redis.url });
    const objects = Array.from({ length: 40 }, (_, i) => slowObject(`o${i}`, 900));
    const location = await begin({ definitions: [slow], objects, options: LONG }, api.url);
    await untilBegun(location);
    api.signal('SIGKILL');
    await api.ended;
    expect(await (await fetch(`${url}${location}`)).json()).toMatchObject({ state: 'running' });
    expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(204);
    await until(async () => (await queue().jobs.depth()).waiting === 0);
  });

  it('nodes evaluate jobs in Redis, and another node continues the job of a killed one', async () => {
    const nodes = await Promise.all([1, 2].map(() => startProcess('node', { ASSAY_REDIS_URL: redis.url })));
    const objects = Array.from({ length: 40 }, (_, i) => slowObject(`o${i}`, 30));
    const location = await begin({ definitions: [slow], objects, options: LONG });
    await untilBegun(location);
    nodes[0]?.signal('SIGKILL');
    expect(await verdicts(location)).toMatchObject(objects.map((_, index) => ({ index, outcome: 'accepted' })));
    nodes[1]?.terminate();
    expect(await nodes[1]?.ended).toBe(0);
  });
});

/** Sends a signal to a process. Does nothing if the process has already ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}
