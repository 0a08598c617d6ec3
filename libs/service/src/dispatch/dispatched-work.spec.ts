import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultOptions, emptyTally, steadyNow } from '#documents';
import type { DocumentSlice } from '#documents';
import { DEFAULT_QUEUE_LIMITS, EmbeddedQueue, JobRunner } from '#jobs';
import type { EvaluationForms, JobRunnerPorts } from '#jobs';
import type { QueueLimits } from '#jobs';
import { Dispatcher, Refusals } from '#runner';
import type { BatchEngine, BatchWork, DispatcherPorts, Engine, ResultOf, RunAnswer, RunSettings, Work } from '#runner';
import { DEFAULT_FLOW_LIMITS, PriceBook, queueKeyOf } from '#runner/flow';
import type { Flow } from '#runner/flow';
import { latestServer } from '#kube';
import { logOnly } from '#telemetry';
import { fakeEngine, namedWork } from '../testing/fake-engine.ts';
import { JobEvaluation, UnstoredResults } from '../jobs/job-evaluation.ts';

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
  const prices = new PriceBook();
  const dispatcher = new Dispatcher({ engine: fake.engine, limits: { ...DEFAULT_QUEUE_LIMITS, ...limits }, prices, refusals, telemetry });
  /**
   * Opens a request of a flow with tasks of these names. Returns the refusal of the request if it is refused, and the answers to its tasks.
   */
  const ask = (flow: Flow, ...names: string[]) => {
    const engine = dispatcher.open(flow, 'request', 0);
    const refusal = engine.enterQueue();
    const answers: Promise<RunAnswer<unknown>>[] = refusal ? [] : names.map((name) => engine.run(namedWork(name)));
    void Promise.all(answers).then(() => engine.leaveQueue());
    return { refusal, answers };
  };
  return { ...fake, dispatcher, ask };
}

describe('the dispatcher', () => {
  it('keeps a thread free from a flow with much work, and gives this thread to another flow at once', () => {
    const { begun, ask } = dispatcherOf(3);
    ask(flowOf('greedy'), 'g1', 'g2', 'g3');
    ask(flowOf('greedy'), 'g4');
    expect(begun).toEqual(['g1', 'g2']);
    ask(flowOf('other'), 'o1');
    expect(begun).toEqual(['g1', 'g2', 'o1']);
  });

  it('gives the only thread to each waiting flow alternately', async () => {
    const { begun, ask, end } = dispatcherOf(1);
    ask(flowOf('greedy'), 'g1', 'g2', 'g3');
    ask(flowOf('other'), 'o1');
    await end('g1');
    await end('o1');
    expect(begun).toEqual(['g1', 'o1', 'g2']);
  });

  it('counts for each flow the thread time of its work', async () => {
    const { begun, ask, end } = dispatcherOf(1);
    ask(flowOf('dear'), 'd1', 'd2', 'd3');
    ask(flowOf('cheap'), 'c1', 'c2', 'c3');
    await end('d1', 80);
    for (const name of ['c1', 'c2', 'c3']) await end(name, 1);
    expect(begun).toEqual(['d1', 'c1', 'c2', 'c3', 'd2']);
  });

  it('serves exempt flows first, with all threads, and never rejects their requests', async () => {
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

  it('rejects a new request if its flow or the whole queue is full, but not the work of an accepted request', async () => {
    const narrow = flowOf('narrow', { limits: { ...DEFAULT_FLOW_LIMITS, evaluations: 1 } });
    const { dispatcher, running, ask, end } = dispatcherOf(1, { evaluations: 2 });
    const first = dispatcher.open(narrow, 'request', 0);
    expect(first.enterQueue()).toBeUndefined();
    void first.run(namedWork('n1'));
    expect(ask(narrow, 'n2').refusal).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: 'too many requests of this client are waiting, please try again later',
      details: { retryAfterSeconds: 1 },
    });
    ask(flowOf('wide'), 'w1');
    expect(ask(flowOf('third'), 't1').refusal).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^too many requests are waiting/) as string,
    });
    expect(first.enterQueue()).toBeUndefined();
    void first.run(namedWork('n3'));
    expect(dispatcher.requests.levels.normal).toEqual({ waiting: 2, running: 1 });
    for (const name of ['n1', 'w1', 'n3']) await end(name);
    expect(dispatcher.requests.levels.normal).toEqual({ waiting: 0, running: 0 });
    first.leaveQueue();
    expect(ask(narrow, 'n4').refusal).toBeUndefined();
    expect(running.has('n4')).toBe(true);
  });

  it('limits the bytes that waiting requests hold', async () => {
    const { dispatcher, ask, end } = dispatcherOf(1, { waitingBytes: 1000 });
    const large = dispatcher.open(flowOf('a'), 'request', 1000);
    large.enterQueue();
    void large.run(namedWork('a1'));
    expect(ask(flowOf('b'), 'b1').refusal).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^too many bytes are waiting/) as string,
    });
    await end('a1');
    large.leaveQueue();
    expect(ask(flowOf('b'), 'b2').refusal).toBeUndefined();
  });

  it('drops cancelled work, whether the work waits or runs', async () => {
    const { dispatcher, begun, ask, end } = dispatcherOf(1);
    const [gone, stays] = [new AbortController(), new AbortController()];
    const request = dispatcher.open(flowOf('a'), 'request', 0);
    request.enterQueue();
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
    expect(dispatcher.requests.levels.normal).toEqual({ waiting: 0, running: 0 });
  });

  it('drops the waiting work of a request whose client left', async () => {
    const { dispatcher, begun, end } = dispatcherOf(1);
    const request = dispatcher.open(flowOf('a'), 'request', 10);
    request.enterQueue();
    void request.run(namedWork('a1'));
    const dropped = request.run(namedWork('a2'));
    request.leaveQueue();
    expect(await dropped).toEqual({ kind: 'cancelled', spentMs: 0 });
    await end('a1');
    expect(begun).toEqual(['a1']);
    expect(dispatcher.requests.waiting).toBe(0);
  });
});

