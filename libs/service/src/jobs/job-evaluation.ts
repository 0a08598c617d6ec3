import { setTimeout as pause } from 'node:timers/promises';
import { CHUNK_LIMITS, chunkBytes, epochNow, hasBudget, lostStatus, steadyNow, textDigests, verdictBytes, withoutSpans } from '#documents';
import type { Chunk, ChunkResult, DefinitionText } from '#documents';
import { isUnavailable } from '#jobs';
import type { BegunJob, JobPart, QueueAdapter } from '#jobs';
import { internalErrorStatus } from '#kube';
import type { Status } from '#kube';
import type { BatchEngine, Dispatcher } from '#runner';
import type { PriceBook } from '#runner/flow';
import type { Telemetry } from '#telemetry';
import { recordRun } from '../run/record-run.ts';
import { runChunk, withoutVerdict } from '../run/run-chunk.ts';

/** Number of starts without a result after which the first part without a result is not evaluated any more. Each start lost its process. */
const MAX_STARTS = 8;
/** Number of starts without a result after which one part is evaluated at a time, so that the part that ends processes becomes known. */
const CAREFUL_STARTS = 2;
/** Pause in ms before a result is stored again that the storage could not take. */
const RETRY_MS = 1000;
/**
 * Time in ms for which one run of a long part occupies a thread. Runs are short, so that other work gets its turn, and cancellations take
 * effect, as often as with the work of requests.
 */
const RUN_MS = 5;
/** Maximum number of parts that are read from the storage at the same time for one job. */
const MAX_READS = 2;

/** Parts of a process that evaluate jobs. */
export interface JobEvaluationPorts {
  readonly queue: Pick<QueueAdapter, 'jobs' | 'definitions'>;
  readonly dispatcher: Pick<Dispatcher, 'openJob'>;
  readonly prices: PriceBook;
  readonly telemetry: Telemetry;
  /** Name of this process in traces. */
  readonly node: string;
  readonly unstored: UnstoredResults;
}

/**
 * Evaluation of one job. The runs of its parts wait in turn with all other work of the process. The result of each part is stored at once. The deadline ends runs, and the results of ended runs are stored, too. If the job is stopped, nothing is stored any more.
 */
export class JobEvaluation {
  readonly #ports: JobEvaluationPorts;
  readonly #job: BegunJob;
  readonly #stop = new AbortController();
  /** Is aborted if the job is stopped. */
  readonly #stopped: AbortSignal;
  readonly #late = new AbortController();
  /** Is aborted if the job is stopped or its deadline passes. */
  readonly #signal: AbortSignal;
  /** Indexes of parts that must be evaluated, in order. */
  readonly #waiting: number[];
  /** Index of the first part that had no result when the job began. */
  readonly #first: number | undefined;
  readonly #digests: readonly string[];
  /** Number of runs that were passed to the engine and have not ended. */
  #runs = 0;
  /** Number of parts that are being read from the storage. */
  #reads = 0;
  #celLeft: number | undefined;

  /** @param signal stops the job */
  constructor(ports: JobEvaluationPorts, job: BegunJob, signal: AbortSignal) {
    this.#ports = ports;
    this.#job = job;
    this.#stopped = AbortSignal.any([signal, this.#stop.signal]);
    this.#signal = AbortSignal.any([this.#stopped, this.#late.signal]);
    this.#waiting = Array.from({ length: job.parts }, (_, part) => part).filter((part) => !job.done.has(part));
    this.#first = this.#waiting[0];
    this.#digests = job.record.settings.definitions.map(({ digest }) => digest);
    const { perEvaluation } = job.record.settings.options.costLimits;
    if (typeof perEvaluation === 'number') this.#celLeft = perEvaluation - job.celSpent;
  }

