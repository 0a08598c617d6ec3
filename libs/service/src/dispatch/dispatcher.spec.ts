import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultOptions, emptyTally, steadyNow } from '#evaluation';
import { DEFAULT_FLOW_LIMITS, DEFAULT_QUEUE_LIMITS, EmbeddedQueue, queueKeyOf } from '#queue';
import type { Claim, EvaluationRecord, Flow, QueueLimits } from '#queue';
import type { Engine, ResultOf, RunAnswer, RunSettings, Work } from '#runner';
import { logOnly } from '#telemetry';
import { fakeEngine, namedWork } from '../testing/fake-engine.ts';
import { ChunkConsumer } from './chunk-consumer.ts';
import { Dispatcher } from './dispatcher.ts';
import { Refusals } from './refusals.ts';

/** Options for waiting as long as a busy machine needs. A wait that never succeeds is ended by the timeout of the test. */
const HOWEVER_LONG = { timeout: 120_000 };

const flowOf = (name: string, rest: Partial<Flow> = {}): Flow => ({
  level: 'normal',
  name,
  division: '',
  weight: 1,
  limits: DEFAULT_FLOW_LIMITS,
  ...rest,
});

/** Returns a dispatcher and an engine whose tasks end only when the test ends them. */
function dispatcherOf(threads: number, limits: Partial<QueueLimits> = {}) {
  const fake = fakeEngine(threads);
  const telemetry = logOnly();
  const refusals = new Refusals(telemetry);
  const dispatcher = new Dispatcher({ engine: fake.engine, limits: { ...DEFAULT_QUEUE_LIMITS, ...limits }, refusals, telemetry });
  /**
   * Opens a request of a flow with tasks of these names. Returns the refusal of the request if it is refused, and the answers to its tasks.
   */
  const ask = (flow: Flow, ...names: string[]) => {
    const engine = dispatcher.open(flow, 'request', 0);
    const refusal = engine.admit();
    const answers: Promise<RunAnswer<unknown>>[] = refusal ? [] : names.map((name) => engine.run(namedWork(name)));
    void Promise.all(answers).then(() => engine.leave());
    return { refusal, answers };
  };
  return { ...fake, dispatcher, ask };
}