const settings = { options: defaultOptions(), definitions: [], refused: [], deadlineAt: steadyNow() + 600_000, traceparent: undefined };
const itemOf = (name: string): DocumentSlice => ({ bytes: Buffer.from(name), notation: 'json' });
/** Returns the work that evaluates objects with these names. */
const evaluating = (...names: string[]) =>
  ({ kind: 'evaluate', firstItem: 0, items: names.map(itemOf), settings, traceparent: undefined, celLeft: undefined }) as const;

/** Returns a dispatcher over an engine that names each run by its first object. */
function dispatcherOver(threads: number, limits: Partial<QueueLimits> = {}, elsewhere?: DispatcherPorts['elsewhere']) {
  const engine = new NamedRuns(threads);
  const telemetry = logOnly();
  const prices = new PriceBook();
  const refusals = new Refusals(telemetry);
  const all = { ...DEFAULT_QUEUE_LIMITS, ...limits };
  const dispatcher = new Dispatcher({ engine, limits: all, prices, refusals, telemetry, elsewhere });
  const open = (flow: Flow, rest: Partial<BatchWork> = {}) =>
    dispatcher.open(flow, 'evaluation', 0).openBatch({ itemMs: 100, priced: undefined, isAlone: false, whole: undefined, ...rest });
  const opened = (flow: Flow, rest: Partial<BatchWork> = {}): BatchEngine => {
    const outcome = open(flow, rest);
    if (outcome.kind === 'full') throw new Error('the batch was refused');
    return outcome.engine;
  };
  return { engine, telemetry, prices, dispatcher, open, opened };
}

