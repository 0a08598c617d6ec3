import { chunkBytes } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice } from '#evaluation';
import { PriceBook } from '../flow/chunk-cost.ts';
import { FairQueue } from '../flow/fair-queue.ts';
import type { Picked } from '../flow/fair-queue.ts';
import { FlowLoad } from '../flow/flow-load.ts';
import type { Refusal } from '../flow/flow-load.ts';
import { byLevel } from '../flow/level.ts';
import { seatsPerFlow } from '../flow/seats.ts';
import { DEFAULT_QUEUE_LIMITS, TEND_MS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type {
  CancellationChannel,
  Claim,
  DefinitionStore,
  Depth,
  DetachedEnd,
  EvaluationEnds,
  EvaluationRecord,
  Progress,
  QueueAdapter,
  ResultStore,
  WorkQueue,
} from '../ports.ts';
import { submitStepwise } from '../submit-stepwise.ts';
import { Journal } from './journal.ts';
import { LiveEvaluation } from './live-evaluation.ts';

/** A chunk that waits. */
interface WaitingChunk {
  readonly chunk: Chunk;
  readonly earlierClaims: number;
  readonly items: number;
  readonly bytes: number;
  /** Epoch ms. */
  readonly queuedAt: number;
}

/** A chunk that somebody runs. */
interface Lease {
  readonly picked: Picked<WaitingChunk>;
  /** Epoch ms. */
  until: number;
}

/**
 * All ports in one process: memory for evaluations that someone waits for, the journal for detached ones. The journal is written first: what
 * it cannot take (the disk is full) throws, and memory is as if it had never been asked.
 */
export class EmbeddedQueue implements WorkQueue, ResultStore, CancellationChannel, EvaluationEnds, DefinitionStore, QueueAdapter {
  readonly work: WorkQueue = this;
  readonly results: ResultStore = this;
  readonly cancellations: CancellationChannel = this;
  readonly ends: EvaluationEnds = this;
  readonly definitions: DefinitionStore = this;
  readonly #limits: QueueLimits;
  readonly #journal: Journal;
  readonly #evaluations = new Map<string, LiveEvaluation>();
  readonly #texts = new Map<string, DefinitionText>();
  readonly #listeners = new Set<(id: string) => void>();
  readonly #endListeners = new Set<(end: DetachedEnd) => void>();
  readonly #idle: { readonly give: (claim: Claim | undefined) => void }[] = [];
  readonly #fair = new FairQueue<WaitingChunk>();
  readonly #load = new FlowLoad();
  readonly #prices = new PriceBook();
  readonly #leases = new Map<string, Lease>();
  readonly #tending: NodeJS.Timeout;
  #tendedAt = Date.now();
  #seats = 0;

  /** `journalFile`: where detached evaluations survive; `:memory:` when they need not. */
  constructor(journalFile: string, limits: QueueLimits = DEFAULT_QUEUE_LIMITS) {
    this.#limits = limits;
    this.#journal = new Journal(journalFile);
    this.#recover();
    this.#tending = setInterval(() => this.#tend(), TEND_MS).unref();
  }

  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal> {
    this.#expire();
    if (this.#evaluations.has(record.id)) return Promise.resolve('exists');
    const evaluation = new LiveEvaluation(record);
    const refusal = this.#load.refusesEvaluation(evaluation.place, record.flow, this.#limits);
    if (refusal) return Promise.resolve(refusal);
    if (record.detached) this.#journal.addEvaluation(record);
    this.#begin(evaluation);
    return Promise.resolve('accepted');
  }

  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal> {
    const evaluation = this.#evaluations.get(id);
    if (!evaluation || evaluation.over || evaluation.sealed) return Promise.resolve('over');
    if (firstItem < evaluation.nextItem) return Promise.resolve('queued');
    const refusal = this.#load.refusesChunk(evaluation.place, evaluation.record.flow, this.#limits, chunkBytes(items));
    if (refusal) return Promise.resolve(refusal);
    const chunk: Chunk = { evaluation: id, index: evaluation.chunksTotal, firstItem, items, settings: evaluation.record.settings };
    if (evaluation.record.detached) this.#journal.addChunk(chunk);
    evaluation.nextItem = firstItem + items.length;
    evaluation.chunksTotal++;
    this.#put(evaluation, chunk, 0);
    return Promise.resolve('queued');
  }

  seal(id: string): Promise<void> {
    const evaluation = this.#evaluations.get(id);
    if (evaluation && !evaluation.sealed) {
      if (evaluation.record.detached) this.#journal.seal(id);
      evaluation.sealed = true;
      this.#touch(evaluation);
    }
    return Promise.resolve();
  }

  submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal> {
    return submitStepwise(this, record, chunks);
  }

  expectedItemMs(digests: readonly string[]): Promise<number> {
    return Promise.resolve(this.#prices.priceOf(digests));
  }

  join(seats: number): Promise<() => Promise<void>> {
    this.#seats += seats;
    return Promise.resolve(() => {
      this.#seats -= seats;
      return Promise.resolve();
    });
  }

  claim(signal: AbortSignal): Promise<Claim | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const next = this.#take();
    if (next) return Promise.resolve(next);
    return new Promise((resolve) => {
      const waiter = { give: (claim: Claim | undefined): void => (signal.removeEventListener('abort', leave), resolve(claim)) };
      const leave = (): void => {
        this.#idle.splice(this.#idle.indexOf(waiter), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#idle.push(waiter);
    });
  }

  renew(claims: readonly Claim[]): Promise<readonly boolean[]> {
    return Promise.resolve(
      claims.map((claim) => {
        const lease = this.#leases.get(claim.lease);
        const evaluation = this.#evaluations.get(claim.chunk.evaluation);
        if (!lease || !evaluation || evaluation.over) return false;
        lease.until = Date.now() + this.#limits.leaseMs;
        return true;
      }),
    );
  }

  commit({ chunk, lease }: Claim, result: ChunkResult, spentMs?: number): Promise<'stored' | 'duplicate' | 'gone'> {
    const held = this.#leases.get(lease);
    const evaluation = this.#evaluations.get(chunk.evaluation);
    const stored = held !== undefined && evaluation?.wants(chunk.index) === true;
    // What the journal cannot take is not done: the lease stays, runs out, and the chunk is run again.
    if (stored && evaluation.record.detached) this.#journal.storeResult(chunk.evaluation, chunk.index, result);
    if (held) this.#vacate(lease, held, spentMs, result.tally.phases.total);
    if (!stored) return Promise.resolve(evaluation?.phase !== 'cancelled' && evaluation?.done.has(chunk.index) ? 'duplicate' : 'gone');
    if (!evaluation.record.detached) evaluation.results.set(chunk.index, result);
    evaluation.finish(chunk.index, result);
    this.#touch(evaluation);
    return Promise.resolve('stored');
  }

  release({ lease }: Claim): Promise<void> {
    const held = this.#leases.get(lease);
    if (held) this.#takeBack(lease, held, 0);
    return Promise.resolve();
  }

  depth(): Promise<Depth> {
    return Promise.resolve({
      waiting: this.#load.total.chunks,
      claimed: this.#leases.size,
      waitingBytes: this.#load.total.bytes,
      seats: this.#seats,
      levels: byLevel((level) => ({ waiting: this.#load.waiting(level), claimed: this.#fair.running(level) })),
    });
  }

  record(id: string): Promise<EvaluationRecord | undefined> {
    return Promise.resolve(this.#evaluations.get(id)?.record);
  }

  progress(id: string): Promise<Progress | undefined> {
    return Promise.resolve(this.#evaluations.get(id)?.progress());
  }

  async result(id: string, chunk: number, signal?: AbortSignal): Promise<ChunkResult | undefined> {
    for (;;) {
      const evaluation = this.#evaluations.get(id);
      if (!evaluation || signal?.aborted) return undefined;
      if (evaluation.done.has(chunk)) return evaluation.results.get(chunk) ?? this.#journal.result(id, chunk);
      if (evaluation.over || (evaluation.sealed && chunk >= evaluation.chunksTotal)) return undefined;
      await evaluation.changed(signal);
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#evaluations.get(id)?.changed(signal) ?? Promise.resolve();
  }

  discard(id: string, chunk: number): Promise<void> {
    this.#evaluations.get(id)?.results.delete(chunk);
    return Promise.resolve();
  }

  forget(id: string): Promise<void> {
    const evaluation = this.#evaluations.get(id);
    if (evaluation) {
      this.#end(evaluation);
      this.#evaluations.delete(id);
      if (evaluation.record.detached) this.#journal.forget(id);
      evaluation.touch();
    }
    return Promise.resolve();
  }

  cancel(id: string): Promise<boolean> {
    const evaluation = this.#evaluations.get(id);
    if (!evaluation || evaluation.over) return Promise.resolve(false);
    if (evaluation.record.detached) this.#journal.cancel(id);
    evaluation.cancelled = true;
    this.#touch(evaluation);
    for (const listener of this.#listeners) listener(id);
    return Promise.resolve(true);
  }

  onCancelled(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onEnded(listener: (end: DetachedEnd) => void): () => void {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  }

  put(text: DefinitionText): Promise<void> {
    // The journal has them all; memory keeps the recent ones, and what it holds need not be written again.
    if (!this.#texts.delete(text.digest)) this.#journal.putDefinition(text);
    this.#texts.set(text.digest, text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= 512) break;
      this.#texts.delete(oldest);
    }
    return Promise.resolve();
  }

  get(digest: string): Promise<DefinitionText | undefined> {
    return Promise.resolve(this.#texts.get(digest) ?? this.#journal.definition(digest));
  }

  close(): Promise<void> {
    clearInterval(this.#tending);
    for (const { give } of this.#idle.splice(0)) give(undefined);
    this.#journal.close();
    return Promise.resolve();
  }

  #begin(evaluation: LiveEvaluation): void {
    const { record, place } = evaluation;
    this.#evaluations.set(record.id, evaluation);
    this.#load.add(place, { evaluations: 1 });
    this.#fair.add(place, record.itemMs);
  }

  /** Takes an evaluation that is over off the queue, once; what waits of it is dropped in one step. */
  #end(evaluation: LiveEvaluation): void {
    if (evaluation.ended) return;
    evaluation.ended = true;
    this.#load.add(evaluation.place, { evaluations: -1 });
    for (const { bytes } of this.#fair.remove(evaluation.place)) this.#load.add(evaluation.place, { chunks: -1, bytes: -bytes });
  }

  #touch(evaluation: LiveEvaluation): void {
    const completed = evaluation.phase === 'complete' && !evaluation.ended;
    if (evaluation.over) this.#end(evaluation);
    // What the journal has as complete was told by the process that completed it: nobody listens yet while it is read.
    if (completed && evaluation.record.detached) for (const listener of this.#endListeners) listener('complete');
    evaluation.touch();
  }

  #put(evaluation: LiveEvaluation, chunk: Chunk, earlierClaims: number, back = false): void {
    const bytes = chunkBytes(chunk.items);
    this.#load.add(evaluation.place, { chunks: 1, bytes });
    const entry = { chunk, earlierClaims, items: chunk.items.length, bytes, queuedAt: Date.now() };
    this.#fair.enqueue(evaluation.place, entry, back);
    const waiter = this.#idle.shift();
    if (waiter) waiter.give(this.#take());
  }

  /** The chunk whose turn it is. */
  #take(): Claim | undefined {
    const picked = this.#fair.pick(seatsPerFlow(this.#seats));
    if (!picked) return undefined;
    const { chunk, earlierClaims, bytes, queuedAt } = picked.entry;
    this.#load.add(picked.place, { chunks: -1, bytes: -bytes });
    const lease = `${chunk.evaluation}/${chunk.index}/${earlierClaims}`;
    const now = Date.now();
    this.#leases.set(lease, { picked, until: now + this.#limits.leaseMs });
    const celSpent = this.#evaluations.get(chunk.evaluation)?.celSpent ?? 0;
    return { chunk, earlierClaims, lease, level: picked.place.level, waitedMs: now - queuedAt, celSpent, expectedMs: picked.cost };
  }

  /** A seat is free; what the chunk took is charged and learned from. */
  #vacate(name: string, { picked }: Lease, spentMs: number | undefined, judgedMs?: number): void {
    this.#leases.delete(name);
    this.#fair.finish(picked, spentMs, judgedMs);
    const itemMs = this.#fair.itemMs(picked.place);
    const [definition, ...others] = picked.entry.chunk.settings.definitions;
    if (judgedMs !== undefined && itemMs !== undefined && definition && others.length === 0) this.#prices.set(definition.digest, itemMs);
  }

  /** Gives a claimed chunk back to the line, in front of its evaluation's others. */
  #takeBack(name: string, lease: Lease, spentMs: number | undefined): void {
    this.#vacate(name, lease, spentMs);
    const { chunk, earlierClaims } = lease.picked.entry;
    const evaluation = this.#evaluations.get(chunk.evaluation);
    if (evaluation && !evaluation.over) this.#put(evaluation, chunk, earlierClaims + 1, true);
  }

  /** Takes chunks back whose lease ran out. Where this process itself stood still, nobody could have renewed: all get another period. */
  #tend(): void {
    const now = Date.now();
    const stoodStill = now - this.#tendedAt > 3 * TEND_MS;
    this.#tendedAt = now;
    for (const [name, lease] of this.#leases) {
      if (lease.until > now) continue;
      if (stoodStill) lease.until = now + this.#limits.leaseMs;
      else this.#takeBack(name, lease, undefined);
    }
  }

  #expire(): void {
    const before = Date.now() - this.#limits.retentionMs;
    for (const [id, evaluation] of this.#evaluations) if (evaluation.endedAt > 0 && evaluation.endedAt < before) void this.forget(id);
  }

  /** Takes up what an earlier process left in the journal: an evaluation whose batch had not arrived whole is cancelled, all others go on. */
  #recover(): void {
    for (const { record, sealed, cancelled, chunks } of this.#journal.evaluations()) {
      const evaluation = new LiveEvaluation(record);
      this.#begin(evaluation);
      evaluation.chunksTotal = chunks.length;
      evaluation.sealed = sealed;
      evaluation.cancelled = cancelled || !sealed;
      for (const { index, result } of chunks) {
        const body = result || evaluation.cancelled ? undefined : this.#journal.body(record.id, index);
        if (result) evaluation.finish(index, result);
        else if (body) this.#put(evaluation, body, 1);
      }
      this.#touch(evaluation);
    }
  }
}
