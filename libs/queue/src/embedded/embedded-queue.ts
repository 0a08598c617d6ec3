import { chunkBytes } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice } from '#evaluation';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type {
  CancellationChannel,
  Claim,
  DefinitionStore,
  EvaluationRecord,
  Progress,
  QueueAdapter,
  ResultStore,
  WorkQueue,
} from '../ports.ts';
import { Journal } from './journal.ts';
import { LiveEvaluation } from './live-evaluation.ts';

/** All ports in one process: memory for evaluations that someone waits for, the journal for detached ones. */
export class EmbeddedQueue implements WorkQueue, ResultStore, CancellationChannel, DefinitionStore, QueueAdapter {
  readonly work: WorkQueue = this;
  readonly results: ResultStore = this;
  readonly cancellations: CancellationChannel = this;
  readonly definitions: DefinitionStore = this;
  readonly #limits: QueueLimits;
  readonly #journal: Journal;
  readonly #evaluations = new Map<string, LiveEvaluation>();
  readonly #texts = new Map<string, DefinitionText>();
  readonly #listeners = new Set<(id: string) => void>();
  readonly #idle: { readonly give: (claim: Claim | undefined) => void }[] = [];
  #waitingBytes = 0;
  #claimed = 0;

  /** `journalFile`: where detached evaluations survive; `:memory:` when they need not. */
  constructor(journalFile: string, limits: QueueLimits = DEFAULT_QUEUE_LIMITS) {
    this.#limits = limits;
    this.#journal = new Journal(journalFile);
    this.#recover();
  }

  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | 'full'> {
    this.#expire();
    if (this.#evaluations.has(record.id)) return Promise.resolve('exists');
    const living = [...this.#evaluations.values()].filter((evaluation) => !evaluation.over).length;
    if (living >= this.#limits.evaluations || this.#waitingBytes >= this.#limits.waitingBytes) return Promise.resolve('full');
    this.#evaluations.set(record.id, new LiveEvaluation(record));
    if (record.detached) this.#journal.addEvaluation(record);
    return Promise.resolve('accepted');
  }

  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | 'full'> {
    const evaluation = this.#evaluations.get(id);
    if (!evaluation || evaluation.over || evaluation.sealed) return Promise.resolve('over');
    const bytes = chunkBytes(items);
    if (this.#waitingBytes + bytes > this.#limits.waitingBytes && this.#waitingBytes > 0) return Promise.resolve('full');
    const chunk: Chunk = { evaluation: id, index: evaluation.chunksTotal++, firstItem, items, settings: evaluation.record.settings };
    if (evaluation.record.detached) this.#journal.addChunk(chunk);
    this.#put(evaluation, chunk, 0);
    return Promise.resolve('queued');
  }

  seal(id: string): Promise<void> {
    const evaluation = this.#evaluations.get(id);
    if (evaluation && !evaluation.sealed) {
      evaluation.sealed = true;
      if (evaluation.record.detached) this.#journal.seal(id);
      evaluation.touch();
    }
    return Promise.resolve();
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

  commit({ chunk }: Claim, result: ChunkResult): Promise<'stored' | 'duplicate' | 'gone'> {
    this.#claimed--;
    const evaluation = this.#evaluations.get(chunk.evaluation);
    if (!evaluation || evaluation.cancelled) return Promise.resolve('gone');
    if (evaluation.done.has(chunk.index)) return Promise.resolve('duplicate');
    if (evaluation.record.detached) this.#journal.storeResult(chunk.evaluation, chunk.index, result);
    else evaluation.results.set(chunk.index, result);
    evaluation.finish(chunk.index, result.tally);
    return Promise.resolve('stored');
  }

  release({ chunk, earlierClaims }: Claim): Promise<void> {
    this.#claimed--;
    const evaluation = this.#evaluations.get(chunk.evaluation);
    if (evaluation && !evaluation.over && !evaluation.done.has(chunk.index)) this.#put(evaluation, chunk, earlierClaims + 1);
    return Promise.resolve();
  }

  depth(): Promise<{ waiting: number; claimed: number; waitingBytes: number }> {
    let waiting = 0;
    for (const evaluation of this.#evaluations.values()) waiting += evaluation.waiting.length;
    return Promise.resolve({ waiting, claimed: this.#claimed, waitingBytes: this.#waitingBytes });
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
      this.#waitingBytes -= evaluation.waitingBytes;
      this.#evaluations.delete(id);
      if (evaluation.record.detached) this.#journal.forget(id);
      evaluation.touch();
    }
    return Promise.resolve();
  }

  cancel(id: string): Promise<boolean> {
    const evaluation = this.#evaluations.get(id);
    if (!evaluation || evaluation.over) return Promise.resolve(false);
    this.#waitingBytes -= evaluation.waitingBytes;
    evaluation.waiting.length = 0;
    evaluation.cancelled = true;
    if (evaluation.record.detached) this.#journal.cancel(id);
    evaluation.touch();
    for (const listener of this.#listeners) listener(id);
    return Promise.resolve(true);
  }

  onCancelled(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
    for (const { give } of this.#idle.splice(0)) give(undefined);
    this.#journal.close();
    return Promise.resolve();
  }

  #put(evaluation: LiveEvaluation, chunk: Chunk, earlierClaims: number): void {
    evaluation.waiting.push({ chunk, earlierClaims });
    this.#waitingBytes += chunkBytes(chunk.items);
    const waiter = this.#idle.shift();
    if (waiter) waiter.give(this.#take());
  }

  /** The next waiting chunk; its evaluation goes to the end of the line. */
  #take(): Claim | undefined {
    for (const [id, evaluation] of this.#evaluations) {
      const next = evaluation.waiting.shift();
      if (!next) continue;
      this.#evaluations.delete(id);
      this.#evaluations.set(id, evaluation);
      this.#waitingBytes -= chunkBytes(next.chunk.items);
      this.#claimed++;
      return next;
    }
    return undefined;
  }

  #expire(): void {
    const before = Date.now() - this.#limits.retentionMs;
    for (const [id, evaluation] of this.#evaluations) if (evaluation.endedAt > 0 && evaluation.endedAt < before) void this.forget(id);
  }

  /** Takes up what an earlier process left in the journal: an evaluation whose batch had not arrived whole is cancelled, all others go on. */
  #recover(): void {
    for (const { record, sealed, cancelled, chunks } of this.#journal.evaluations()) {
      const evaluation = new LiveEvaluation(record);
      this.#evaluations.set(record.id, evaluation);
      evaluation.chunksTotal = chunks.length;
      evaluation.sealed = sealed;
      evaluation.cancelled = cancelled || !sealed;
      for (const { index, result } of chunks) {
        const body = result || evaluation.cancelled ? undefined : this.#journal.body(record.id, index);
        if (result) evaluation.finish(index, result.tally);
        else if (body) this.#put(evaluation, body, 1);
      }
      evaluation.touch();
    }
  }
}