describe('the dispatcher with batches', () => {
  it('counts the time of reading a body for its flow, so the flow does not get both threads while another flow waits', async () => {
    const { engine, dispatcher, opened } = dispatcherOver(2);
    const reading = dispatcher.open(flowOf('greedy'), 'request', 0);
    reading.enterQueue();
    void reading.run(namedWork('yaml 1'));
    // The pause makes the batch younger than the reading. Within a flow, older work is served first.
    await setTimeout(2);
    const batch = opened(flowOf('greedy'));
    for (const name of ['a', 'b', 'c']) void batch.run(evaluating(name));
    // No other flow waits, so a run gets the other thread.
    expect(engine.begun).toEqual(['yaml 1', 'a']);
    const other = dispatcher.open(flowOf('other'), 'request', 0);
    other.enterQueue();
    for (const name of ['o1', 'o2', 'o3']) void other.run(namedWork(name));
    for (const name of ['a', 'o1', 'o2']) {
      await engine.end(name);
      expect(engine.running.filter((one) => one.startsWith('o'))).toHaveLength(1);
    }
    expect(engine.begun).toEqual(['yaml 1', 'a', 'o1', 'o2', 'o3']);
  });

  it('requeues a long run of a flow that exceeds its share, and returns the result of the second attempt', async () => {
    const { engine, telemetry, opened } = dispatcherOver(2);
    const greedy = opened(flowOf('greedy'));
    const answers = ['long 1', 'long 2'].map((name) => greedy.run(evaluating(name)));
    expect(engine.begun).toEqual(['long 1', 'long 2']);
    const short = opened(flowOf('other')).run(evaluating('short'));
    await expect.poll(() => engine.stopped).toEqual(['long 2']);
    await engine.end('short');
    expect(await short).toMatchObject({ kind: 'done' });
    // The requeued run gets the flow's own seat, because the flow may not borrow a second one.
    expect(engine.begun).toHaveLength(3);
    await engine.end('long 1');
    await expect.poll(() => engine.begun).toEqual(['long 1', 'long 2', 'short', 'long 2']);
    await engine.end('long 2');
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'done' }, { kind: 'done', spentMs: 251 }]);
    expect([...telemetry.metrics.counters.chunksRequeued.series].map(({ value }) => value.sum)).toEqual([1]);
  });

  it('accepts a complete batch as a whole or rejects it, and counts its runs until they begin', async () => {
    const narrow = flowOf('narrow', { limits: { ...DEFAULT_FLOW_LIMITS, bytes: 10, chunks: 3 } });
    const { engine, dispatcher, open, opened } = dispatcherOver(1);
    expect(open(narrow, { whole: { runs: 2, bytes: 11 } })).toMatchObject({ kind: 'full', status: { code: 429 } });
    const batch = opened(narrow, { whole: { runs: 4, bytes: 8 } });
    expect(dispatcher.runs).toMatchObject({ waiting: 4, waitingBytes: 8 });
    void batch.run(evaluating('ab'));
    expect(dispatcher.runs).toMatchObject({ waiting: 3, waitingBytes: 6, levels: { normal: { waiting: 3, running: 1 } } });
    expect(open(narrow, { whole: { runs: 1, bytes: 1 } })).toMatchObject({
      status: { message: 'too many objects of this client are waiting, please try again later' },
    });
    void batch.run(evaluating('cd'));
    expect(dispatcher.runs).toMatchObject({ waiting: 3, waitingBytes: 6 });
    await engine.end('ab');
    expect(open(narrow, { whole: { runs: 1, bytes: 7 } })).toMatchObject({
      status: { message: 'too many bytes of this client are waiting, please try again later' },
    });
    batch.close();
    batch.close();
    await engine.end('cd');
    expect(dispatcher.runs).toMatchObject({ waiting: 0, waitingBytes: 0, levels: { normal: { waiting: 0, running: 0 } } });
    expect(dispatcher.load.total).toMatchObject({ evaluations: 0, chunks: 0, bytes: 0 });
  });

  it('does not read further runs of an arriving batch while its flow is full', async () => {
    const narrow = flowOf('narrow', { limits: { ...DEFAULT_FLOW_LIMITS, bytes: 10 } });
    const { engine, opened } = dispatcherOver(1);
    const batch = opened(narrow);
    const read: string[] = [];
    async function* source(): AsyncGenerator<readonly DocumentSlice[]> {
      for (const name of ['first 12', 'second 12', 'third 12', 'fourth 12']) {
        read.push(name);
        yield await Promise.resolve([itemOf(name)]);
      }
    }
    const runs = batch.runs(source());
    const first = (await runs.next()).value as readonly DocumentSlice[];
    void batch.run({ ...evaluating(), items: first });
    const second = (await runs.next()).value as readonly DocumentSlice[];
    void batch.run({ ...evaluating(), items: second });
    const third = runs.next();
    await setTimeout(100);
    expect(read).toEqual(['first 12', 'second 12', 'third 12']);
    await engine.end('first 12');
    expect(Buffer.from(((await third).value as readonly DocumentSlice[])[0]?.bytes ?? '').toString()).toBe('third 12');
  });

  it('learns the time per object of a definition from the runs of a batch', async () => {
    const { engine, prices, opened } = dispatcherOver(1);
    const batch = opened(flowOf('a'), { priced: 'digest' });
    const before = prices.priceOf(['digest']);
    void batch.run(evaluating(...Array.from({ length: 25 }, (_, i) => `item ${i}`)));
    await engine.end('item 0', 100);
    expect(prices.priceOf(['digest'])).toBeGreaterThan(before);
  });

  it('answers the waiting runs of a batch as not run if the client left', async () => {
    const { engine, dispatcher } = dispatcherOver(1);
    const request = dispatcher.open(flowOf('a'), 'evaluation', 0);
    const batch = request.openBatch({ itemMs: 100, priced: undefined, isAlone: false, whole: { runs: 2, bytes: 2 } });
    if (batch.kind === 'full') throw new Error('the batch was refused');
    void batch.engine.run(evaluating('a'));
    const waiting = batch.engine.run(evaluating('b'));
    request.leaveQueue();
    expect(await waiting).toEqual({ kind: 'cancelled', spentMs: 0 });
    expect(engine.begun).toEqual(['a']);
  });
});

