import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { latencySummary } from '../measure/latencies.ts';
import { hrMilliseconds } from './hr-milliseconds.ts';
import { HttpSender } from './http-sender.ts';
import { openRequests } from './open-requests.ts';
import { sendLoad } from './send-load.ts';
import type { LoadFindings, LoadOrder, LoadPace } from './send-load.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => answer(request, response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/evaluate`;
}

const send = (url: string, pace: LoadPace, more: Partial<LoadOrder> = {}): Promise<LoadFindings> =>
  sendLoad({
    url,
    bodies: [Buffer.from('{}')],
    headers: {},
    pace,
    seconds: 1,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });

const PACES: readonly LoadPace[] = [
  { kind: 'open', rate: 100 },
  { kind: 'closed', connections: 3 },
];

const STALL_MS = 500;

describe('a load', () => {
  it('shows a stall in all requests that were planned during the stall, even if they were sent after it', async () => {
    let requests = 0;
    // The server shares the client's thread, so nothing is sent while the server stands still.
    const url = await serve((_, response) => {
      if (++requests === 300) for (const until = hrMilliseconds() + STALL_MS; hrMilliseconds() < until;);
      response.end();
    });
    const [fromDue, fromSent]: [number[], number[]] = [[], []];
    const subject = {
      next: () => ({ body: Buffer.from('{}'), headers: {}, at: hrMilliseconds() }),
      answered: ({ at }: { readonly at: number }, { ms }: { readonly ms: number }): void => {
        fromDue.push(ms);
        fromSent.push(hrMilliseconds() - at);
      },
      broken: (reason: string): never => expect.fail(reason),
    };
    const { due } = await openRequests(new HttpSender(url), { rate: 500, seconds: 2.4, maxInFlight: 2000 }, subject);
    expect([due, fromDue.length]).toEqual([1200, 1200]);
    const [reported = 0, hidden = 0] = [fromDue, fromSent].map((some) => latencySummary(some).p99);
    // A fifth of all requests was due while the server stood still.
    expect(reported).toBeGreaterThan(0.8 * STALL_MS);
    expect(hidden).toBeLessThan(reported);
  });

  it.each(PACES)('$kind: distinguishes statuses, waits, broken connections and verdicts', async (pace) => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests % 10 === 1) response.writeHead(429, { 'retry-after': requests % 20 === 1 ? '1' : '3' }).end('full');
      else if (requests % 10 === 2) response.writeHead(500).end('"summary":{"accepted":1');
      else if (requests % 10 === 3) request.socket.destroy();
      else response.end('{"items":[{"accepted":7}],"summary":{"items":3,"accepted":2,"rejected":1,"notEvaluated":0,"cancelled":0}}');
    });
    const { statuses, errors, verdicts, retryAfter, answered, succeeded, latencies, ...load } = await send(url, pace);
    const byCode = Object.fromEntries(statuses.map(({ code, requests: some }) => [code, some]));
    expect(Object.keys(byCode)).toEqual(['200', '429', '500']);
    expect(answered).toBe((byCode[200] ?? 0) + (byCode[429] ?? 0) + (byCode[500] ?? 0));
    expect([succeeded, latencies.samples]).toEqual([byCode[200], byCode[200]]);
    expect(verdicts).toEqual({ accepted: 2 * succeeded, rejected: succeeded, notEvaluated: 0, cancelled: 0 });
    expect(retryAfter).toEqual({ least: 1, most: 3 });
    const broken = errors.reduce((sum, { requests: some }) => sum + some, 0);
    expect(broken).toBeGreaterThan(0);
    expect(load.requests).toBe(answered + broken + load.unanswered);
    expect(load.objectsPerSecond).toBeCloseTo(3 * load.requestsPerSecond, 3);
  });

  it('includes the time in which no request got a response', async () => {
    let requests = 0;
    const url = await serve((request, response) => void (++requests > 100 ? request.socket.destroy() : response.end()));
    const { answered, errors, seconds, requestsPerSecond } = await send(url, { kind: 'open', rate: 100 }, { seconds: 3 });
    expect(errors).toEqual([{ reason: 'ECONNRESET', requests: 300 - answered }]);
    expect(seconds).toBeGreaterThan(2.9);
    expect(requestsPerSecond).toBeLessThan(40);
  });

  it('times each request separately after the service closed a connection', async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests === 50) request.socket.end();
      else setTimeout(() => response.end(), requests === 100 ? 700 : 5);
    });
    const { errors, slowest, latencies } = await send(url, { kind: 'closed', connections: 1 }, { seconds: 3 });
    expect(errors).toEqual([{ reason: 'closed by the service', requests: 1 }]);
    expect(slowest[0]?.ms).toBeGreaterThan(690);
    // If times counted from the previous request, the slow request would count twice.
    expect(slowest[1]?.ms).toBeLessThan(690);
    expect(latencies.samples).toBeGreaterThan(100);
  });

  it.each(PACES)('$kind: sends bodies in order, each with a trace and an id, and reports the slowest requests', async (pace) => {
    const seen: { readonly body: string; readonly trace: string; readonly id: unknown }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.once('end', () => {
        const trace = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(String(request.headers['traceparent']))?.[1] ?? 'none';
        seen.push({ body, trace, id: request.headers['x-request-id'] });
        setTimeout(() => response.end(), seen.length === 90 ? 1500 : 10);
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { slowest, isTraced } = await send(url, pace, { bodies: [Buffer.from('"é1"'), Buffer.from('"2"')], seconds: 3 });
    expect(new Set(seen.map(({ body }) => body))).toEqual(new Set(['"é1"', '"2"']));
    expect(new Set(seen.map(({ trace }) => trace)).size).toBe(seen.length);
    expect(seen.every(({ id, trace }) => id === trace)).toBe(true);
    expect(isTraced).toBe(false);
    expect(slowest).toHaveLength(5);
    expect(slowest[0]?.ms).toBeGreaterThan(1490);
    expect(slowest.map(({ traceId }) => traceId)).toContain(seen[89]?.trace);
  });

  it.each(PACES)('$kind: ends when the caller stops it, and reports open requests separately', async (pace) => {
    const stop = new AbortController();
    let requests = 0;
    const url = await serve((_, response) => {
      // The last requests never get a response.
      if (++requests <= 60) response.end();
      else if (requests === 65 || pace.kind === 'closed') stop.abort();
    });
    const { answered, unanswered, errors, seconds } = await send(url, pace, { seconds: 600, signal: stop.signal });
    expect(answered).toBeGreaterThan(20);
    expect(unanswered).toBeGreaterThan(0);
    expect(errors).toEqual([]);
    expect(seconds).toBeLessThan(300);
  });
});
