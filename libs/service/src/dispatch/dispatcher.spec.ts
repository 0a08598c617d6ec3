import { describe, expect, it } from 'vitest';
import { DEFAULT_FLOW_LIMITS, DEFAULT_QUEUE_LIMITS } from '#queue';
import type { Flow, QueueLimits } from '#queue';
import type { Engine, RunAnswer, Work } from '#runner';
import { StatusFailure } from '../../../../apps/api/src/status.filter.ts';
import { EngineLine } from './dispatcher.ts';
import { Refusals } from './refusals.ts';

const flowOf = (name: string, rest: Partial<Flow> = {}): Flow => ({
  level: 'normal',
  name,
  division: '',
  weight: 1,
  limits: DEFAULT_FLOW_LIMITS,
  ...rest,
});
/** Work that is known by what it carries. */
const work = (name: string): Work => ({ kind: 'documents', bytes: Buffer.from(name), lines: false });

/** A line before an engine whose work ends when the test says so. */
function lineOf(threads: number, limits: Partial<QueueLimits> = {}) {
  const running = new Map<string, (answer: RunAnswer) => void>();
  const begun: string[] = [];
  const engine: Engine = {
    threads,
    run: (given) => {
      const name = given.kind === 'documents' ? Buffer.from(given.bytes).toString() : given.kind;
      begun.push(name);
      return new Promise((resolve) => running.set(name, resolve));
    },
  };
  const line = new EngineLine(engine, { queueLimits: { ...DEFAULT_QUEUE_LIMITS, ...limits } }, new Refusals());
  /** Ends a piece of work, and lets the line go on. */
  async function end(name: string): Promise<void> {
    const settle = running.get(name);
    if (!settle) throw new Error(`${name} does not run`);
    running.delete(name);
    settle({ kind: 'cancelled' });
    await new Promise((resolve) => setImmediate(resolve));
  }
  /** A request of a flow with these pieces of work; how the first one ends. */
  const ask = (flow: Flow, ...names: string[]): Promise<RunAnswer> => {
    const engineOfRequest = line.open(flow, 'question', 0);
    return Promise.all(names.map((name) => engineOfRequest.run(work(name)))).then(([first = { kind: 'cancelled' }]) => first);
  };
  return { line, begun, running, end, ask };
}

async function refusalOf(answer: Promise<unknown>): Promise<StatusFailure['status']> {
  const failure = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof StatusFailure) return failure.status;
  throw new Error('it was not refused');
}

describe('the line before the engine', () => {
  it('leaves a thread free of a flow that could take all, and gives it to another at once', () => {
    const { begun, ask } = lineOf(3);
    void ask(flowOf('greedy'), 'g1', 'g2', 'g3');
    void ask(flowOf('greedy'), 'g4');
    expect(begun).toEqual(['g1', 'g2']);
    void ask(flowOf('other'), 'o1');
    expect(begun).toEqual(['g1', 'g2', 'o1']);
  });

  it('gives the only thread to whoever is next', async () => {
    const { begun, ask, end } = lineOf(1);
    void ask(flowOf('greedy'), 'g1', 'g2', 'g3');
    void ask(flowOf('other'), 'o1');
    await end('g1');
    await end('o1');
    expect(begun).toEqual(['g1', 'o1', 'g2']);
  });

  it('lets requests of one flow take turns', async () => {
    const { begun, ask, end } = lineOf(1);
    void ask(flowOf('a'), 'large1', 'large2', 'large3');
    await new Promise((resolve) => setTimeout(resolve, 2));
    void ask(flowOf('a'), 'small');
    await end('large1');
    expect(begun).toEqual(['large1', 'small']);
  });

  it('charges a flow with what its work took', async () => {
    const { begun, ask, end } = lineOf(1);
    void ask(flowOf('dear'), 'd1', 'd2', 'd3');
    void ask(flowOf('cheap'), 'c1', 'c2', 'c3');
    await new Promise((resolve) => setTimeout(resolve, 80));
    for (const name of ['d1', 'c1', 'c2', 'c3']) await end(name);
    expect(begun).toEqual(['d1', 'c1', 'c2', 'c3', 'd2']);
  });

  it('serves exempt flows first, with all threads, and refuses them nothing', async () => {
    const { begun, ask, end } = lineOf(2, { evaluations: 1 });
    const exempt = flowOf('probe', { level: 'exempt', limits: { evaluations: 0, chunks: 0, bytes: 0 } });
    void ask(flowOf('usual'), 'u1', 'u2');
    void ask(exempt, 'e1', 'e2');
    expect(begun).toEqual(['u1', 'e1']);
    await end('u1');
    expect(begun).toEqual(['u1', 'e1', 'e2']);
  });

  it('refuses a request when its flow, or the line, is full, and none that was taken in', async () => {
    const narrow = flowOf('narrow', { limits: { ...DEFAULT_FLOW_LIMITS, evaluations: 1 } });
    const { line, running, ask, end } = lineOf(1, { evaluations: 2 });
    const first = line.open(narrow, 'question', 0);
    void first.run(work('n1'));
    expect(await refusalOf(ask(narrow, 'n2'))).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: 'too many questions of this client are waiting, please try again later',
      details: { retryAfterSeconds: 1 },
    });
    void ask(flowOf('wide'), 'w1');
    expect(await refusalOf(ask(flowOf('third'), 't1'))).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^too many questions are waiting/) as string,
    });
    void first.run(work('n3'));
    expect(line.depth.normal).toEqual({ waiting: 2, running: 1 });
    for (const name of ['n1', 'w1', 'n3']) await end(name);
    expect(line.depth.normal).toEqual({ waiting: 0, running: 0 });
    void ask(narrow, 'n4');
    expect(running.has('n4')).toBe(true);
  });

  it('bounds the bytes that requests in it hold', async () => {
    const { line, ask, end } = lineOf(1, { waitingBytes: 1000 });
    void line.open(flowOf('a'), 'question', 1000).run(work('a1'));
    expect(await refusalOf(ask(flowOf('b'), 'b1'))).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^too many bytes are waiting/) as string,
    });
    await end('a1');
    void ask(flowOf('b'), 'b2');
    await end('b2');
  });

  it('forgets work that nobody wants any more, waiting or not', async () => {
    const { line, begun, ask, end } = lineOf(1);
    const [gone, stays] = [new AbortController(), new AbortController()];
    const request = line.open(flowOf('a'), 'question', 0);
    const running = request.run(work('a1'), { signal: stays.signal });
    const waiting = request.run(work('a2'), { signal: gone.signal });
    const [next] = [ask(flowOf('b'), 'b1')];
    gone.abort();
    expect(await waiting).toEqual({ kind: 'cancelled' });
    expect(await request.run(work('a3'), { signal: gone.signal })).toEqual({ kind: 'cancelled' });
    expect(line.waiting).toBe(1);
    await end('a1');
    await running;
    await end('b1');
    await next;
    expect(begun).toEqual(['a1', 'b1']);
    expect(line.depth.normal).toEqual({ waiting: 0, running: 0 });
  });
});
