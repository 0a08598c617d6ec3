import { setTimeout } from 'node:timers/promises';
import { CHUNK_LIMITS, chunkBytes, joinResults, LONG_RUN_LIMITS, splitBatch, steadyNow } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import type { EvaluationRecord, QueueAdapter } from '#queue';
import type { ResultOf, RunAnswer, RunSettings, Work, BatchEngine } from '#runner';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import { Backlog } from './backlog.ts';

/** Time in ms between two attempts to take back offered runs. */
const RETRY_MS = 1000;
/**
 * Time in ms after the deadline for which answers of other processes are still awaited. Within this time, each process reports as cancelled
 * the items whose evaluation it has not begun.
 */
const LATE_ANSWER_MS = 5000;

/** Dependencies of an {@link OverflowEngine}. */
export interface OverflowPorts {
  /** Engine of this process. */
  readonly home: BatchEngine;
  /** Queue that all processes share. */
  readonly shared: QueueAdapter;
  /** Returns the number of runs that may be offered at the same time. */
  readonly window: () => number;
  /** Counts a run that is offered, or that is no longer offered. */
  readonly count: (by: 1 | -1) => void;
  /** Signal that is aborted when the caller no longer waits for the batch. */
  readonly caller: AbortSignal;
}

type EvaluateWork = Extract<Work, { kind: 'evaluate' }>;

/**
 * Engine of a batch that offers runs (stretches of consecutive items) to other processes through the queue that they share. It offers the
 * next run if so much work waits for this process that its threads are busy for some time. If no process answers an offered run, this
 * process evaluates the run, so that it is neither lost nor reported twice.
 */
export class OverflowEngine implements BatchEngine {
  readonly threads: number;
  readonly #ports: OverflowPorts;
  readonly #batch: PreparedBatch;
  readonly #record: EvaluationRecord;
  readonly #backlog: Backlog;
  readonly #stop = new AbortController();
  /** Runs that are to be offered, or were evaluated by another process, by the index of their first item. */
  readonly #toOffer = new Set<number>();
  readonly #elsewhere = new Set<number>();
  /** Resolves to true if the shared queue accepted the evaluation. Undefined before the first offer. */
  #accepted: Promise<boolean> | undefined;
  /** Resolves when the last offered run is in the shared queue, or was refused. */
  #lastOffer: Promise<unknown> = Promise.resolve();
  #offered = 0;
  #open = 0;
  /** True if a run was refused or not answered. No more runs are then offered. */
  #isClosed = false;

  constructor(ports: OverflowPorts, batch: PreparedBatch, record: EvaluationRecord) {
    this.threads = ports.home.threads;
    this.#ports = ports;
    this.#batch = batch;
    this.#record = record;
    this.#backlog = new Backlog(this.threads, record.itemMs);
    if (ports.caller.aborted) this.#end();
    else ports.caller.addEventListener('abort', this.#end, { once: true });
  }

  get ahead(): number {
    const { home, window } = this.#ports;
    const offers = window();
    return offers === 0 ? home.ahead : Math.max(home.ahead, this.#backlog.longRuns) + offers;
  }

  async *runs(source: AsyncGenerator<readonly DocumentSlice[]>): AsyncGenerator<readonly DocumentSlice[]> {
    let firstItem = 0;
    // The engine of this process holds a run only until it has room for the run.
    for await (const run of this.#ports.home.runs(source)) {
      const isOffered = this.#hasRoom && this.#backlog.isLong;
      const items = isOffered ? await lengthened(run, source, this.#record.itemMs) : run;
      if (isOffered) this.#toOffer.add(firstItem);
      else this.#backlog.add(items.length);
      yield items;
      firstItem += items.length;
    }
  }

  async run<One extends Work>(work: One, settings: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    if (work.kind !== 'evaluate') return this.#ports.home.run(work, settings);
    return (await this.#runItems(work, settings)) as RunAnswer<ResultOf<One>>;
  }

  wasElsewhere(firstItem: number): boolean {
    return this.#elsewhere.has(firstItem);
  }

  close(): void {
    this.#end();
    this.#ports.home.close();
  }

  async #runItems(work: EvaluateWork, settings: RunSettings): Promise<RunAnswer<ChunkResult>> {
    if (!this.#toOffer.delete(work.firstItem)) return this.#runHere(work, settings);
    const result = await this.#offer(work, settings.signal);
    if (result) {
      this.#elsewhere.add(work.firstItem);
      return { kind: 'done', result, spentMs: 0 };
    }
    return this.#runParts(work, settings);
  }

  async #runHere(work: EvaluateWork, settings: RunSettings): Promise<RunAnswer<ChunkResult>> {
    const answer = await this.#ports.home.run(work, settings);
    if (answer.kind === 'done') this.#backlog.update(answer.result.tally);
    return answer;
  }

  /** Evaluates a long run in this process, as several runs. If one of them is not done, returns its answer. */
  async #runParts(work: EvaluateWork, settings: RunSettings): Promise<RunAnswer<ChunkResult>> {
    let firstItem = work.firstItem;
    const parts = splitBatch(work.items, this.#record.itemMs).map((items) => {
      const part = { ...work, firstItem, items };
      firstItem += items.length;
      this.#backlog.add(items.length);
      return this.#runHere(part, settings);
    });
    const answers = await Promise.all(parts);
    const spentMs = answers.reduce((sum, answer) => sum + answer.spentMs, 0);
    const failed = answers.find(({ kind }) => kind !== 'done');
    if (failed) return { ...failed, spentMs };
    return { kind: 'done', result: joinResults(answers.flatMap((answer) => (answer.kind === 'done' ? [answer.result] : []))), spentMs };
  }

  /** True if one more run may be offered. */
  get #hasRoom(): boolean {
    return !this.#isClosed && this.#open < this.#ports.window();
  }

