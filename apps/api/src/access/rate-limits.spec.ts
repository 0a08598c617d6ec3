import { describe, expect, it } from 'vitest';
import type { TokenGrant, TokenRequest } from '#jobs';
import { SharedRate } from './rate-limits.ts';
import type { Rate } from './rate-limits.ts';
import { TokenBucket } from './token-bucket.ts';

/** Duration of a round trip between a node and the store, in ms. */
const ROUND_TRIP_MS = 2;

/** Simulation of several nodes that share one store. The test advances the clock. */
class Nodes {
  now = 0;
  /** Times at which requests were admitted, in ms. */
  readonly admitted: number[] = [];
  readonly refusals: number[] = [];
  commands = 0;
  isAway = false;
  readonly #rates: readonly SharedRate[];
  #bucket: TokenBucket | undefined;
  #travelling: { readonly at: number; readonly arrive: () => void }[] = [];

  constructor(count: number, rate: Rate) {
    const lease = (request: TokenRequest) => this.#lease(request, count);
    this.#rates = Array.from({ length: count }, () => new SharedRate(rate, lease, () => this.now));
  }

  async #lease(request: TokenRequest, processes: number): Promise<TokenGrant> {
    this.commands += 1;
    await new Promise<void>((arrive) => this.#travelling.push({ at: this.now + ROUND_TRIP_MS, arrive }));
    if (this.isAway) throw new Error('the storage does not serve');
    this.#bucket ??= new TokenBucket(request.perSecond, request.size, () => this.now);
    let tokens = 0;
    while (tokens < request.tokens && this.#bucket.take() === 0) tokens += 1;
    return { tokens, waitMs: tokens < request.tokens ? 1000 / request.perSecond : 0, processes };
  }

  /** Sends one request to a node, records the result, and returns the seconds to wait (0 if the request is admitted). */
  async send(node: number): Promise<number> {
    const seconds = (await this.#rates[node]?.take()) ?? NaN;
    if (seconds === 0) this.admitted.push(this.now);
    else this.refusals.push(seconds);
    return seconds;
  }

  /** Advances the clock by 1 ms and completes all store calls that are due at the new time. */
  async step(): Promise<void> {
    this.now += 1;
    const due = this.#travelling.filter(({ at }) => at <= this.now);
    this.#travelling = this.#travelling.filter(({ at }) => at > this.now);
    for (const { arrive } of due) arrive();
    await new Promise(setImmediate);
  }

  /** Sends `perSecond` requests per second for `ms` milliseconds. `pick` returns the node for the n-th request. */
  async load(perSecond: number, ms: number, pick: (n: number) => number): Promise<void> {
    const end = this.now + ms;
    let [owed, n] = [0, 0];
    while (this.now < end) {
      for (owed += perSecond / 1000; owed >= 1; owed -= 1) void this.send(pick(n++));
      await this.step();
    }
  }

  /**
   * Returns the number of admitted requests in each window of 10 s. One window begins at `from` (in ms), and one at each whole second after
   * `from`.
   */
  windows(from: number): number[] {
    const starts = Array.from({ length: Math.max(0, Math.floor((this.now - from) / 1000) - 9) }, (_, i) => from + 1000 * i);
    return starts.map((start) => this.admitted.filter((at) => at > start && at <= start + 10_000).length);
  }
}

/** Returns a function that sends nine of ten requests to the first node, and distributes the rest evenly among the remaining nodes. */
const ninetyPercent =
  (nodes: number) =>
  (n: number): number =>
    n % 10 < 9 ? 0 : 1 + (Math.floor(n / 10) % (nodes - 1));
/** Returns a function that sends each request to the node after that of the previous request. */
const roundRobin =
  (nodes: number) =>
  (n: number): number =>
    n % nodes;

describe('a rate limit that several nodes share', () => {
  it.each([
    ['10/s, 2 nodes, one has 90 %', 10, 10, 2, ninetyPercent(2)],
    ['10/s, 4 nodes in turn', 10, 10, 4, roundRobin(4)],
    ['100/s, 3 nodes, one has 90 %', 100, 100, 3, ninetyPercent(3)],
    ['100/s without bursts, 3 nodes', 100, 1, 3, roundRobin(3)],
    ['1000/s, 10 nodes, one has 90 %', 1000, 1000, 10, ninetyPercent(10)],
    ['1000/s without bursts, 2 nodes', 1000, 1, 2, roundRobin(2)],
  ])('admits the stated rate in each 10 s, with a tolerance of 10 %%: %s', async (_, perSecond, burst, count, pick) => {
    const nodes = new Nodes(count, { name: 'a', perSecond, burst });
    await nodes.load(3 * perSecond, 14_000, pick);
    // These windows begin after a second, when the initial burst is over.
    for (const admitted of nodes.windows(1000)) {
      expect(admitted).toBeGreaterThanOrEqual(9 * perSecond);
      expect(admitted).toBeLessThanOrEqual(11 * perSecond);
    }
    expect(nodes.windows(0)[0]).toBeLessThanOrEqual(11 * perSecond + burst);
    // A refused request needs no command of Redis, so the commands do not grow with the requests.
    expect(nodes.commands / 14).toBeLessThanOrEqual(count * Math.min(2 * perSecond, 45));
  });

  it('admits all requests below the rate, on any node', async () => {
    const nodes = new Nodes(3, { name: 'a', perSecond: 50, burst: 50 });
    for (let second = 0; second < 12; second++) await nodes.load(45, 1000, () => second % 3);
    expect(nodes.refusals).toEqual([]);
  });

  it('admits a burst as a single process does, on any node, and states the waiting time', async () => {
    const nodes = new Nodes(2, { name: 'a', perSecond: 2, burst: 20 });
    const answers = Promise.all(Array.from({ length: 25 }, () => nodes.send(1)));
    for (let ms = 0; ms < 40; ms++) await nodes.step();
    expect((await answers).filter((seconds) => seconds === 0)).toHaveLength(20);
    expect(nodes.refusals).toEqual(Array.from({ length: 5 }, () => 1));
    for (let ms = 0; ms < 1000; ms++) await nodes.step();
    const again = nodes.send(0);
    for (let ms = 0; ms < 10; ms++) await nodes.step();
    expect(await again).toBe(0);
  });

  it('is divided among the nodes while the storage is unavailable, and afterwards is shared again', async () => {
    const nodes = new Nodes(2, { name: 'a', perSecond: 100, burst: 100 });
    await nodes.load(300, 3000, roundRobin(2));
    nodes.isAway = true;
    await nodes.load(300, 13_000, roundRobin(2));
    for (const admitted of nodes.windows(5000)) expect(Math.abs(admitted - 1000)).toBeLessThanOrEqual(100);
    nodes.isAway = false;
    const back = nodes.now + 1000;
    await nodes.load(300, 12_000, ninetyPercent(2));
    for (const admitted of nodes.windows(back)) expect(Math.abs(admitted - 1000)).toBeLessThanOrEqual(100);
  });
});