describe('the dispatcher of a process in a fleet', () => {
  /** Returns a dispatcher with one thread, and `seats` free seats of other processes, whose tasks end only when the test ends them. */
  function fleetOf(seats: number) {
    const there = new NamedRuns(seats);
    const elsewhere: NonNullable<DispatcherPorts['elsewhere']> = {
      window: seats,
      get hasRoom() {
        return there.running.length < seats;
      },
      run: (work, _, runSettings) => there.run(work, runSettings),
    };
    return { ...dispatcherOver(1, {}, elsewhere), there };
  }
  const namesOf = (answer: RunAnswer<unknown>): unknown => (answer.kind === 'done' ? 'done' : answer.kind);

  it('offers runs while its own thread is busy, alternating between flows, up to the free seats of other processes', async () => {
    const { engine, there, opened } = fleetOf(2);
    const [greedy, other] = [opened(flowOf('greedy')), opened(flowOf('other'))];
    const answers = ['g1', 'g2', 'g3', 'g4'].map((name) => greedy.run(evaluating(name)));
    answers.push(other.run(evaluating('o1')));
    expect([engine.begun, there.begun]).toEqual([['g1'], ['g2', 'g3']]);
    expect(greedy.ahead).toBe(4 + 2 * 2);
    await there.end('g3');
    expect(there.begun).toEqual(['g2', 'g3', 'o1']);
    await engine.end('g1');
    expect(engine.begun).toEqual(['g1', 'g4']);
    for (const name of ['g2', 'o1']) await there.end(name);
    await engine.end('g4');
    expect((await Promise.all(answers)).map(namesOf)).toEqual(Array(5).fill('done'));
  });

  it('offers no requests, no short runs, and no work that must run alone', async () => {
    const { engine, there, dispatcher, opened } = fleetOf(2);
    const short = opened(flowOf('a'), { itemMs: 1 });
    const alone = opened(flowOf('b'), { isAlone: true });
    expect(alone.ahead).toBe(4);
    const request = dispatcher.open(flowOf('c', { level: 'exempt' }), 'request', 0);
    request.enterQueue();
    for (const name of ['s1', 's2']) void short.run(evaluating(name));
    void alone.run(evaluating('a1'));
    void request.run(namedWork('r1'));
    void opened(flowOf('d')).run(evaluating('d1'), { alone: true });
    await engine.end('s1');
    await engine.end('r1');
    expect(there.begun).toEqual([]);
  });

  it('completes a run that another process returned', async () => {
    const { engine, there, opened } = fleetOf(1);
    const batch = opened(flowOf('a'));
    const answers = ['r1', 'r2', 'r3'].map((name) => batch.run(evaluating(name)));
    expect([engine.begun, there.begun]).toEqual([['r1'], ['r2']]);
    there.comeBack('r2');
    await expect.poll(() => there.begun).toHaveLength(2);
    for (const at of [engine, there, engine, there]) for (const name of at.running) await at.end(name);
    expect((await Promise.all(answers)).map(namesOf)).toEqual(['done', 'done', 'done']);
  });

  it('stops an offered run if the client of its request left', async () => {
    const { there, opened } = fleetOf(1);
    const batch = opened(flowOf('a'));
    const client = new AbortController();
    void batch.run(evaluating('r1'));
    const offered = batch.run(evaluating('r2'), { signal: client.signal });
    expect(there.begun).toEqual(['r2']);
    client.abort();
    expect(await offered).toMatchObject({ kind: 'cancelled' });
  });
});

