import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Span } from '@opentelemetry/api';
import { timeoutStatus } from '#kube';
import { chunkSettings, lostStatus, splitBatch, stoppedStatus } from '#evaluation';
import type { ChunkResult, DocumentSlice, Envelope, EvaluationOptions } from '#evaluation';
import { isRefusal, itemsPerChunk } from '#queue';
import type { EvaluationRecord, Progress, QueueAdapter, Refusal } from '#queue';
import { unjudged } from '#runner';
import type { Engine } from '#runner';
import { counters, histograms, inSpan, traceparentOf } from '#telemetry';
import type { Client } from '../access/client.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { QUEUE } from '../engine/queue.token.ts';
import { Refusals } from '../engine/refusals.ts';
import { StatusFailure } from '../status.filter.ts';
import { BoundedChannel } from './bounded-channel.ts';
import { collectRuns } from './collect-runs.ts';
import { DefinitionJudge } from './judge-definitions.ts';
import { budgeted, deadlineAt, refuseUnpermitted, untilDeadline } from './request-options.ts';

/** How long a streamed batch waits before it asks a full queue again, ms. */
const FULL_QUEUE_PAUSE_MS = 20;
/** Past the deadline, results are waited for so long: consumers answer what they did not begin as cancelled, if there are consumers. */
const LATE_RESULT_MS = 5000;

/** Who asks for an evaluation, in which trace, and until when somebody listens. */
export interface Caller {
  readonly client: Client;
  /** Judges its definitions, in the turn of its flow. */
  readonly engine: Engine;
  readonly span: Span;
  readonly signal: AbortSignal;
}

/** What is answered for a chunk. */
interface ChunkAnswer {
  readonly result: ChunkResult;
  /** `lost`: the queue has it no more; `cancelled`: its evaluation ended early. */
  readonly end: 'judged' | 'cancelled' | 'lost';
}

/** PLOT of an evaluation: judge the definitions → accept → cut and enqueue → wait for results in input order. */
@Injectable()
export class EvaluationsService {
  constructor(
    @Inject(QUEUE) private readonly queue: QueueAdapter,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    private readonly definitions: DefinitionJudge,
    private readonly refusals: Refusals,
  ) {}

  /** A signal that is raised with the given one, or when a request with these options has lasted too long. */
  until(signal: AbortSignal, options: EvaluationOptions): AbortSignal {
    return untilDeadline(signal, deadlineAt(options, this.config));
  }

  /** Accepts a whole batch and enqueues it. `detached`: it lives on without this request. */
  async begin(batch: Envelope, detached: boolean, caller: Caller): Promise<EvaluationRecord> {
    const record = await this.#describe(batch.definitions, batch.options, detached, caller);
    const chunks = [...splitBatch(batch.objects, itemsPerChunk(record.itemMs))];
    await inSpan('enqueue', caller.span, { 'assay.items': batch.objects.length }, () =>
      this.#accept(record, caller, () => this.queue.work.submit(record, chunks)),
    );
    return record;
  }

  /** The results of a batch that was enqueued whole, chunk by chunk in input order; what was cancelled is answered as such. */
  async *results(record: EvaluationRecord, objects: readonly DocumentSlice[], signal: AbortSignal): AsyncGenerator<ChunkResult> {
    const late = this.#cancelWhenLate(record);
    let firstItem = 0;
    const ends = new Set<ChunkAnswer['end']>();
    try {
      for (const [index, items] of splitBatch(objects, itemsPerChunk(record.itemMs)).entries()) {
        const answer = await this.#resultOf(record, index, items, firstItem, signal);
        ends.add(answer.end);
        yield answer.result;
        firstItem += items.length;
      }
      await this.#finish(record, ends);
    } finally {
      clearTimeout(late);
    }
  }