describe('the dispatcher', () => {
  it('leaves a thread free of a flow that could take all, and gives it to another at once', () => {
    const { begun, ask } = dispatcherOf(3);
    ask(flowOf('greedy'), 'g1', 'g2', 'g3');
    ask(flowOf('greedy'), 'g4');
    expect(begun).toEqual(['g1', 'g2']);
    ask(flowOf('other'), 'o1');
    expect(begun).toEqual(['g1', 'g2', 'o1']);
  });

  it('gives the only thread to whoever is next', async () => {
    const { begun, ask, end } = dispatcherOf(1);
    ask(flowOf('greedy'), 'g1', 'g2', 'g3');
    ask(flowOf('other'), 'o1');
    await end('g1');
    await end('o1');
    expect(begun).toEqual(['g1', 'o1', 'g2']);
  });

  it('charges a flow with what its work took of a thread', async () => {
    const { begun, ask, end } = dispatcherOf(1);
    ask(flowOf('dear'), 'd1', 'd2', 'd3');
    ask(flowOf('cheap'), 'c1', 'c2', 'c3');
    await end('d1', 80);
    for (const name of ['c1', 'c2', 'c3']) await end(name, 1);
    expect(begun).toEqual(['d1', 'c1', 'c2', 'c3', 'd2']);
  });

  it('serves exempt flows first, with all threads, and refuses them nothing', async () => {
    const { begun, ask, end } = dispatcherOf(2, { evaluations: 1 });
    const exempt = flowOf('probe', {
      level: 'exempt',
      limits: { evaluations: 0, chunks: 0, bytes: 0, resultBytes: 0, definitionBytes: 0 },
    });
    ask(flowOf('usual'), 'u1', 'u2');
    expect(ask(exempt, 'e1', 'e2').refusal).toBeUndefined();
    expect(begun).toEqual(['u1', 'e1']);
    await end('u1');
    expect(begun).toEqual(['u1', 'e1', 'e2']);
  });

  it('refuses a request when its flow, or the whole queue, is full, and none that was taken in', async () => {
    const narrow = flowOf('narrow', { limits: { ...DEFAULT_FLOW_LIMITS, evaluations: 1 } });
    const { dispatcher, running, ask, end } = dispatcherOf(1, { evaluations: 2 });
    const first = dispatcher.open(narrow, 'request', 0);
    expect(first.admit()).toBeUndefined();
    void first.run(namedWork('n1'));
    expect(ask(narrow, 'n2').refusal?.status).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: 'too many requests of this client are waiting, please try again later',
      details: { retryAfterSeconds: 1 },
    });
    ask(flowOf('wide'), 'w1');
    expect(ask(flowOf('third'), 't1').refusal?.status).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^too many requests are waiting/) as string,
    });
    expect(first.admit()).toBeUndefined();
    void first.run(namedWork('n3'));
    expect(dispatcher.depth.normal).toEqual({ waiting: 2, running: 1 });
    for (const name of ['n1', 'w1', 'n3']) await end(name);
    expect(dispatcher.depth.normal).toEqual({ waiting: 0, running: 0 });
    first.leave();
    expect(ask(narrow, 'n4').refusal).toBeUndefined();
    expect(running.has('n4')).toBe(true);
  });

  it('bounds the bytes that requests in it hold', async () => {
    const { dispatcher, ask, end } = dispatcherOf(1, { waitingBytes: 1000 });
    const large = dispatcher.open(flowOf('a'), 'request', 1000);
    large.admit();
    void large.run(namedWork('a1'));
    expect(ask(flowOf('b'), 'b1').refusal?.status).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^too many bytes are waiting/) as string,
    });
    await end('a1');
    large.leave();
    expect(ask(flowOf('b'), 'b2').refusal).toBeUndefined();
  });

  it('forgets work that nobody wants any more, waiting or not', async () => {
    const { dispatcher, begun, ask, end } = dispatcherOf(1);
    const [gone, stays] = [new AbortController(), new AbortController()];
    const request = dispatcher.open(flowOf('a'), 'request', 0);
    request.admit();
    const running = request.run(namedWork('a1'), { signal: stays.signal });
    const waiting = request.run(namedWork('a2'), { signal: gone.signal });
    ask(flowOf('b'), 'b1');
    gone.abort();
    expect(await waiting).toEqual({ kind: 'cancelled', spentMs: 0 });
    expect(await request.run(namedWork('a3'), { signal: gone.signal })).toEqual({ kind: 'cancelled', spentMs: 0 });
    await end('a1');
    await running;
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    expect(dispatcher.depth.normal).toEqual({ waiting: 0, running: 0 });
  });

  it('drops what a request still has waiting when it leaves', async () => {
    const { dispatcher, begun, end } = dispatcherOf(1);
    const request = dispatcher.open(flowOf('a'), 'request', 10);
    request.admit();
    void request.run(namedWork('a1'));
    const dropped = request.run(namedWork('a2'));
    request.leave();
    expect(await dropped).toEqual({ kind: 'cancelled', spentMs: 0 });
    await end('a1');
    expect(begun).toEqual(['a1']);
    expect(dispatcher.waiting).toBe(0);
  });
});

