import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Latencies } from '../measure/latencies.ts';
import { hrMilliseconds } from './hr-milliseconds.ts';
import { openLoad } from './open-load.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const STALL_MS = 400;
const STALL_AFTER_MS = 300;

/** Answers at once, but stands still once, some time after its first request. It never blocks this process. */
function stalling(): RequestListener {
  let from: number | undefined;
  return (request, response) => {
    const now = hrMilliseconds();
    from ??= now + STALL_AFTER_MS;
    const left = now < from ? 0 : from + STALL_MS - now;
    request.resume();
    request.once('end', () => setTimeout(() => response.end('ok'), Math.max(0, left)));
  };
}

// These compare times: a machine that is busy for a moment gets another try.
describe('an open load', { retry: 3 }, () => {
  it('shows the stall that a closed load hides', async () => {
    const closed = new Latencies();
    const closedUrl = await serve(stalling());
    const until = hrMilliseconds() + 1500;
    while (hrMilliseconds() < until) {
      const started = hrMilliseconds();
      await (await fetch(closedUrl, { method: 'POST', body: 'x' })).text();
      closed.add(hrMilliseconds() - started);
    }
    const open = await openLoad({
      url: await serve(stalling()),
      body: 'x',
      rate: 200,
      seconds: 1.5,
      expected: (text) => text === 'ok',
      // A busy machine must not spoil the comparison.
      lateShare: 1,
    });
    expect(open).toMatchObject({ due: 300, dropped: 0, answered: 300, throttled: 0, non2xx: 0, unexpected: 0, errors: 0 });
    if ('refused' in open.latencies) throw new Error(open.latencies.refused);
    // A single request of the closed client met the stall; of the open one all that were due meanwhile, 80 of 300.
    expect(closed.summary().max).toBeGreaterThan(STALL_MS / 2);
    expect(closed.summary().p90).toBeLessThan(STALL_MS / 4);
    expect(open.latencies.p90).toBeGreaterThan(closed.summary().p90 ?? Infinity);
    expect(open.slowest.map(({ ms }) => ms > STALL_MS / 2)).toEqual([true, true, true]);
  });

  it('gives each request a trace of its own, and remembers the slowest', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(String(request.headers['traceparent']));
      setTimeout(() => response.end('ok'), 30 * seen.length);
    });
    const { due, slowest } = await openLoad({ url, body: 'x', rate: 100, seconds: 0.2 });
    expect(due).toBe(20);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.every((header) => /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(header))).toBe(true);
    expect(seen.at(-1)).toContain(slowest[0]?.traceId ?? 'none');
  });

  it('keeps failures apart from latencies', async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests % 5 === 0) response.writeHead(429).end('full');
      else if (requests % 5 === 1) response.writeHead(500).end('broken');
      else if (requests % 5 === 2) response.end('wrong');
      else if (requests % 5 === 3) request.destroy();
      else response.end('ok');
    });
    const load = await openLoad({ url, body: 'x', rate: 50, seconds: 0.8, expected: (text) => text === 'ok', lateShare: 1 });
    // What the warm-up was answered with is in none of the counts.
    expect(load).toMatchObject({ due: 40, answered: 8, throttled: 8, non2xx: 8, unexpected: 8, errors: 8 });
    expect(load.latencies).toMatchObject({ samples: 8 });
  });

  it('refuses to tell latencies when it could not send as planned', async () => {
    const slow = await serve((_, response) => void setTimeout(() => response.end('ok'), 300));
    const bounded = await openLoad({ url: slow, body: 'x', rate: 100, seconds: 0.3, maxInFlight: 4, lateShare: 1 });
    expect(bounded.dropped).toBeGreaterThan(20);
    expect(bounded.latencies).toMatchObject({ refused: expect.stringContaining('does not keep up') as string });
    const busy = setInterval(() => {
      const until = hrMilliseconds() + 30;
      while (hrMilliseconds() < until);
    }, 40);
    const late = await openLoad({ url: slow, body: 'x', rate: 100, seconds: 0.5 });
    clearInterval(busy);
    expect(late.latencies).toMatchObject({ refused: expect.stringContaining('late') as string });
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const url = await serve((_, response) => void response.end('ok'));
    setTimeout(() => stop.abort(), 200);
    const load = await openLoad({ url, body: 'x', rate: 100, seconds: 60, signal: stop.signal });
    expect(load.due).toBeLessThan(200);
    expect(load.answered).toBe(load.due);
  });
});
