import type { Chunk, ChunkResult } from '#evaluation';
import type { PriceBook, Picked, FlowLoad } from '#runner/flow';
import { FairQueue } from '#runner/flow';
import { transitionOf } from '../life/evaluation-life.ts';
import type { TransitionEffect, EvaluationEvent, EvaluationState, Facts, Transition } from '../life/evaluation-life.ts';
import type { QueueLimits } from '../limits.ts';
import type { DetachedEnd, EndedEvaluation, EvaluationRecord } from '../ports.ts';
import type { Journal } from './journal.ts';
import { Listeners } from '../listeners.ts';
import { resultBytes } from '../result-bytes.ts';
import { LiveEvaluation } from './live-evaluation.ts';
import { WaitingChunk } from './waiting-chunk.ts';

/** Lease of a chunk that a consumer has claimed. */
export interface Lease {
  /** Unique name of the lease. */
  readonly name: string;
  readonly picked: Picked<WaitingChunk>;
  readonly evaluation: LiveEvaluation;
  /** Time at which the lease ends and the chunk is taken back, in epoch ms. */
  until: number;
}

/** End of a consumer's lease of a chunk, with the time that the chunk took. */
export interface Settlement {
  readonly lease: Lease;
  /** Time in ms for which the chunk occupied a seat (engine thread). Undefined if the time is unknown. */
  readonly spentMs: number | undefined;
  /** Time in ms that a thread needed to compute the verdicts on the chunk's items. Undefined if the time is unknown. */
  readonly judgedMs?: number | undefined;
}

/** Data that accompanies an event, because the effects of the event's transition need it. */
interface Subject {
  /** True if the event must not be written to the journal. */
  readonly unwritten?: true;
  /** Chunk that starts to wait, for the effects `queue` and `requeue`. */
  readonly waiting?: WaitingChunk;
  /** Lease that starts or is renewed, for the effect `lend`. */
  readonly lease?: Lease | undefined;
  /** Lease to end when this event is handled, whatever the state of the evaluation. */
  readonly settled?: Settlement | undefined;
  /** Chunk and its result, for the effect `store`. */
  readonly judged?: { readonly chunk: Chunk; readonly result: ChunkResult };
}

/** Parts from which an `EvaluationStore` is built. */
export interface StoreParts {
  readonly journal: Journal;
  readonly limits: QueueLimits;
  readonly load: FlowLoad;
  readonly prices: PriceBook;
  /** Returns the current time in epoch ms, by a clock that does not jump. */
  readonly now: () => number;
}

/**
 * Store of the evaluations of one process, for the embedded queue (queue without Redis). All ports of this queue share the store. Every
 * change is a transition of `EVALUATION_LIFE`, and this class carries out the effects of the transition. The journal is written first. If
 * this fails, for example because the disk is full, the change throws and memory is not changed.
 */