describe('the dispatcher with chunks beside other work', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** Returns an evaluation that is older than every request. Within a flow, older work is served first. */
  const recordOf = (id: string, flow: Flow): EvaluationRecord => ({
    id,
    createdAt: 0,
    detached: false,
    owner: undefined,
    flow,
    itemMs: 1,
    settings: { options: defaultOptions(), definitions: [], refused: [], deadlineAt: Date.now() + 60_000, traceparent: undefined },
    definitions: [],
  });

  it('counts the reading of a body as work of its flow: it has not both threads where another waits', async () => {
    const { dispatcher, engine, begun, running, ask, end } = dispatcherOf(2);
    const telemetry = logOnly();
    const shared = { fair: dispatcher.fair, onQueued: () => dispatcher.dispatch() };
    const queue = new EmbeddedQueue(':memory:', DEFAULT_QUEUE_LIMITS, { shared });
    dispatcher.serve(queue.work, new ChunkConsumer(queue, engine, telemetry));
    ends.push(
      () => dispatcher.end(),
      () => queue.close(),
    );
    const item = { bytes: Buffer.from('{}'), notation: 'json' } as const;
    ask(flowOf('greedy'), 'yaml 1', 'yaml 2', 'yaml 3');
    await queue.work.submit(recordOf('e', flowOf('greedy')), [[item], [item], [item]]);
    // Nobody else waits: a chunk has the other thread.
    expect(begun).toEqual(['yaml 1', 'evaluate']);
    ask(flowOf('other'), 'o1', 'o2');
    await end('evaluate');
    await vi.waitFor(() => expect(begun).toEqual(['yaml 1', 'evaluate', 'o1']), HOWEVER_LONG);
    await end('o1');
    await vi.waitFor(() => expect(begun).toEqual(['yaml 1', 'evaluate', 'o1', 'o2']), HOWEVER_LONG);
    await end('o2');
    // The flow's next task is a body again, which it may read once at a time.
    ask(flowOf('other'), 'o3', 'o4');
    await vi.waitFor(() => expect(begun[4]).toBe('o3'), HOWEVER_LONG);
    await end('yaml 1');
    await vi.waitFor(() => expect(begun).toHaveLength(6), HOWEVER_LONG);
    expect([...running.keys()].filter((name) => !name.startsWith('o')).length).toBeLessThanOrEqual(1);
  });

  it('takes a seat from a flow that has more than its share, though what runs there does not end: nothing of it is lost', async () => {
    const engine = new NamedChunks(2);
    const telemetry = logOnly();
    const refusals = new Refusals(telemetry);
    const dispatcher = new Dispatcher({ engine, limits: DEFAULT_QUEUE_LIMITS, refusals, telemetry });
    const queue = new EmbeddedQueue(':memory:', DEFAULT_QUEUE_LIMITS, {
      shared: { fair: dispatcher.fair, onQueued: () => dispatcher.dispatch() },
    });
    dispatcher.serve(queue.work, new ChunkConsumer(queue, engine, telemetry));
    ends.push(
      () => dispatcher.end(),
      () => queue.close(),
    );
    const submit = async (id: string, flow: string): Promise<void> => {
      const record = {
        ...recordOf(id, flowOf(flow)),
        settings: { ...recordOf(id, flowOf(flow)).settings, deadlineAt: steadyNow() + 600_000 },
      };
      expect(await queue.work.submit(record, [[{ bytes: Buffer.from(id), notation: 'json' }]])).toBe('accepted');
    };
    await submit('long 1', 'greedy');
    await submit('long 2', 'greedy');
    await vi.waitFor(() => expect(engine.begun).toEqual(['long 1', 'long 2']), HOWEVER_LONG);
    await submit('short', 'other');
    // It is in hand, where it waits for a thread.
    await vi.waitFor(() => expect(engine.begun).toEqual(['long 1', 'long 2', 'short']), HOWEVER_LONG);
    await vi.waitFor(() => expect(engine.stopped).toEqual(['long 2']), HOWEVER_LONG);
    engine.end('short');
    expect((await queue.results.result('short', 0))?.verdicts).toEqual(['judged']);
    // What was requeued runs on the flow's own seat, and no second one is borrowed by it.
    expect(engine.begun).toHaveLength(3);
    engine.end('long 1');
    await vi.waitFor(() => expect(engine.begun).toEqual(['long 1', 'long 2', 'short', 'long 2']), HOWEVER_LONG);
    engine.end('long 2');
    expect((await queue.results.result('long 1', 0))?.verdicts).toEqual(['judged']);
    expect((await queue.results.result('long 2', 0))?.verdicts).toEqual(['judged']);
    const { chunksRequeued } = telemetry.metrics.counters;
    expect([...chunksRequeued.series].map(({ value }) => value.sum)).toEqual([1]);
  });
});