describe('the dispatcher with jobs of its process', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** Returns a dispatcher, and a queue in memory whose jobs it evaluates. */
  function withQueue(threads: number) {
    const over = dispatcherOver(threads);
    const { dispatcher, prices, engine, telemetry } = over;
    const queue = new EmbeddedQueue(':memory:', DEFAULT_QUEUE_LIMITS, { load: dispatcher.load });
    const parts = { queue, dispatcher, prices, telemetry, node: 'here', unstored: new UnstoredResults() };
    const perform: JobRunnerPorts<EvaluationForms>['perform'] = (job, signal) => new JobEvaluation(parts, job, signal).perform();
    const runner = new JobRunner({
      kind: 'evaluation',
      queue,
      traceparentOf: ({ settings: { traceparent } }) => traceparent,
      telemetry,
      node: 'here',
      perform,
    });
    runner.start();
    ends.push(async () => {
      await runner.stop();
      await engine.endAll();
      await queue.close();
    });
    // The objects are expensive, so that the engine gets no run before a thread is free.
    prices.set('dear', 100);
    const submit = async (id: string, flow: Flow, ...names: string[]): Promise<void> => {
      const own = { ...settings, definitions: [{ digest: 'dear', group: 'g', kind: 'K' }] };
      const record = { id, createdAt: 0, owner: undefined, flow, settings: own, definitions: [] };
      await queue.definitions.put({ digest: 'dear', slice: itemOf('{}'), ...latestServer() }, { flow, leftMs: 60_000 });
      expect(
        await queue.jobs.submit(
          record,
          names.map((name) => [itemOf(name)]),
        ),
      ).toBe('accepted');
    };
    return { ...over, queue, submit };
  }

  it('gives a flow a single share for its asynchronous evaluations and its other work', async () => {
    const { engine, opened, submit } = withQueue(1);
    const detached = Array.from({ length: 40 }, (_, i) => `greedy detached ${i}`);
    await submit('e', flowOf('greedy'), ...detached);
    await expect.poll(() => engine.running).toHaveLength(1);
    const [greedy, other] = [opened(flowOf('greedy')), opened(flowOf('other'))];
    for (let i = 0; i < 20; i++) {
      void greedy.run(evaluating(`greedy ${i}`));
      void other.run(evaluating(`other ${i}`));
    }
    for (let ended = 0; ended < 24; ended++) {
      await expect.poll(() => engine.running.length).toBeGreaterThan(0);
      await engine.end(engine.running[0] ?? '', 20);
    }
    const shares = Object.groupBy(engine.ended, (name) => name.split(' ')[0] ?? '');
    expect(shares['greedy']?.length).toBeGreaterThanOrEqual(10);
    expect(shares['greedy']?.length).toBeLessThanOrEqual(14);
    // Both kinds of work of the flow advance.
    const ofGreedy = Object.groupBy(shares['greedy'] ?? [], (name) => (name.includes('detached') ? 'detached' : 'waited'));
    expect(Object.keys(ofGreedy).toSorted()).toEqual(['detached', 'waited']);
  });

  it('applies one limit to the sum of asynchronous evaluations and other work', async () => {
    const narrow = flowOf('narrow', { limits: { ...DEFAULT_FLOW_LIMITS, evaluations: 1 } });
    const { open, opened, queue, submit } = withQueue(1);
    const batch = opened(narrow);
    const record = { id: 'e', createdAt: 0, owner: undefined, flow: narrow, settings, definitions: [] };
    expect(await queue.jobs.submit(record, [[itemOf('a')]])).toBe('flow-evaluations');
    batch.close();
    await submit('e', narrow, 'a', 'b');
    expect(open(narrow)).toMatchObject({ kind: 'full', status: { code: 429 } });
  });
});

