import { CHUNK_LIMITS, chunkBytes } from '#evaluation';
import type { Chunk, ChunkResult, DocumentSlice } from '#evaluation';
import type { Picked, Refusal } from '#runner/flow';
import { isRefusal, byLevel, seatsPerFlow } from '#runner/flow';
import type { Claim, CommitAnswer, Depth, EvaluationRecord, WorkQueue } from '../ports.ts';
import { resultBytes } from '../result-bytes.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import { forgetExpired } from './forget-expired.ts';
import { LiveEvaluation } from './live-evaluation.ts';
import { WaitingChunk } from './waiting-chunk.ts';

/** A consumer that waits for a chunk. */
interface IdleConsumer {
  readonly give: (claim: Claim | undefined) => void;
}

/** In-process work queue of chunks. A chunk is a stretch of consecutive objects of one evaluation, and it is one unit of work. */
export class EmbeddedWork implements WorkQueue {
  readonly runLimits = CHUNK_LIMITS;
  readonly #store: EvaluationStore;
  readonly #idle: IdleConsumer[] = [];
  #seats = 0;
  /** Number of chunks that were claimed. This number is part of the name of each lease, so that the name is unique. */
  #claims = 0;

  constructor(store: EvaluationStore) {
    this.#store = store;
    store.queued.add(() => this.#serveIdle());
  }

  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal> {
    return Promise.resolve(this.#accept(record));
  }

  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal> {
    return Promise.resolve(this.#enqueue(id, firstItem, items));
  }

  seal(id: string): Promise<void> {
    this.#seal(id);
    return Promise.resolve();
  }

  /**
   * Accepts an evaluation with its chunks. It is written to the journal in one transaction. If the disk is full, the journal thus contains
   * no part of the evaluation and needs no space to delete it.
   */
  submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal> {
    const known = this.#store.get(record.id) !== undefined;
    try {
      return Promise.resolve(this.#store.journal.atomically(() => this.#submit(record, chunks)));
    } catch (error) {
      if (!known) this.#store.forgetUnwritten(record.id);
      throw error;
    }
  }

  expectedItemMs(digests: readonly string[]): Promise<number> {
    return Promise.resolve(this.#store.prices.priceOf(digests));
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
    const next = this.#claimNext();
    if (next) return Promise.resolve(next);
    return new Promise((resolve) => {
      const consumer = { give: (claim: Claim | undefined): void => (signal.removeEventListener('abort', leave), resolve(claim)) };
      const leave = (): void => {
        this.#idle.splice(this.#idle.indexOf(consumer), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#idle.push(consumer);
    });
  }

  renew(claims: readonly Claim[]): Promise<readonly boolean[]> {
    return Promise.resolve(
      claims.map(({ lease: name, chunk }) => {
        const evaluation = this.#store.get(chunk.evaluation);
        const lease = this.#store.leases.get(name);
        if (!evaluation) return false;
        return this.#store.happen(evaluation, 'renew', { superseded: lease?.evaluation !== evaluation }, { lease }).answer === 'held';
      }),
    );
  }

  commit({ chunk, lease: name }: Claim, result: ChunkResult, spentMs?: number): Promise<CommitAnswer> {
    const lease = this.#store.leases.get(name);
    const settled = lease && { lease, spentMs, judgedMs: result.tally.phases.total };
    // A lease of an evaluation that was forgotten since frees its seat all the same.
    const evaluation = this.#store.get(chunk.evaluation) ?? lease?.evaluation;
    if (!evaluation) return Promise.resolve('gone');
    const { record, queueKey } = evaluation;
    const { load, limits } = this.#store;
    const facts = {
      judged: evaluation.done.has(chunk.index),
      superseded: lease?.evaluation !== evaluation,
      overfull: load.overfull(queueKey, record.flow, limits, resultBytes(result)),
      last: evaluation.done.size + 1 === evaluation.chunksTotal,
    };
    // What the journal cannot take is not done: the lease stays, runs out, and the chunk is run again.
    const { answer } = this.#store.happen(evaluation, 'commit', facts, { settled, judged: { chunk, result } });
    return Promise.resolve(answer as CommitAnswer);
  }

  release({ lease: name }: Claim): Promise<void> {
    const lease = this.#store.leases.get(name);
    if (lease) this.#store.takeBack(lease, 'release', 0);
    return Promise.resolve();
  }

  depth(): Promise<Depth> {
    const { load, leases, fair } = this.#store;
    return Promise.resolve({
      waiting: load.total.chunks,
      claimed: leases.size,
      waitingBytes: load.total.bytes,
      resultBytes: load.total.results,
      seats: this.#seats,
      levels: byLevel((level) => ({ waiting: load.waiting(level), claimed: fair.running(level) })),
    });
  }

  /** Takes back every claimed chunk, even if its lease has not expired. */
  expireLeases(): Promise<void> {
    // A Map's walk goes on to what is added to it: a chunk that is taken back may be claimed at once by who waits for one.
    const held = Array.from(this.#store.leases.values());
    for (const lease of held) this.#store.takeBack(lease, 'expire', undefined);
    return Promise.resolve();
  }

  /** Resolves all waiting calls of `claim` with undefined. */
  close(): void {
    for (const { give } of this.#idle.splice(0)) give(undefined);
  }

  #accept(record: EvaluationRecord): 'accepted' | 'exists' | Refusal {
    const evaluation = this.#store.get(record.id) ?? new LiveEvaluation(record);
    const refusal = this.#refuses(evaluation);
    return refusal ?? (this.#store.happen(evaluation, 'accept').answer as 'accepted' | 'exists');
  }

  /**
   * Returns the reason why a new evaluation is refused, or undefined if it is accepted. If a limit is reached, expired evaluations are
   * deleted before the limits are checked again.
   */
  #refuses({ state, queueKey, record: { flow } }: LiveEvaluation): Refusal | undefined {
    if (state !== 'unknown') return undefined;
    const { load, limits } = this.#store;
    if (load.refusesEvaluation(queueKey, flow, limits, true) === undefined) return undefined;
    forgetExpired(this.#store);
    return load.refusesEvaluation(queueKey, flow, limits, true);
  }

  #enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): 'queued' | 'over' | Refusal {
    const evaluation = this.#store.get(id);
    if (!evaluation) return 'over';
    const resent = firstItem < evaluation.nextItem;
    const { load, limits, now } = this.#store;
    if (evaluation.state === 'receiving' && !resent) {
      const refusal = load.refusesChunk(evaluation.queueKey, evaluation.record.flow, limits, chunkBytes(items));
      if (refusal) return refusal;
    }
    const chunk: Chunk = { evaluation: id, index: evaluation.chunksTotal, firstItem, items, settings: evaluation.record.settings };
    const { answer } = this.#store.happen(evaluation, 'enqueue', { resent }, { waiting: new WaitingChunk(chunk, 0, now()) });
    return answer as 'queued' | 'over';
  }

  #seal(id: string): void {
    const evaluation = this.#store.get(id);
    if (evaluation) this.#store.happen(evaluation, 'seal', { last: evaluation.done.size === evaluation.chunksTotal });
  }

  #submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): 'accepted' | 'exists' | Refusal {
    const accepted = this.#accept(record);
    if (accepted !== 'accepted') return accepted;
    let firstItem = 0;
    for (const items of chunks) {
      const queued = this.#enqueue(record.id, firstItem, items);
      if (isRefusal(queued)) {
        this.#store.forget(record.id);
        return queued;
      }
      firstItem += items.length;
    }
    this.#seal(record.id);
    return 'accepted';
  }

  #serveIdle(): void {
    if (this.#idle.length === 0) return;
    const claim = this.#claimNext();
    if (claim) this.#idle.shift()?.give(claim);
  }

  /** Claims the next chunk in the order of the fair queue. Returns undefined if no chunk can be claimed. */
  #claimNext(): Claim | undefined {
    for (;;) {
      const picked = this.#store.fair.pick(seatsPerFlow(this.#seats));
      if (!picked) return undefined;
      const claim = this.#claim(picked);
      if (claim) return claim;
    }
  }

  /** Claims a chunk that the fair queue chose. Returns undefined if the chunk's evaluation has ended; the seat (engine thread) is then free. */
  #claim(picked: Picked<WaitingChunk>): Claim | undefined {
    const { fair, load, now } = this.#store;
    const { chunk, earlierClaims, bytes, queuedAt } = picked.entry;
    load.add(picked.queueKey, { chunks: -1, bytes: -bytes });
    const evaluation = this.#store.get(chunk.evaluation);
    const lease = evaluation && { name: `${chunk.evaluation}/${chunk.index}/${this.#claims++}`, picked, evaluation, until: 0 };
    if (!lease || this.#store.happen(lease.evaluation, 'claim', {}, { lease }).answer !== 'held') {
      fair.finish(picked, 0);
      return undefined;
    }
    const waitedMs = now() - queuedAt;
    const { celSpent } = lease.evaluation;
    const { queueKey, expectedMs } = picked;
    return { chunk, earlierClaims, lease: lease.name, queueKey, waitedMs, celSpent, expectedMs };
  }
}
