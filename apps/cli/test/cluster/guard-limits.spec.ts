import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { ApiReader, Cluster } from '#cluster';
import { checkOptions } from '#documents';
import type { Engine } from '#runner';
import { readReview } from '#service';
import { GUARD_SERVER_LIMITS, GuardServer } from '../../src/commands/guard/guard-server.ts';
import type { GuardServerLimits } from '../../src/commands/guard/guard-server.ts';
import { Guard } from '../../src/commands/guard/guard.ts';
import { pumpDefinition } from './pumps.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Engine that gives up on every task, and counts the tasks. */
class IdleEngine {
  tasks = 0;
  async run(): Promise<{ readonly kind: 'stopped' }> {
    this.tasks++;
    return { kind: 'stopped' };
  }
}

/** API server that answers nothing. */
interface SilentServer {
  readonly url: URL;
  /** Number of open connections. */
  readonly connections: () => Promise<number>;
  /** Number of requests so far. */
  readonly asked: () => number;
}

async function silentServer(): Promise<SilentServer> {
  let count = 0;
  const server = createServer(() => count++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  const connections = (): Promise<number> => new Promise((done) => server.getConnections((_, open) => done(open)));
  return { url: new URL(`http://127.0.0.1:${port}/`), connections, asked: () => count };
}

/** Starts a guard in this process, over a cluster at `url`. Returns the guard's port. */
async function startGuard(url: URL, limits: Partial<GuardServerLimits> = {}, engine = new IdleEngine()): Promise<number> {
  const address = { name: 'silent', server: url, tls: {}, proxy: undefined, credentials: { kind: 'none' }, impersonation: {} } as const;
  const cluster = new Cluster(new ApiReader(address));
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  const settings = { limits: { minors: [], costShare: 1, breaking: [] }, mode: 'deny', whenLate: 'allow' } as const;
  const guard = new Guard(cluster, engine as unknown as Engine, options.value, settings);
  const all = { ...GUARD_SERVER_LIMITS, graceMs: 300, ...limits };
  const server = new GuardServer({ guard, judgeObject: undefined }, undefined, () => undefined, all);
  closing.push(async () => {
    await server.close();
    cluster.close();
  });
  return server.listen({ host: '127.0.0.1', port: 0 });
}

type Review = Readonly<Record<string, unknown>>;

/** Returns the text of an AdmissionReview. `request` has JSON texts, because some of them are no JSON. */
function reviewText(operation: string, request: Readonly<Record<string, string>>): string {
  const kind = '{"group":"apiextensions.k8s.io","version":"v1","kind":"CustomResourceDefinition"}';
  const members = Object.entries(request).map(([key, text]) => `,"${key}":${text}`);
  return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","kind":${kind},"operation":"${operation}"${members.join('')}}}`;
}

async function post(port: number, body: string, path = '/guard'): Promise<{ readonly code: number; readonly response: Review }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
  const text = await answer.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as { response: Review }) : { response: { text } };
  return { code: answer.status, response: json.response };
}

const definition = JSON.stringify(pumpDefinition());
/** Returns the definition with another value in its `spec`, given as JSON text. */
const withValue = (text: string): string => definition.replace('"spec":{', `"spec":{"x":${text},`);
const brackets = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

it.each([
  ['an update without an object', reviewText('UPDATE', { oldObject: definition }), /request\.object/],
  ['an update whose object is null', reviewText('UPDATE', { object: 'null', oldObject: definition }), /request\.object/],
  ['an update without an old object', reviewText('UPDATE', { object: definition }), /request\.oldObject/],
  ['a creation without an object', reviewText('CREATE', {}), /request\.object/],
  ['an object that is too deep', reviewText('UPDATE', { object: withValue(brackets(10_001)), oldObject: definition }), /max depth/],
  ['an old object that is too deep', reviewText('UPDATE', { object: definition, oldObject: withValue(brackets(10_001)) }), /max depth/],
  ['a deletion that is too deep', reviewText('DELETE', { oldObject: withValue(brackets(10_001)) }), /max depth/],
  ['no operation', reviewText('', { object: definition }), /operation/],
  ['half a review', reviewText('UPDATE', { object: definition }).slice(0, -40), /no JSON/],
])('the guard responds to %s with an error, so that the failure policy of the webhook decides', async (_, body, why) => {
  const { code, response } = await post(await startGuard((await silentServer()).url), body);
  expect([code, response['text']]).toEqual([400, expect.stringMatching(why)]);
});

it('the guard allows the deletion of a collection, in which the request has no old object', async () => {
  const { response } = await post(await startGuard((await silentServer()).url), reviewText('DELETE', { oldObject: 'null' }));
  expect(response).toEqual({ uid: 'u', allowed: true });
});

