import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { readApiConfig } from '../src/config.ts';
import { startProcess } from './fleet-processes.ts';
import type { Role } from '../../../testing/app-arguments.ts';
import type { FleetProcess } from './fleet-processes.ts';
import { readScrape } from './scrape.ts';
import { slow, slowObject } from './slow.ts';
import { widget, widgets } from './widgets.ts';

/** Answer of a server to a request on a separate connection. */
interface Answer {
  readonly code: number;
  readonly text: string;
  readonly location: string | undefined;
}

function ask(url: string, method = 'GET', body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, agent: false, headers: body === undefined ? {} : { 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.on('data', (block: Buffer) => (text += block.toString()));
        answer.on('end', () => resolve({ code: answer.statusCode ?? 0, text, location: answer.headers.location }));
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** Repeats the check `holds` until it returns true. Only the timeout of the test limits the wait. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const children = (id: number): number[] =>
  readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

const batch = JSON.stringify({ definitions: [widgets], objects: [widget('a', [1]), widget('b', [2])] });

describe('several API processes of one service', () => {
  it('are rejected without Redis, because the queue and its journal belong to one process', () => {
    expect(() => readApiConfig({ ASSAY_API_PROCESSES: '2' })).toThrow(/^ASSAY_API_PROCESSES: 2 processes need ASSAY_REDIS_URL/);
    expect(readApiConfig({ ASSAY_API_PROCESSES: '1' }).processes).toBe(1);
  });

  it('are rejected if they record complete requests without an audit file', () => {
    const variables = { ASSAY_API_PROCESSES: '2', ASSAY_REDIS_URL: 'redis://localhost', ASSAY_AUDIT_LEVEL: 'request' };
    expect(() => readApiConfig(variables)).toThrow(/ASSAY_AUDIT_FILE/);
  });
});

describe.skipIf(!redisInstalled || !thorough)('two API processes on one port', () => {
  let redis: PrivateRedis;
  let started: FleetProcess[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const one of started) one.signal('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    started = [];
  });
  afterAll(() => redis.stop());

  async function start(role: Role, more: NodeJS.ProcessEnv = {}): Promise<FleetProcess> {
    const one = await startProcess(role, { ASSAY_REDIS_URL: redis.url, ...more });
    started.push(one);
    return one;
  }
  /** Starts a service with two API processes and waits until both serve. */
  async function startTwo(more: NodeJS.ProcessEnv = {}): Promise<FleetProcess> {
    const api = await start('node', { ASSAY_API_PROCESSES: '2', ...more });
    await until(() => api.written().includes('Assay listens'));
    return api;
  }
  /** Returns how many batch requests each process answered with 200, by the number of the process. */
  async function answeredBy({ url }: FleetProcess): Promise<Record<string, number>> {
    const { text } = await ask(`${url}/metrics`);
    readScrape(text);
    const counts = text.matchAll(
      /^assay_http_request_duration_seconds_count\{process="(\d)",method="POST",route="\/evaluate",code="200"\} (\d+)$/gm,
    );
    return Object.fromEntries(Array.from(counts, ([, number = '', count]) => [number, Number(count)]));
  }

  it('share the requests, and a scrape of either process contains the metrics of both', async () => {
    const api = await startTwo();
    for (let i = 0; i < 10; i++) expect(await ask(`${api.url}/evaluate`, 'POST', batch)).toMatchObject({ code: 200 });
    const counts = await answeredBy(api);
    expect(Object.keys(counts)).toEqual(['1', '2']);
    expect((counts['1'] ?? 0) + (counts['2'] ?? 0)).toBe(10);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(2);
    expect(api.written().match(/Assay listens/g)).toHaveLength(1);
  });

  it('replace a killed process, perform the work that it had accepted, and respond in the meantime', async () => {
    const api = await startTwo({ ASSAY_ROLE: 'api' });
    const before = children(api.processId);
    expect(before).toHaveLength(2);
    // No process evaluates yet, so accepted work waits in Redis.
    const accepted: Answer[] = [];
    for (let i = 0; i < 6; i++) accepted.push(await ask(`${api.url}/evaluate?wait=0&deadline=10m`, 'POST', batch));
    expect(accepted.map(({ code }) => code)).toEqual([202, 202, 202, 202, 202, 202]);
    const [victim = 0, other] = before;
    process.kill(victim, 'SIGKILL');
    await until(() => children(api.processId).length === 2 && !children(api.processId).includes(victim));
    expect(children(api.processId)).toContain(other);
    await until(() => /"process":1,"code":null,"signal":"SIGKILL".*an API process ended, and is replaced/.test(api.written()));
    await start('worker');
    for (const { location = '' } of accepted) {
      const results = await ask(`${api.url}${location}/results`);
      expect(
        results.text
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { outcome: string }).outcome),
      ).toEqual(['accepted', 'accepted']);
    }
    // The replacement has the number of the killed process, and takes its share.
    await until(async () => {
      // Connections alternate between processes, including the scrape's. So one of two requests reaches the replacement.
      for (let i = 0; i < 2; i++) expect(await ask(`${api.url}/evaluate`, 'POST', batch)).toMatchObject({ code: 200 });
      return ((await answeredBy(api))['1'] ?? 0) > 0;
    });
  });

  it('finish open requests when they are terminated, and exit with 0', async () => {
    const api = await startTwo();
    const processes = children(api.processId);
    const long = JSON.stringify({ definitions: [slow], objects: [slowObject('a', 900)] });
    const open = [ask(`${api.url}/evaluate`, 'POST', long), ask(`${api.url}/evaluate`, 'POST', long)];
    await until(async () => (await ask(`${api.url}/metrics`)).text.match(/^assay_engine_running\{process="\d"\} 1$/gm)?.length === 2);
    api.terminate();
    expect((await Promise.all(open)).map(({ code }) => code)).toEqual([200, 200]);
    expect(await api.ended).toBe(0);
    for (const id of processes) expect(() => process.kill(id, 0)).toThrow(/ESRCH/);
  });

  it('report once why they cannot start, and exit', async () => {
    await expect(start('node', { ASSAY_API_PROCESSES: '2', ASSAY_REDIS_URL: `${redis.url}/99` })).rejects.toThrow(
      /^a process of role node did not become ready: Assay does not start: ASSAY_REDIS_URL: (?!.*does not start: )/s,
    );
    const variables = { ASSAY_API_PROCESSES: '2', ASSAY_REDIS_URL: `${redis.url}/99` };
    const error = await start('node', variables).catch((failure: unknown) => String(failure));
    expect(String(error).match(/Assay does not start/g)).toHaveLength(1);
  });
});