  /** Evaluates all parts that have no result. Rejects if the storage does not return a part. */
  async perform(): Promise<void> {
    const { record } = this.#job;
    const { settings } = record;
    const texts = await Promise.all(textDigests(settings).map((digest) => this.#ports.queue.definitions.get(digest)));
    const priced = this.#digests.length === 1 ? this.#digests[0] : undefined;
    const batch = { itemMs: this.#ports.prices.priceOf(this.#digests), priced, isAlone: hasBudget(settings) };
    const engine = this.#ports.dispatcher.openJob(record, batch);
    const leftMs = Math.max(0, settings.deadlineAt - steadyNow());
    if (leftMs === 0) this.#late.abort();
    const deadline = setTimeout(() => this.#late.abort(), leftMs);
    try {
      await this.#performParts(engine, texts);
    } finally {
      clearTimeout(deadline);
      engine.close();
    }
  }

  async #performParts(engine: BatchEngine, texts: readonly (DefinitionText | undefined)[]): Promise<void> {
    const going = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    while (!this.#stopped.aborted && this.#waiting.length + going.size > 0) {
      const part = this.#hasRoom(engine, going.size) ? this.#waiting.shift() : undefined;
      if (part === undefined) {
        await Promise.race(going);
        continue;
      }
      const one = this.#performPart(part, engine, texts)
        .catch((error: unknown) => {
          failure ??= { error };
          this.#stop.abort();
        })
        .finally(() => going.delete(one));
      going.add(one);
    }
    await Promise.all(going);
    if (failure) throw failure.error;
  }

  /** Returns true if the engine wants another part. With a cost budget, each part depends on the cost of the parts before it. */
  #hasRoom({ ahead }: BatchEngine, going: number): boolean {
    if (going === 0) return true;
    if (this.#celLeft !== undefined || this.#job.startsWithoutResult > CAREFUL_STARTS) return false;
    return this.#reads < MAX_READS && this.#runs + this.#reads < ahead;
  }

  async #performPart(part: number, engine: BatchEngine, texts: readonly (DefinitionText | undefined)[]): Promise<void> {
    const body = await this.#read(part);
    // The job has ended, or another process has taken it.
    if (!body) return this.#stop.abort();
    const result = await this.#judge(part, body, engine, texts);
    if (this.#stopped.aborted && result.tally.cancelled > 0) return;
    await this.#store(part, body, withoutSpans(result));
  }

  async #read(part: number): Promise<JobPart | undefined> {
    this.#reads += 1;
    try {
      return await this.#ports.queue.jobs.part(this.#job, part);
    } finally {
      this.#reads -= 1;
    }
  }

  async #judge(
    part: number,
    { firstItem, items }: JobPart,
    engine: BatchEngine,
    texts: readonly (DefinitionText | undefined)[],
  ): Promise<ChunkResult> {
    const given = (status: Status): ChunkResult => withoutVerdict(items, firstItem, 'notEvaluated', status);
    const { record, startsWithoutResult } = this.#job;
    if (startsWithoutResult > MAX_STARTS && part === this.#first)
      return given(internalErrorStatus(`${MAX_STARTS} processes were lost while they judged this object or its neighbours`));
    const known = texts.filter((text) => text !== undefined);
    // The storage lost definitions. The status must differ from the status for definitions that the request lacks.
    if (known.length < texts.length) return given(lostStatus());
    const { settings } = record;
    const partItems = this.#celLeft === undefined ? this.#runItems(items.length, engine) : items.length;
    const runs = Math.max(1, Math.ceil(items.length / Math.max(1, partItems)));
    this.#runs += runs;
    const startMs = epochNow();
    const budget = this.#celLeft === undefined ? {} : { celLeft: this.#celLeft };
    const chunk = { evaluation: record.id, index: part, firstItem, items, settings };
    const { result, judgedHere } = await runChunk(engine, chunk, known, { signal: this.#signal, partItems, ...budget });
    this.#runs -= runs;
    if (this.#celLeft !== undefined) this.#celLeft -= result.celCharge;
    if (judgedHere) this.#record(part, chunk, judgedHere, startMs);
    return result;
  }

  #record(part: number, { firstItem, items, settings }: Chunk, result: ChunkResult, startMs: number): void {
    const { telemetry, node } = this.#ports;
    const { options, traceparent } = settings;
    const attributes = { 'assay.node': node, 'assay.job.part': part, 'assay.job.taken_over': this.#job.starts > 1 };
    recordRun(telemetry, { firstItem, items, options, traceparent, attributes }, result, { startMs, endMs: epochNow() });
  }

  /** Returns the number of items in each run of a part. */
  #runItems(items: number, { runLimits }: BatchEngine): number {
    const itemMs = this.#ports.prices.priceOf(this.#digests);
    const isOffered = runLimits.items > CHUNK_LIMITS.items;
    if (items <= runLimits.items && items * itemMs <= CHUNK_LIMITS.ms) return items;
    return Math.max(1, Math.min(runLimits.items, Math.floor((isOffered ? CHUNK_LIMITS.ms : RUN_MS) / Math.max(itemMs, Number.MIN_VALUE))));
  }

  /**
   * Stores a result. While the storage cannot take it, the result is kept, and stored later. If too much is kept, the result is dropped, and
   * its part is evaluated again. If the job is stopped meanwhile, the result is stored at most once more.
   */
  async #store(part: number, { items }: JobPart, result: ChunkResult): Promise<void> {
    const bytes = chunkBytes(items);
    const { queue, unstored, telemetry } = this.#ports;
    let kept: (() => void) | undefined;
    try {
      for (;;) {
        try {
          const answer = await queue.jobs.store(this.#job, { part, bytes, result });
          if (answer === 'gone' || answer === 'tooLarge') this.#stop.abort();
          return;
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          telemetry.log.error({ err: error }, 'the storage does not take a result');
          if (this.#stopped.aborted) return;
          kept ??= unstored.keep(result);
        }
        await pause(RETRY_MS, undefined, { signal: this.#stopped }).catch(() => undefined);
        if (kept !== undefined) continue;
        this.#waiting.unshift(part);
        if (this.#celLeft !== undefined) this.#celLeft += result.celCharge;
        return;
      }
    } finally {
      kept?.();
    }
  }
}

/** Maximum total size of the verdicts that wait for the storage, in bytes. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Account of the results of this process that wait because the storage is full or does not answer. It limits their total size. No thread
 * waits for the storage.
 */
export class UnstoredResults {
  readonly #most: number;
  #bytes = 0;

  /** @param most maximum total size of all kept verdicts, in bytes */
  constructor(most = KEPT_BYTES) {
    this.#most = most;
  }

  /** Counts a result that waits. Returns a function that ends this, or undefined if the result must be dropped. */
  keep(result: ChunkResult): (() => void) | undefined {
    const bytes = verdictBytes(result);
    if (this.#bytes + bytes > this.#most) return undefined;
    this.#bytes += bytes;
    return () => void (this.#bytes -= bytes);
  }
}