  /** Offers a run, and returns its result. Returns undefined if the shared queue refuses the run, or if no process answers. */
  async #offer(work: EvaluateWork, signal: AbortSignal | undefined): Promise<ChunkResult | undefined> {
    const { shared, count } = this.#ports;
    this.#open += 1;
    count(1);
    try {
      // The shared queue numbers the runs in the order in which it gets them.
      const enqueued = this.#lastOffer.then(() => this.#enqueue(work));
      this.#lastOffer = enqueued.catch(() => undefined);
      const index = await enqueued;
      const result = index === undefined ? undefined : await this.#answer(index, signal);
      if (result && index !== undefined) void shared.results.discard(this.#record.id, index).catch(() => undefined);
      else this.#isClosed = true;
      return result;
    } catch {
      this.#isClosed = true;
      return undefined;
    } finally {
      this.#open -= 1;
      count(-1);
    }
  }

  /** Adds a run to the shared queue, and returns its index there. Returns undefined if the queue refuses it. */
  async #enqueue({ firstItem, items }: EvaluateWork): Promise<number | undefined> {
    if (this.#isClosed) return undefined;
    this.#accepted ??= this.#accept();
    const isTaken = (await this.#accepted) && (await this.#ports.shared.work.enqueue(this.#record.id, firstItem, items)) === 'queued';
    if (!isTaken) this.#isClosed = true;
    return isTaken ? this.#offered++ : undefined;
  }

  /** Waits for the answer to an offered run. After the deadline, waits only for a short time. */
  async #answer(index: number, signal: AbortSignal | undefined): Promise<ChunkResult | undefined> {
    const { results } = this.#ports.shared;
    let timer: NodeJS.Timeout | undefined;
    const late = (): void => void (timer = globalThis.setTimeout(this.#end, LATE_ANSWER_MS).unref());
    if (signal?.aborted) late();
    else signal?.addEventListener('abort', late, { once: true });
    try {
      return await results.result(this.#record.id, index, this.#stop.signal);
    } finally {
      signal?.removeEventListener('abort', late);
      clearTimeout(timer);
    }
  }

  /**
   * Stores the texts that the runs need in the shared storage, and registers the evaluation in the shared queue. Returns false if either is
   * refused.
   */
  async #accept(): Promise<boolean> {
    const { shared } = this.#ports;
    const { flow, settings } = this.#record;
    const holder = { flow, leftMs: Math.max(0, settings.deadlineAt - steadyNow()) };
    for (const text of this.#batch.texts) if ((await shared.definitions.put(text, holder)) !== undefined) return false;
    return (await shared.work.accept({ ...this.#record, definitions: [] })) === 'accepted';
  }

  /** Takes back all offered runs. */
  readonly #end = (): void => {
    if (this.#stop.signal.aborted) return;
    this.#ports.caller.removeEventListener('abort', this.#end);
    this.#isClosed = true;
    this.#stop.abort();
    if (this.#accepted) void this.#takeBack();
  };

  /**
   * Removes the evaluation from the shared queue, and retries until the queue answers. After the deadline, or when this process ends, the
   * shared queue drops the evaluation on its own.
   */
  async #takeBack(): Promise<void> {
    const { cancellations, results } = this.#ports.shared;
    const { id, settings } = this.#record;
    await this.#accepted?.catch(() => false);
    while (steadyNow() < settings.deadlineAt)
      try {
        await cancellations.cancel(id);
        return await results.forget(id);
      } catch {
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
  }
}

/** Joins a run (stretch of consecutive items) with the following runs, up to the limits `LONG_RUN_LIMITS`. */
async function lengthened(
  first: readonly DocumentSlice[],
  source: AsyncIterator<readonly DocumentSlice[]>,
  itemMs: number,
): Promise<readonly DocumentSlice[]> {
  const items = [...first];
  let bytes = chunkBytes(items);
  const { items: mostItems, bytes: mostBytes, ms } = LONG_RUN_LIMITS;
  // Each further run holds at most what the first may hold.
  while (
    items.length + CHUNK_LIMITS.items <= mostItems &&
    bytes + CHUNK_LIMITS.bytes <= mostBytes &&
    items.length * itemMs + CHUNK_LIMITS.ms <= ms
  ) {
    const step = await source.next();
    if (step.done === true) break;
    items.push(...step.value);
    bytes += chunkBytes(step.value);
  }
  return items;
}