describe('the dispatcher with runs that were claimed from a shared queue', () => {
  /** Returns the claim of a chunk with one object, and the work that evaluates this chunk. */
  function claimOf(name: string, flow: string, perEvaluation?: number) {
    const options = defaultOptions();
    const costLimits = perEvaluation === undefined ? options.costLimits : { ...options.costLimits, perEvaluation };
    const settings = {
      options: { ...options, costLimits },
      definitions: [],
      refused: [],
      deadlineAt: steadyNow() + 600_000,
      traceparent: undefined,
    };
    const items = [{ bytes: Buffer.from(name), notation: 'json' }] as const;
    const claim: Claim = {
      chunk: { evaluation: name, index: 0, firstItem: 0, items, settings },
      earlierClaims: 0,
      lease: name,
      queueKey: queueKeyOf({ id: name, createdAt: 0, flow: flowOf(flow) }),
      waitedMs: 0,
      celSpent: 0,
      expectedMs: 50,
    };
    return { claim, work: { kind: 'evaluate', firstItem: 0, items, settings, traceparent: undefined, celLeft: undefined } as const };
  }
  function dispatcherOver(threads: number) {
    const engine = new NamedChunks(threads);
    const telemetry = logOnly();
    const dispatcher = new Dispatcher({ engine, limits: DEFAULT_QUEUE_LIMITS, refusals: new Refusals(telemetry), telemetry });
    /** Evaluates a claimed chunk and returns the answer of the engine. */
    const judge = async (name: string, flow: string): Promise<RunAnswer<unknown>> => {
      const { claim, work } = claimOf(name, flow);
      const turn = dispatcher.openRun(claim);
      return turn.run(work).finally(() => turn.leave());
    };
    return { engine, telemetry, dispatcher, judge };
  }

  it('takes turns between flows, and lends a flow all threads while nobody else waits', async () => {
    const { engine, judge } = dispatcherOver(2);
    for (const name of ['g1', 'g2', 'g3']) void judge(name, 'greedy');
    expect(engine.begun).toEqual(['g1', 'g2']);
    void judge('o1', 'other');
    engine.end('g1');
    await vi.waitFor(() => expect(engine.begun).toEqual(['g1', 'g2', 'o1']), HOWEVER_LONG);
  });

  it('sets a run back that holds a seat beyond the share of its flow, and judges it again', async () => {
    const { engine, telemetry, judge } = dispatcherOver(2);
    const answers = [judge('long 1', 'greedy'), judge('long 2', 'greedy')];
    const short = judge('short', 'other');
    await vi.waitFor(() => expect(engine.stopped).toEqual(['long 2']), HOWEVER_LONG);
    await vi.waitFor(() => expect(engine.begun).toContain('short'), HOWEVER_LONG);
    engine.end('short');
    expect(await short).toMatchObject({ kind: 'done' });
    engine.end('long 1');
    await vi.waitFor(() => expect(engine.begun.filter((name) => name === 'long 2')).toHaveLength(2), HOWEVER_LONG);
    engine.end('long 2');
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'done' }, { kind: 'done', spentMs: 251 }]);
    expect([...telemetry.metrics.counters.chunksRequeued.series].map(({ value }) => value.sum)).toEqual([1]);
  });

  it('answers what waits as not run when its run is over', async () => {
    const { engine, dispatcher, judge } = dispatcherOver(1);
    void judge('first', 'a');
    const { claim, work } = claimOf('second', 'a');
    const turn = dispatcher.openRun(claim);
    const waiting = turn.run(work);
    turn.leave();
    expect(await waiting).toEqual({ kind: 'cancelled', spentMs: 0 });
    expect(engine.begun).toEqual(['first']);
  });
});

/** Engine for tests that identifies each chunk by the text of its first item. A chunk ends when a test ends it or when it is stopped. */
class NamedChunks implements Engine {
  readonly begun: string[] = [];
  readonly stopped: string[] = [];
  readonly #running = new Map<string, () => void>();

  constructor(readonly threads: number) {}

  run<One extends Work>(work: One, { signal }: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    if (work.kind !== 'evaluate') throw new Error('other work');
    const name = Buffer.from(work.items[0]?.bytes ?? '').toString();
    this.begun.push(name);
    const result = { verdicts: ['judged'], tally: { ...emptyTally(), items: 1, accepted: 1 }, celCharge: 0, spans: [] };
    return new Promise((resolve) => {
      // The result of an evaluation, which this is.
      this.#running.set(name, () => resolve({ kind: 'done', result: result as unknown as ResultOf<One>, spentMs: 1 }));
      const stop = (): void => {
        this.stopped.push(name);
        resolve({ kind: 'cancelled', spentMs: 250 });
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  end(name: string): void {
    this.#running.get(name)?.();
  }
}
