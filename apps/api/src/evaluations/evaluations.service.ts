import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Span } from '@opentelemetry/api';
import { timeoutStatus, tooManyRequestsStatus } from '#kube';
import { chunkSettings, splitBatch } from '#evaluation';
import type { ChunkResult, DocumentSlice, Envelope, EvaluationOptions } from '#evaluation';
import type { EvaluationRecord, Progress, QueueAdapter } from '#queue';
import { unjudged } from '#runner';
import { counters, inSpan, traceparentOf } from '#telemetry';
import type { Client } from '../access/client.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { QUEUE } from '../engine/queue.token.ts';
import { StatusFailure } from '../status.filter.ts';
import { BoundedChannel } from './bounded-channel.ts';
import { collectRuns } from './collect-runs.ts';
import { DefinitionJudge } from './judge-definitions.ts';
import { deadlineAt, refuseUnpermitted, untilDeadline } from './request-options.ts';

/** Seconds a refused client is asked to wait. */
const RETRY_AFTER_SECONDS = 1;
/** How long a streamed batch waits before it asks a full queue again, ms. */
const FULL_QUEUE_PAUSE_MS = 20;

/** Who asks for an evaluation, in which trace, and until when somebody listens. */
export interface Caller {
  readonly client: Client;
  readonly span: Span;
  readonly signal: AbortSignal;
}

/** PLOT of an evaluation: judge the definitions → accept → cut and enqueue → wait for results in input order. */
@Injectable()
export class EvaluationsService {
  constructor(
    @Inject(QUEUE) private readonly queue: QueueAdapter,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    private readonly definitions: DefinitionJudge,
  ) {}

  /** Accepts a whole batch and enqueues it. `detached`: it lives on without this request. */
  async begin(batch: Envelope, detached: boolean, caller: Caller): Promise<EvaluationRecord> {
    const record = await this.#accept(batch.definitions, batch.options, detached, caller);
    await inSpan('enqueue', caller.span, { 'assay.items': batch.objects.length }, () => this.#enqueueAll(record, batch.objects));
    return record;
  }

  /** The results of a batch that was enqueued whole, chunk by chunk in input order; what was cancelled is answered as such. */
  async *results(record: EvaluationRecord, objects: readonly DocumentSlice[], signal: AbortSignal): AsyncGenerator<ChunkResult> {
    let firstItem = 0;
    for (const [index, items] of splitBatch(objects).entries()) {
      yield await this.#resultOf(record, index, items, firstItem, signal);
      firstItem += items.length;
    }
    await this.#finish(record);
  }

  /** Evaluates items as they come: chunks are enqueued while earlier results are read, a bounded number at a time. */
  async *stream(head: Envelope, blocks: AsyncIterable<readonly DocumentSlice[]>, caller: Caller): AsyncGenerator<ChunkResult> {
    const { signal } = caller;
    const record = await this.#accept(head.definitions, head.options, false, caller);
    const inFlight = new BoundedChannel<() => Promise<ChunkResult>>(2 * this.config.threads + 2);
    const fed = this.#feed(record, blocks, inFlight, signal).then(
      () => inFlight.end(),
      (error: unknown) => inFlight.end(error),
    );
    try {
      for await (const result of inFlight) yield await result();
      await this.#finish(record);
    } finally {
      await this.cancel(record.id);
      await this.queue.results.forget(record.id);
      await fed;
    }
  }

  async #feed(
    record: EvaluationRecord,
    blocks: AsyncIterable<readonly DocumentSlice[]>,
    inFlight: BoundedChannel<() => Promise<ChunkResult>>,
    signal: AbortSignal,
  ): Promise<void> {
    let index = 0;
    let firstItem = 0;
    for await (const run of collectRuns(blocks)) {
      if (!(await this.#enqueueWhenRoom(record, firstItem, run))) return;
      const [chunk, first] = [index++, firstItem];
      firstItem += run.length;
      if (!(await inFlight.push(() => this.#resultOf(record, chunk, run, first, signal)))) return;
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
      if (!result) return;
      yield* result.verdicts.slice(Math.max(0, from - firstItem));
      firstItem += result.verdicts.length;
    }
  }

  /** Judges definitions and makes the evaluation known; throws the 429 of a full queue. The evaluation ends with `signal` unless detached. */
  async #accept(
    definitions: readonly DocumentSlice[],
    options: EvaluationOptions,
    detached: boolean,
    { client, span, signal }: Caller,
  ): Promise<EvaluationRecord> {
    refuseUnpermitted(options, client.limits);
    const deadline = deadlineAt(options, this.config);
    const timely = untilDeadline(signal, deadline);
    const reports = await inSpan('judge definitions', span, { 'assay.definitions': definitions.length }, () =>
      this.definitions.judgeAll(definitions, options, timely),
    );
    const settings = chunkSettings(reports, { options, deadlineAt: deadline, traceparent: traceparentOf(span) });
    const { name: owner, flow } = client;
    // 122 random bits: an id is not guessed.
    const record: EvaluationRecord = { id: randomUUID(), createdAt: Date.now(), detached, owner, flow, settings, definitions: reports };
    if ((await this.queue.work.accept(record)) === 'full') throw overloaded();
    counters.evaluations.add(1, { end: 'accepted' });
    if (!detached) signal.addEventListener('abort', () => void this.cancel(record.id), { once: true });
    return record;
  }

  async #enqueueAll(record: EvaluationRecord, objects: readonly DocumentSlice[]): Promise<void> {
    let firstItem = 0;
    for (const items of splitBatch(objects)) {
      if ((await this.queue.work.enqueue(record.id, firstItem, items)) === 'full') {
        await this.queue.results.forget(record.id);
        throw overloaded();
      }
      firstItem += items.length;
    }
    await this.queue.work.seal(record.id);
  }

  /** Enqueues one run of a stream; while the queue is full the client is simply not read. False when the evaluation is over. */
  async #enqueueWhenRoom(record: EvaluationRecord, firstItem: number, items: readonly DocumentSlice[]): Promise<boolean> {
    for (;;) {
      const answer = await this.queue.work.enqueue(record.id, firstItem, items);
      if (answer !== 'full') return answer === 'queued';
      await new Promise((resolve) => setTimeout(resolve, FULL_QUEUE_PAUSE_MS));
    }
  }

  async #resultOf(
    record: EvaluationRecord,
    index: number,
    items: readonly DocumentSlice[],
    firstItem: number,
    signal: AbortSignal,
  ): Promise<ChunkResult> {
    const result = await this.queue.results.result(record.id, index, signal);
    await this.queue.results.discard(record.id, index);
    return result ?? unjudged(items, firstItem, 'cancelled');
  }

  async #finish(record: EvaluationRecord): Promise<void> {
    counters.evaluations.add(1, { end: 'complete' });
    if (!record.detached) await this.queue.results.forget(record.id);
  }
}

/** The 408 of a request whose deadline passed before anything was judged. */
export function deadlineFailure(): StatusFailure {
  return new StatusFailure(timeoutStatus('the deadline of the evaluation passed before any object was judged', 0, 408));
}

function overloaded(): StatusFailure {
  return new StatusFailure(tooManyRequestsStatus('too many evaluations are waiting, please try again later', RETRY_AFTER_SECONDS));
}