  /** Evaluates items as they come: chunks are enqueued while earlier results are read, a bounded number at a time. */
  async *stream(head: Envelope, blocks: AsyncIterable<readonly DocumentSlice[]>, caller: Caller): AsyncGenerator<ChunkResult> {
    const { signal } = caller;
    const record = await this.#describe(head.definitions, head.options, false, caller);
    await this.#accept(record, caller, () => this.queue.work.accept(record));
    const late = this.#cancelWhenLate(record);
    const inFlight = new BoundedChannel<() => Promise<ChunkAnswer>>(2 * this.config.threads + 2);
    const fed = this.#feed(record, blocks, inFlight, signal).then(
      () => inFlight.end(),
      (error: unknown) => inFlight.end(error),
    );
    try {
      const ends = new Set<ChunkAnswer['end']>();
      for await (const next of inFlight) {
        const answer = await next();
        ends.add(answer.end);
        yield answer.result;
      }
      await this.#finish(record, ends);
    } finally {
      clearTimeout(late);
      await this.cancel(record.id);
      await this.queue.results.forget(record.id);
      await fed;
    }
  }

  async #feed(
    record: EvaluationRecord,
    blocks: AsyncIterable<readonly DocumentSlice[]>,
    inFlight: BoundedChannel<() => Promise<ChunkAnswer>>,
    signal: AbortSignal,
  ): Promise<void> {
    let index = 0;
    let firstItem = 0;
    for await (const run of collectRuns(blocks, itemsPerChunk(record.itemMs))) {
      const queued = await this.#enqueueWhenRoom(record, firstItem, run);
      const [chunk, first] = [index++, firstItem];
      firstItem += run.length;
      // What came too late to be queued is answered as well: as cancelled, or as lost.
      if (!(await inFlight.push(() => this.#resultOf(record, chunk, run, first, signal))) || !queued) return;
    }
    await this.queue.work.seal(record.id);
  }

  /** Ends an evaluation early. False when it is over or unknown. */
  async cancel(id: string): Promise<boolean> {
    const cancelled = await this.queue.cancellations.cancel(id);
    if (cancelled) counters.evaluations.add(1, { end: 'cancelled' });
    return cancelled;
  }

  /** An evaluation, if it is this client's: another's is as unknown as one that never was. */
  async find(id: string, client: Client): Promise<EvaluationRecord | undefined> {
    const record = await this.queue.results.record(id);
    return record && record.owner === client.name ? record : undefined;
  }

  progress(id: string): Promise<Progress | undefined> {
    return this.queue.results.progress(id);
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.queue.results.changed(id, signal);
  }

  /** The verdict lines of a detached evaluation from item `from` on, as they become available. */
  async *lines(id: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
    let firstItem = 0;
    for (let index = 0; ; index++) {
      const result = await this.queue.results.result(id, index, signal);
      if (!result) return this.#refuseIfLost(id, index, signal);
      yield* result.verdicts.slice(Math.max(0, from - firstItem));
      firstItem += result.verdicts.length;
    }
  }

  /** Throws the 503 of a chunk that will never come although nobody cancelled it. */
  async #refuseIfLost(id: string, chunk: number, signal: AbortSignal): Promise<void> {
    const progress = await this.progress(id);
    if (signal.aborted || progress?.phase === 'cancelled' || (progress?.phase === 'complete' && chunk >= progress.chunksTotal)) return;
    throw new StatusFailure(lostStatus());
  }

  /** Judges definitions, and says all that is to be known of the evaluation. */
  async #describe(
    definitions: readonly DocumentSlice[],
    wanted: EvaluationOptions,
    detached: boolean,
    { client, engine, span, signal }: Caller,
  ): Promise<EvaluationRecord> {
    refuseUnpermitted(wanted, client.limits);
    const options = budgeted(wanted, client.limits);
    const deadline = deadlineAt(options, this.config);
    const timely = (): AbortSignal => untilDeadline(signal, deadline);
    const reports = await inSpan('judge definitions', span, { 'assay.definitions': definitions.length }, () =>
      this.definitions.judgeAll(definitions, options, engine, timely),
    );
    const settings = chunkSettings(reports, { options, deadlineAt: deadline, traceparent: traceparentOf(span) });
    const { name: owner, flow } = client;
    // 122 random bits: an id is not guessed.
    const id = randomUUID();
    const itemMs = await this.queue.work.expectedItemMs(settings.definitions.map(({ digest }) => digest));
    return { id, createdAt: Date.now(), detached, owner, flow, itemMs, settings, definitions: reports };
  }

  /** Makes an evaluation known; throws the 429 of a full queue. It ends with the caller's signal unless detached. */
  async #accept(
    { id, detached, flow }: EvaluationRecord,
    { signal }: Caller,
    submit: () => Promise<'accepted' | 'exists' | Refusal>,
  ): Promise<void> {
    const accepted = await submit();
    if (isRefusal(accepted)) throw this.refusals.refuse(flow.level, accepted);
    counters.evaluations.add(1, { end: 'accepted' });
    if (detached) return;
    const cancel = (): void => void this.cancel(id);
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  }

  /** Enqueues one run of a stream; while the queue is full the client is simply not read. False when the evaluation is over. */
  async #enqueueWhenRoom(record: EvaluationRecord, firstItem: number, items: readonly DocumentSlice[]): Promise<boolean> {
    for (;;) {
      const answer = await this.queue.work.enqueue(record.id, firstItem, items);
      if (!isRefusal(answer)) return answer === 'queued';
      await new Promise((resolve) => setTimeout(resolve, FULL_QUEUE_PAUSE_MS));
    }
  }

  /**
   * A chunk's result. Where none will come its items are answered all the same: as cancelled, or, where the queue lost them, as not evaluated;
   * when nothing was answered yet, that is the 503 of the request.
   */
  async #resultOf(
    { id }: EvaluationRecord,
    index: number,
    items: readonly DocumentSlice[],
    firstItem: number,
    signal: AbortSignal,
  ): Promise<ChunkAnswer> {
    const result = await this.queue.results.result(id, index, signal);
    if (result) {
      // Nobody waits for what only frees memory; what cannot be told now expires.
      void this.queue.results.discard(id, index).catch(() => undefined);
      return { result, end: 'judged' };
    }
    const lost = !signal.aborted && (await this.progress(id))?.phase !== 'cancelled';
    if (!lost) return { result: unjudged(items, firstItem, 'cancelled', stoppedStatus()), end: 'cancelled' };
    if (index > 0) return { result: unjudged(items, firstItem, 'notEvaluated', lostStatus()), end: 'lost' };
    counters.evaluations.add(1, { end: 'lost' });
    throw new StatusFailure(lostStatus());
  }

  /** Past its deadline an evaluation is cancelled also where no consumer lives that would do it. */
  #cancelWhenLate({ id, settings }: EvaluationRecord): NodeJS.Timeout {
    return setTimeout(
      () => void this.cancel(id).catch(() => undefined),
      Math.max(0, settings.deadlineAt - Date.now()) + LATE_RESULT_MS,
    ).unref();
  }

  /** Counts how an evaluation ended that a client waited for; one that was cancelled was counted then. */
  async #finish(record: EvaluationRecord, ends: ReadonlySet<ChunkAnswer['end']>): Promise<void> {
    if (ends.has('lost')) counters.evaluations.add(1, { end: 'lost' });
    else if (!ends.has('cancelled')) counters.evaluations.add(1, { end: 'complete' });
    histograms.evaluationSeconds.record((Date.now() - record.createdAt) / 1000);
    if (!record.detached) void this.queue.results.forget(record.id).catch(() => undefined);
  }
}

/** The 408 of a request whose deadline passed before anything was judged. */
export function deadlineFailure(): StatusFailure {
  return new StatusFailure(timeoutStatus('the deadline of the evaluation passed before any object was judged', 0, 408));
}