describe('the dispatcher with runs that other processes offered', () => {
  function offeredTo(threads: number) {
    const over = dispatcherOver(threads);
    /** Opens a run with one object. */
    const openRun = (name: string, flow: string) => {
      const queueKey = queueKeyOf({ id: name, createdAt: 0, flow: flowOf(flow) });
      return over.dispatcher.openRun({ queueKey, id: name, expectedMs: 50, work: evaluating(name) });
    };
    /** Evaluates an offered run and returns the answer of the engine. */
    const judge = async (name: string, flow: string): Promise<RunAnswer<unknown>> => {
      const turn = openRun(name, flow);
      return turn.run(evaluating(name)).finally(() => turn.leaveQueue());
    };
    return { ...over, openRun, judge };
  }

  it('alternates between flows, and lends a flow all threads while no other flow waits', async () => {
    const { engine, judge } = offeredTo(2);
    for (const name of ['g1', 'g2', 'g3']) void judge(name, 'greedy');
    expect(engine.begun).toEqual(['g1', 'g2']);
    void judge('o1', 'other');
    void engine.end('g1');
    await expect.poll(() => engine.begun).toEqual(['g1', 'g2', 'o1']);
  });

  it('requeues a run beyond the share of its flow, and runs it again', async () => {
    const { engine, telemetry, judge } = offeredTo(2);
    const answers = [judge('long 1', 'greedy'), judge('long 2', 'greedy')];
    const short = judge('short', 'other');
    await expect.poll(() => engine.stopped).toEqual(['long 2']);
    await expect.poll(() => engine.begun).toContain('short');
    void engine.end('short');
    expect(await short).toMatchObject({ kind: 'done' });
    void engine.end('long 1');
    await expect.poll(() => engine.begun.filter((name) => name === 'long 2')).toHaveLength(2);
    void engine.end('long 2');
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'done' }, { kind: 'done', spentMs: 251 }]);
    expect([...telemetry.metrics.counters.chunksRequeued.series].map(({ value }) => value.sum)).toEqual([1]);
  });

  it('answers waiting work as not run if the offering process ended the run', async () => {
    const { engine, openRun, judge } = offeredTo(1);
    void judge('first', 'a');
    const turn = openRun('second', 'a');
    const waiting = turn.run(evaluating('second'));
    turn.leaveQueue();
    expect(await waiting).toEqual({ kind: 'cancelled', spentMs: 0 });
    expect(engine.begun).toEqual(['first']);
  });
});

/** Engine for tests that names each run by the text of its first item. A run ends when a test ends it or when it is stopped. */
class NamedRuns implements Engine {
  readonly begun: string[] = [];
  readonly stopped: string[] = [];
  readonly ended: string[] = [];
  readonly #running = new Map<string, (judgedMs: number) => void>();
  readonly #unperformed = new Map<string, () => void>();

  constructor(readonly threads: number) {}

  get running(): string[] {
    return [...this.#running.keys()];
  }

  run<One extends Work>(work: One, { signal }: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    const bytes = work.kind === 'evaluate' ? work.items[0]?.bytes : work.kind === 'documents' ? work.bytes : undefined;
    const name = Buffer.from(bytes ?? '').toString();
    this.begun.push(name);
    return new Promise((resolve) => {
      const settle = (answer: RunAnswer<ResultOf<One>>): void => {
        this.#running.delete(name);
        resolve(answer);
      };
      this.#running.set(name, (judgedMs) => {
        const tally = { ...emptyTally(), items: 1, accepted: 1, phases: { total: judgedMs } };
        const result = { verdicts: ['judged'], tally, celCharge: 0, spans: [] };
        // TypeScript cannot see that the type of the result belongs to the kind of the work. All work of these tests is evaluations.
        settle({ kind: 'done', result: result as unknown as ResultOf<One>, spentMs: judgedMs });
      });
      this.#unperformed.set(name, () => settle({ kind: 'cancelled', spentMs: 0 }));
      const stop = (): void => {
        this.stopped.push(name);
        settle({ kind: 'cancelled', spentMs: 250 });
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Ends a run as if a thread needed `judgedMs` ms for it. Then lets other pending tasks of the event loop run. */
  async end(name: string, judgedMs = 1): Promise<void> {
    if (this.#running.has(name)) this.ended.push(name);
    this.#running.get(name)?.(judgedMs);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Ends a run as if no process performed it. */
  comeBack(name: string): void {
    this.#unperformed.get(name)?.();
  }

  async endAll(): Promise<void> {
    for (let names = this.running; names.length > 0; names = this.running) for (const name of names) await this.end(name);
  }
}
