import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationRecord } from '#jobs';
import type { Flow } from '#runner/flow';
import { flowOfAddress } from '../src/access/flow.ts';
import { readAccessKeys } from '../src/access/access-keys.ts';
import { readApiConfig } from '../src/config.ts';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { keysFile, sha256 } from './keys-file.ts';
import { endless, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

interface Answer {
  readonly items: readonly {
    readonly outcome: string;
    readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
  }[];
  readonly summary: { readonly celCost: number; readonly notEvaluated: number };
}

let app: NestFastifyApplication | undefined;
let url = '';
async function start(variables: NodeJS.ProcessEnv = {}): Promise<void> {
  ({ app, url } = await startApi({ ASSAY_THREADS: '2', ...variables }));
}

function evaluate(options: unknown = {}, headers: Record<string, string> = {}, path = '/evaluate', count = 10): Promise<Response> {
  const objects = Array.from({ length: count }, (_, i) => widget(`w${i}`, [1, 2]));
  const body = JSON.stringify({ definitions: [widgets], objects, options });
  return fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}
const refusal = async (response: Response): Promise<unknown> => {
  expect(response.status).toBe(400);
  return response.json();
};

describe('the budget of an evaluation', () => {
  afterEach(() => app?.close());

  it('leaves the remaining objects not evaluated when it is spent', async () => {
    await start();
    const whole = (await (await evaluate()).json()) as Answer;
    const each = whole.summary.celCost / 10;
    expect(each).toBeGreaterThan(0);
    const perEvaluation = 3 * each;
    const part = (await (await evaluate({ costLimits: { perEvaluation } })).json()) as Answer;
    expect(part.items.map(({ outcome }) => outcome)).toEqual([...Array(3).fill('accepted'), ...Array(7).fill('notEvaluated')]);
    expect(part.items[3]?.status).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `the cost budget of the evaluation (${perEvaluation} units) was spent before this object was judged`,
    });
    expect(part.summary).toMatchObject({ celCost: perEvaluation, notEvaluated: 7 });
    const byQuery = (await (await evaluate({}, {}, `/evaluate?costPerEvaluation=${each}`)).json()) as Answer;
    expect(byQuery.summary.notEvaluated).toBe(9);
  });

  it('is configured by the operator, and a request can only lower it', async () => {
    await start({ ASSAY_MAX_EVALUATION_COST: '1' });
    expect(((await (await evaluate()).json()) as Answer).summary.notEvaluated).toBe(9);
    expect(((await (await evaluate({ costLimits: { perEvaluation: 0 } })).json()) as Answer).summary.notEvaluated).toBe(10);
    for (const perEvaluation of [2, 'unlimited'])
      expect(await refusal(await evaluate({ costLimits: { perEvaluation } }))).toMatchObject({
        reason: 'BadRequest',
        message: expect.stringMatching(/perEvaluation: .*permits at most 1 /) as string,
      });
  });
});

