import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
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

const RATE = 200;
const STALL_MS = 400;
/** Number of requests that the server answers before it stalls. */
const BEFORE_STALL = 60;

/**
 * Returns a server that answers at once, except during one stall. The stall lasts for {@link STALL_MS} or until `most` requests are
 * waiting. `held` returns how many requests waited during the stall.
 */
function stalling(most: number): { readonly answer: RequestListener; readonly held: () => number } {
  const waiting: (() => void)[] = [];
  let seen = 0;
  let held = 0;
  let over = false;
  const goOn = (): void => {
    over = true;
    for (const answer of waiting.splice(0)) answer();
  };
  const answer: RequestListener = (request, response) => {
    request.resume();
    if (++seen <= BEFORE_STALL || over) return void response.end('ok');
    if (held++ === 0 && most === Infinity) setTimeout(goOn, STALL_MS);
    waiting.push(() => response.end('ok'));
    if (held >= most) goOn();
  };
  return { answer, held: () => held };
}

describe('a load that sends requests at planned times ("open load")', () => {
  it('shows a stall of the service, which a closed load hides', async () => {
    const forClosed = stalling(Infinity);
    const closedUrl = await serve(forClosed.answer);
    const closed: number[] = [];
    for (let i = 0; i < 2 * BEFORE_STALL; i++) {
      const started = hrMilliseconds();
      await (await fetch(closedUrl, { method: 'POST', body: 'x' })).text();
      closed.push(hrMilliseconds() - started);
    }
    // The stall lasts until the number of requests that are due in that time has arrived, even on a busy machine.
    const forOpen = stalling((RATE * STALL_MS) / 1000);
    const open = await openLoad({
      url: await serve(forOpen.answer),
      body: 'x',
      rate: RATE,
      seconds: 1.5,
      maxInFlight: 1000,
      expected: (text) => text === 'ok',
      lateShare: 1,
    });
    expect(open).toMatchObject({ due: 300, dropped: 0, answered: 300, throttled: 0, non2xx: 0, unexpected: 0, errors: 0 });
    if ('refused' in open.latencies) throw new Error(open.latencies.refused);
    // The closed client has a single request in the stall. The open client has all requests that were due in the meantime.
    expect([forClosed.held(), forOpen.held()]).toEqual([1, 80]);
    expect(Math.max(...closed)).toBeGreaterThan(STALL_MS - 1);
    // The last of the slowest tenth arrived when 50 more were due before the server continued.
    expect(open.latencies.p90).toBeGreaterThan((1000 / RATE) * 49);
  });

  it('counts failures apart from latencies', async () => {
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
    // The counts exclude the responses to the warm-up.
    expect(load).toMatchObject({ due: 40, answered: 8, throttled: 8, non2xx: 8, unexpected: 8, errors: 8 });
    expect(load.latencies).toMatchObject({ samples: 8 });
  });

  it('reports no latencies if it could not send at the planned times', async () => {
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

  it('ends when the caller stops it', async () => {
    const stop = new AbortController();
    const url = await serve((_, response) => void response.end('ok'));
    setTimeout(() => stop.abort(), 200);
    const load = await openLoad({ url, body: 'x', rate: 100, seconds: 60, signal: stop.signal });
    expect(load.due).toBeLessThan(200);
    expect(load.answered).toBe(load.due);
  });
});