export class EvaluationStore {
  readonly journal: Journal;
  readonly limits: QueueLimits;
  readonly fair = new FairQueue<WaitingChunk>();
  readonly load: FlowLoad;
  readonly now: () => number;
  readonly prices: PriceBook;
  /** Leases that have not ended, by name. */
  readonly leases = new Map<string, Lease>();
  readonly queued = new Listeners<[]>();
  readonly cancelled = new Listeners<[id: string]>();
  readonly #ended = new Listeners<[ended: EndedEvaluation]>();
  /** Ends of evaluations that were detected when the process started, before listeners could be added. */
  readonly #endedAtStart: EndedEvaluation[] = [];
  readonly #evaluations = new Map<string, LiveEvaluation>();
  readonly #effects: Readonly<Record<TransitionEffect, (evaluation: LiveEvaluation, subject: Subject) => void>> = {
    open: (evaluation) => this.#open(evaluation),
    queue: (evaluation, { waiting }) => waiting && this.#queue(evaluation, waiting),
    requeue: (evaluation, { waiting }) => waiting && this.#wait(evaluation, waiting, true),
    lend: (_, { lease }) => lease && this.#lend(lease),
    store: (evaluation, { judged }) => judged && this.#keep(evaluation, judged.chunk, judged.result),
    close: (evaluation) => this.#close(evaluation),
    erase: (evaluation) => this.#erase(evaluation),
    wake: (evaluation) => evaluation.wake(),
    stop: ({ record }) => this.cancelled.notify(record.id),
    end: ({ record, state }) => this.#ended.notify({ id: record.id, end: endOf(state) }),
  };

  constructor({ journal, limits, load, prices, now }: StoreParts) {
    this.journal = journal;
    this.limits = limits;
    this.load = load;
    this.prices = prices;
    this.now = now;
    const stop = this.#ended.add((ended) => this.#endedAtStart.push(ended));
    this.#recover();
    stop();
  }

  /**
   * Adds a listener for the ends of evaluations. The ends that were detected when the process started are reported to it immediately.
   * Returns a function that removes the listener.
   */
  onEnded(listener: (ended: EndedEvaluation) => void): () => void {
    for (const ended of this.#endedAtStart) listener(ended);
    return this.#ended.add(listener);
  }

  /** Returns the evaluation with this id. Returns undefined if it was never accepted or has been forgotten. */
  get(id: string): LiveEvaluation | undefined {
    return this.#evaluations.get(id);
  }

  /** All evaluations that were accepted and are not forgotten. */
  get all(): Iterable<LiveEvaluation> {
    return this.#evaluations.values();
  }

  /** Deletes an evaluation from memory and from the journal, in any state. */
  forget(id: string): void {
    const evaluation = this.#evaluations.get(id);
    if (evaluation) this.happen(evaluation, 'forget');
  }

  /** Deletes an evaluation from memory only. The journal contains no entries of the evaluation because its transaction was rolled back. */
  forgetUnwritten(id: string): void {
    const evaluation = this.#evaluations.get(id);
    if (evaluation) this.happen(evaluation, 'forget', {}, { unwritten: true });
  }

  /**
   * Applies an event to an evaluation: write the journal → end the lease → change the state → carry out the effects. Returns the
   * transition.
   */
  happen(evaluation: LiveEvaluation, event: EvaluationEvent, facts: Facts = {}, subject: Subject = {}): Transition {
    const transition = transitionOf(evaluation.state, event, facts);
    if (subject.unwritten !== true) this.#write(evaluation, transition, subject);
    if (subject.settled) this.#vacate(subject.settled);
    evaluation.state = transition.to;
    for (const effect of transition.effects) this.#effects[effect](evaluation, subject);
    return transition;
  }

  /**
   * Ends a lease, and queues its chunk again if the evaluation lives. `release` means that the consumer returned the chunk, and `expire`
   * means that the lease expired.
   */
  takeBack(lease: Lease, event: 'release' | 'expire', spentMs: number | undefined): void {
    const { chunk, earlierClaims } = lease.picked.entry;
    const waiting = new WaitingChunk(chunk, earlierClaims + 1, this.now());
    this.happen(lease.evaluation, event, {}, { waiting, settled: { lease, spentMs } });
  }

  /**
   * Frees the seat (engine thread) of a lease that ends. Replaces the estimated time that was charged to the flow by the time spent.
   * Updates the expected time per item of the definition.
   */
  #vacate({ lease: { name, picked }, spentMs, judgedMs }: Settlement): void {
    this.leases.delete(name);
    this.fair.finish(picked, spentMs, judgedMs);
    const itemMs = this.fair.itemMs(picked.queueKey);
    const [definition, ...others] = picked.entry.chunk.settings.definitions;
    if (judgedMs !== undefined && itemMs !== undefined && definition && others.length === 0) this.prices.set(definition.digest, itemMs);
  }

  #open(evaluation: LiveEvaluation): void {
    const { record, queueKey } = evaluation;
    this.#evaluations.set(record.id, evaluation);
    this.load.add(queueKey, { evaluations: 1 });
    this.fair.add(queueKey, record.itemMs);
  }

  #queue(evaluation: LiveEvaluation, waiting: WaitingChunk): void {
    const { index, firstItem, items } = waiting.chunk;
    evaluation.chunksTotal = index + 1;
    evaluation.nextItem = firstItem + items.length;
    this.#wait(evaluation, waiting, false);
  }

  #wait({ queueKey }: LiveEvaluation, waiting: WaitingChunk, back: boolean): void {
    this.load.add(queueKey, { chunks: 1, bytes: waiting.bytes });
    this.fair.enqueue(queueKey, waiting, back);
    this.queued.notify();
  }

  #lend(lease: Lease): void {
    lease.until = this.now() + this.limits.leaseMs;
    this.leases.set(lease.name, lease);
  }

  #keep(evaluation: LiveEvaluation, { index }: Chunk, result: ChunkResult): void {
    this.#charge(evaluation, resultBytes(result));
    evaluation.finish(index, result);
  }

  #charge(evaluation: LiveEvaluation, bytes: number): void {
    evaluation.resultBytes += bytes;
    this.load.add(evaluation.queueKey, { results: bytes });
  }

  #erase({ record, queueKey, resultBytes: bytes }: LiveEvaluation): void {
    this.#evaluations.delete(record.id);
    this.load.add(queueKey, { results: -bytes });
  }

  #close(evaluation: LiveEvaluation): void {
    evaluation.closedAt = this.now();
    this.load.add(evaluation.queueKey, { evaluations: -1 });
    for (const { bytes } of this.fair.remove(evaluation.queueKey)) this.load.add(evaluation.queueKey, { chunks: -1, bytes: -bytes });
  }

  /** Writes the part of a transition that must survive a restart to the journal. */
  #write({ record, state }: LiveEvaluation, { on, to, effects }: Transition, { waiting, judged }: Subject): void {
    if (effects.includes('open')) this.journal.addEvaluation(record);
    if (effects.includes('queue') && waiting) this.journal.addChunk(waiting.chunk);
    if (effects.includes('store') && judged) this.journal.storeResult(record.id, judged.chunk.index, judged.result);
    if (effects.includes('erase')) this.journal.forget(record.id);
    if (on === 'seal' && state !== to) this.journal.seal(record.id);
    if ((to === 'cancelled' || to === 'tooLarge') && state !== to) this.journal.end(record.id, to);
  }

  /**
   * Loads the evaluations that an earlier process left in the journal. An evaluation that was not received completely is cancelled; all
   * others continue.
   */
  #recover(): void {
    const journaled = this.journal.evaluations();
    this.journal.keepDefinitionsOf(journaled.map(({ record }) => record));
    for (const { record: written, sealed, ended, chunks } of journaled) {
      const record = withinItsTime(written, this.now());
      const evaluation = new LiveEvaluation(record);
      this.#open(evaluation);
      evaluation.chunksTotal = chunks.length;
      for (const { index, result } of chunks) {
        if (!result) continue;
        evaluation.finish(index, result);
        this.#charge(evaluation, resultBytes(result));
      }
      evaluation.state = sealed ? 'running' : 'receiving';
      if (ended !== undefined) this.#resume(evaluation, ended);
      else if (!sealed) this.happen(evaluation, 'cancel');
      else if (evaluation.done.size === chunks.length) this.#resume(evaluation, 'complete');
      else this.#requeueAll(evaluation);
    }
  }

  /** Restores an evaluation that ended in an earlier process. Listeners are not called, because that process already reported the end. */
  #resume(evaluation: LiveEvaluation, state: 'complete' | 'cancelled' | 'tooLarge'): void {
    evaluation.state = state;
    this.#close(evaluation);
  }

  #requeueAll(evaluation: LiveEvaluation): void {
    for (let index = 0; index < evaluation.chunksTotal; index++) {
      const chunk = this.journal.body(evaluation.record.id, index);
      if (chunk) this.#wait(evaluation, new WaitingChunk({ ...chunk, settings: evaluation.record.settings }, 1, this.now()), false);
    }
  }
}

/** Returns the kind of end that listeners receive for an evaluation in this state. */
function endOf(state: EvaluationState): DetachedEnd {
  if (state === 'failed') return 'lost';
  return state === 'tooLarge' || state === 'cancelled' ? state : 'complete';
}

/**
 * Limits the deadline of a record, so that the evaluation has no more time left than when it was accepted. The limit matters if the wall
 * clock was set back while no process ran.
 */
function withinItsTime(record: EvaluationRecord, now: number): EvaluationRecord {
  const { createdAt, settings } = record;
  const deadlineAt = Math.min(settings.deadlineAt, now + Math.max(0, settings.deadlineAt - createdAt));
  return { ...record, settings: { ...settings, deadlineAt } };
}