describe('results that no client fetches', () => {
  beforeAll(() => start({ ASSAY_FLOW_RESULT_BYTES: '2048' }));
  afterAll(() => app?.close());

  const begin = (count: number): Promise<Response> => evaluate({}, {}, '/evaluate?wait=0', count);
  /** Returns all results of an evaluation, each as one line. */
  async function whole(location: string): Promise<string[]> {
    return (await (await fetch(`${url}${location}/results`)).text()).trim().split('\n');
  }

  it('are limited for each flow, and deleting an ended evaluation makes room', async () => {
    const locations: string[] = [];
    for (;;) {
      const response = await begin(3);
      if (response.status === 429) {
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(await response.json()).toMatchObject({ reason: 'TooManyRequests', message: expect.stringContaining('DELETE') as string });
        break;
      }
      expect(response.status).toBe(202);
      const location = response.headers.get('location') ?? '';
      locations.push(location);
      await whole(location);
    }
    // A synchronous evaluation is still served.
    expect((await evaluate()).status).toBe(200);
    const scrape = async (): Promise<number> =>
      Number(/assay_queue_result_bytes (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    expect(await scrape()).toBeGreaterThan(1024);
    for (const location of locations) {
      expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(204);
      for (const path of ['', '/results', '/events']) expect((await fetch(`${url}${location}${path}`)).status).toBe(404);
      expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(404);
    }
    expect(await scrape()).toBe(0);
    expect((await begin(3)).status).toBe(202);
  });

  it('that exceed the limit alone end their evaluation, with a message', async () => {
    const location = (await begin(200)).headers.get('location') ?? '';
    const refusal = { kind: 'Status', reason: 'RequestEntityTooLarge', code: 413 };
    expect(await (await fetch(`${url}${location}/events`)).text()).toMatch(/event: tooLarge\n/);
    expect(await (await fetch(`${url}${location}`)).json()).toMatchObject({ state: 'tooLarge', status: refusal });
    const lines = await whole(location);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject(refusal);
  });
});

describe('a flow of requests', () => {
  const keys = [
    { name: 'probe', sha256: sha256('t-probe'), level: 'exempt' },
    { name: 'small', sha256: sha256('t-small'), level: 'low', weight: 3, maxEvaluations: 2, maxEvaluationCost: 1 },
    { name: 'usual', sha256: sha256('t-usual'), roles: ['evaluate', 'scrape'] },
  ];
  const as = (name: string, rest: Record<string, string> = {}) => ({ 'x-api-key': `t-${name}`, ...rest });

  describe('for keys', () => {
    beforeAll(() => start({ ASSAY_KEYS_FILE: keysFile(keys), ASSAY_FLOW_CHUNKS: '7' }));
    afterAll(() => app?.close());

    async function flowOf(response: Response): Promise<Flow | undefined> {
      const id = (response.headers.get('location') ?? '').split('/')[2] ?? '';
      return (await app?.get<Service>(SERVICE).durable.jobs.record(id))?.flow;
    }

    it("has the limits that the keys file states, or the service's limits if the file states none", async () => {
      expect(await flowOf(await evaluate({}, as('small'), '/evaluate?wait=0'))).toMatchObject({
        level: 'low',
        name: 'small',
        weight: 3,
        limits: { evaluations: 2, chunks: 7 },
      });
      expect(await flowOf(await evaluate({}, as('usual'), '/evaluate?wait=0'))).toMatchObject({ level: 'normal', weight: 1, division: '' });
    });

    it('can be divided by a header, which creates no second flow', async () => {
      const flow = await flowOf(await evaluate({}, as('usual', { 'x-assay-flow': 'pull-requests' }), '/evaluate?wait=0'));
      expect(flow).toMatchObject({ name: 'usual', division: 'pull-requests' });
      for (const wrong of ['a/b', 'a b', 'x'.repeat(64)])
        expect(await refusal(await evaluate({}, as('usual', { 'x-assay-flow': wrong })))).toMatchObject({
          message: expect.stringContaining('x-assay-flow') as string,
        });
    });

    it('has a budget of its own', async () => {
      expect(((await (await evaluate({}, as('small'))).json()) as Answer).summary.notEvaluated).toBe(9);
      expect(((await (await evaluate({}, as('usual'))).json()) as Answer).summary.notEvaluated).toBe(0);
    });

    it('gets a 429 with a reason and a waiting time if it is full, while other flows get responses', async () => {
      // The flow may have two evaluations at a time. Two jobs whose submission is never completed keep it full.
      const queue = app?.get<Service>(SERVICE).durable;
      const record = await recordOf('small');
      if (!queue || !record) throw new Error('no evaluation to copy');
      const open = ['open', 'too'];
      // Asynchronous evaluations of earlier tests may still run, so the queue may refuse the first attempts.
      for (const id of open) await expect.poll(() => queue.jobs.add({ ...record, id }, [], 'partial')).toBe('accepted');
      const response = await evaluate({}, as('small'));
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await response.json()).toMatchObject({
        kind: 'Status',
        reason: 'TooManyRequests',
        code: 429,
        details: { retryAfterSeconds: expect.any(Number) as number },
        message: 'too many evaluations of this client are waiting, please try again later',
      });
      expect((await evaluate({}, as('usual'))).status).toBe(200);
      for (const id of open) await queue.jobs.forget(id);
      expect((await evaluate({}, as('small'))).status).toBe(200);
      const scrape = await (await fetch(`${url}/metrics`, { headers: as('usual') })).text();
      expect(scrape).toMatch(/assay_flow_control_rejected_evaluations_total\{level="low",reason="flow-evaluations"\} 1/);
      expect(scrape).toMatch(/assay_flow_control_dispatched_chunks_total\{level="normal"\} \d/);
      expect(scrape).toMatch(/assay_flow_control_wait_duration_seconds_count\{level="low"\} \d/);
      expect(scrape).toMatch(/assay_flow_control_queued_chunks\{level="high"\} 0/);
      expect(scrape).toMatch(/assay_flow_control_seats 2/);
      expect(scrape).toMatch(/assay_definition_compile_duration_seconds_count \d/);
      // Metrics contain no names of clients, flows or divisions.
      for (const text of ['usual', 'small', 'pull-requests', 'widgets']) expect(scrape).not.toContain(text);
    });

    /** Evaluates a batch in the background for the client `name`, waits until it is complete, and returns the record of this evaluation. */
    async function recordOf(name: string): Promise<EvaluationRecord | undefined> {
      const location = (await evaluate({}, as(name), '/evaluate?wait=0')).headers.get('location') ?? '';
      await (await fetch(`${url}${location}/results`, { headers: as(name) })).text();
      return app?.get<Service>(SERVICE).durable.jobs.record(location.split('/')[2] ?? '');
    }
  });

  it('with different settings in its keys prevents the start of the service', () => {
    const [first, second] = [
      { name: 'a', flow: 'both', sha256: sha256('a'), level: 'high' },
      { name: 'b', flow: 'both', sha256: sha256('b') },
    ];
    expect(() => readAccessKeys(keysFile([first, second]))).toThrow(
      /keys\[1\]\.flow: is an earlier key's: level, weight, .* must be the same/,
    );
    expect(readAccessKeys(keysFile([first, { ...second, level: 'high' }]))).toHaveLength(2);
    expect(() => readAccessKeys(keysFile([{ ...first, level: 'urgent' }]))).toThrow(/keys\[0\]\.level/);
  });

  it('of clients without a key contains all addresses with one prefix, and there are at most 64 such flows', () => {
    const config = readApiConfig({});
    const name = (address: string): string => flowOfAddress(address, config).name;
    expect(name('192.0.2.1')).toBe(name('::ffff:192.0.2.77'));
    expect(name('2001:db8:1:aa01::1')).toBe(name('2001:0db8:0001:aaff:1::2'));
    expect(name('2001:db8::1')).toBe(name('2001:db8:0:0:5::9'));
    const names = new Set(Array.from({ length: 5000 }, (_, i) => name(`10.${i >> 8}.${i & 255}.1`)));
    expect(names.size).toBe(64);
    expect(name('2001:db8:1:ab01::1')).not.toBe(name('2001:db8:1:ac01::1'));
  });
});

describe('requests other than evaluations', () => {
  const keys = [
    { name: 'greedy', sha256: sha256('t-greedy') },
    { name: 'other', sha256: sha256('t-other'), level: 'low' },
    { name: 'narrow', sha256: sha256('t-narrow'), level: 'high', maxEvaluations: 1 },
    { name: 'probe', sha256: sha256('t-probe'), level: 'exempt', maxEvaluations: 1, roles: ['evaluate', 'scrape'] },
  ];
  const gone = new AbortController();
  beforeAll(() => start({ ASSAY_KEYS_FILE: keysFile(keys) }));
  afterAll(async () => {
    gone.abort();
    await app?.close();
  });

  const post = (path: string, key: string, body: string, type = 'application/json', signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type, 'x-api-key': `t-${key}` }, body, ...(signal && { signal }) });
  const judge = (key: string, path = '/definitions'): Promise<Response> => post(path, key, JSON.stringify(widgets));
  const matrix = (key: string): Promise<Response> =>
    post('/matrix', key, JSON.stringify({ definitions: [widgets], objects: [widget('a', [1])] }));
  /** Objects of requests that take longer than any test. The requests are aborted when the test ends. */
  const objects = Array.from({ length: 8 }, (_, i) => slowObject(`o${i}`, 900));
  const slowly = (key: string, path: '/explain' | '/what-if'): void => {
    const lines = [{ definitions: [endless, endless] }, ...objects].map((line) => JSON.stringify(line)).join('\n');
    const sent =
      path === '/explain'
        ? post(path, key, JSON.stringify({ definitions: [endless], objects }), undefined, gone.signal)
        : post(path, key, lines, 'application/x-ndjson', gone.signal);
    sent.then((response) => response.text()).catch(() => 'gone');
  };
  const scrape = async (): Promise<string> => (await fetch(`${url}/metrics`, { headers: { 'x-api-key': 't-probe' } })).text();
  async function untilScraped(line: RegExp): Promise<void> {
    while (!line.test(await scrape())) await new Promise((resolve) => setTimeout(resolve, 25));
  }

  /** Returns the number of work items of the priority level `normal` that were dispatched to the engine. */
  const givenWork = async (): Promise<string | undefined> => /dispatched_work_total\{level="normal"\} (\d+)/.exec(await scrape())?.[1];

  it('get responses soon while another flow has many slow requests', async () => {
    for (const path of ['/explain', '/what-if', '/explain', '/what-if', '/explain'] as const) slowly('greedy', path);
    await untilScraped(/assay_flow_control_queued_work\{level="normal"\} [2-9]/);
    // The flow uses a single thread of two, and its waiting work does not count against others.
    await untilScraped(/assay_flow_control_running_work\{level="normal"\} 1/);
    // If a slow piece ends during the round, the round proves nothing and is repeated.
    let [given, since]: (string | undefined)[] = ['before', 'after'];
    for (let round = 0; round < 20 && since !== given; round++) {
      given = await givenWork();
      for (const answer of [await judge('other'), await judge('other', '/definitions?explain'), await matrix('other')])
        expect(answer.status).toBe(200);
      since = await givenWork();
    }
    // No slow work of the greedy flow had to end before these answers.
    expect(since).toBe(given);
    // Evaluations of the other flow also wait only for their turn.
    expect(((await (await evaluate({}, { 'x-api-key': 't-other' })).json()) as Answer).items).toHaveLength(10);
    await untilScraped(/assay_flow_control_running_work\{level="normal"\} 1/);
    await untilScraped(/assay_flow_control_dispatched_work_total\{level="low"\} [4-9]|\d\d/);
    await untilScraped(/assay_flow_control_work_wait_duration_seconds_count\{level="low"\} \d/);
  });

  it('get a 429 if their flow is full, unless it is exempt', async () => {
    slowly('narrow', '/explain');
    await untilScraped(/assay_flow_control_(?:queued|running)_work\{level="high"\} 1/);
    for (const [path, body, type] of [
      ['/definitions', JSON.stringify(widgets)],
      ['/definitions?explain', JSON.stringify(widgets)],
      ['/explain', JSON.stringify({ definitions: [widgets], objects: [] })],
      ['/matrix', JSON.stringify({ definitions: [widgets], objects: [] })],
      ['/what-if', JSON.stringify({ definitions: [widgets, widgets] }), 'application/x-ndjson'],
    ] as const) {
      const response = await post(path, 'narrow', body, type);
      expect([path, response.status]).toEqual([path, 429]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await response.json()).toMatchObject({
        kind: 'Status',
        reason: 'TooManyRequests',
        message: 'too many requests of this client are waiting, please try again later',
      });
    }
    await untilScraped(/assay_flow_control_rejected_requests_total\{level="high",reason="flow-evaluations"\} 5/);
    gone.abort();
    const answers = await Promise.all([judge('probe'), judge('probe'), matrix('probe')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await judge('narrow')).status).toBe(200);
  });
});