it.each([
  ['two integers that are one double', '9007199254740993', '9007199254740992', true],
  ['a number and its text', '5', '"5"', true],
  ['an integer and a double', '1', '1.0', true],
  ['equal specs', '[9007199254740993]', '[9007199254740993]', false],
])('the guard compares %s exactly', async (_, to, from, isExamined) => {
  const engine = new IdleEngine();
  const port = await startGuard((await silentServer()).url, {}, engine);
  await post(port, reviewText('UPDATE', { object: withValue(to), oldObject: withValue(from) }));
  expect(engine.tasks > 0).toBe(isExamined);
});

it.each(['//', '//guard', '/%', '/%00', '/guard/..', '*', 'http://[', 'http://[::1', 'http://guard:99999/', '/?', '/?timeout=%'])(
  'the guard responds to the target %s with 404',
  async (target) => {
    const port = await startGuard((await silentServer()).url);
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST ${target} HTTP/1.1\r\nHost: guard\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString().split('\r\n')[0]).toBe('HTTP/1.1 404 Not Found');
    socket.destroy();
  },
);

it.each(['1s', '0s', '99999999s', '1e9s', '-1s', 'x', '', '1.5s'])(
  'the guard answers a review whatever its timeout is: %j',
  async (timeout) => {
    const port = await startGuard((await silentServer()).url);
    // A change that keeps the spec gets its answer without an evaluation, and so before any timeout.
    const body = reviewText('UPDATE', { object: definition, oldObject: definition });
    expect((await post(port, body, `/guard?timeout=${timeout}`)).response).toEqual({ uid: 'u', allowed: true });
  },
);

it('the guard closes its connections to the API server at the deadline, and if its client disconnects', async () => {
  const { url, connections, asked } = await silentServer();
  const port = await startGuard(url);
  const body = reviewText('DELETE', { oldObject: definition });
  const gone = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST /guard?timeout=30s HTTP/1.1\r\nHost: guard\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return socket;
  });
  await until(async () => (await connections()) === 20);
  for (const socket of gone) socket.destroy();
  await until(async () => (await connections()) === 0);
  const late = Array.from({ length: 20 }, () => post(port, body, '/guard?timeout=3s'));
  for (const { response } of await Promise.all(late))
    expect(response).toMatchObject({ allowed: true, warnings: ['assay guard: the guard ran out of time: 0 stored objects were judged'] });
  expect(asked()).toBe(40);
  await until(async () => (await connections()) === 0);
});

it('the guard stores only a limited number of body bytes, and responds to other requests afterwards', async () => {
  const [whole, each] = [1_000_000, 400_000];
  const port = await startGuard((await silentServer()).url, { bodyBytes: whole, flowBodyBytes: whole, requestMs: 3000 });
  const head = `POST /guard HTTP/1.1\r\nHost: guard\r\nContent-Length: ${2 * each}\r\n\r\n`;
  const clients: Socket[] = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'));
  const codes = clients.map(async (socket) => {
    socket.on('error', () => undefined);
    socket.write(`${head}${' '.repeat(each)}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return Number(answer.toString().split(' ')[1]);
  });
  const counts = Map.groupBy(await Promise.all(codes), (code) => code);
  // Two bodies fit into the limit, and time out. The others are rejected at once.
  expect([counts.get(408)?.length, counts.get(429)?.length]).toEqual([2, 8]);
  const body = reviewText('UPDATE', { object: definition, oldObject: definition });
  await until(async () => (await post(port, body)).code === 200);
  for (const socket of clients) socket.destroy();
});

it('the guard limits its open requests, and still responds to probes', async () => {
  const { url, connections } = await silentServer();
  const port = await startGuard(url, { openRequests: 3 });
  const body = reviewText('DELETE', { oldObject: definition });
  const open = Array.from({ length: 3 }, () => post(port, body, '/guard?timeout=3s'));
  await until(async () => (await connections()) === 3);
  expect((await post(port, body)).code).toBe(429);
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
  await Promise.all(open);
});

it('the guard parses a review of 8 MB in steps, however deep the nesting is', async () => {
  const depth = 9_000;
  const many = `[${Array.from({ length: 200 }, () => brackets(depth)).join(',')}]`;
  const review = Buffer.from(reviewText('UPDATE', { object: withValue(many), oldObject: withValue(many) }));
  expect(review.length).toBeGreaterThan(7_000_000);
  let longest = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const reading = await readReview(review, { spec: { group: 'value', versions: [{ name: 'value' }] } });
  await sleep(5);
  clearInterval(ticking);
  expect(typeof reading === 'string' ? reading : reading.object?.spec).toMatchObject({ group: 'live.assay.example.com' });
  console.log(`the longest step of a review of 8 MB: ${longest.toFixed(1)} ms`);
  expect(longest).toBeLessThan(1000);
});

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 20_000; !(await isDone()); await sleep(20))
    if (performance.now() > end) throw new Error('not in 20 s');
}
