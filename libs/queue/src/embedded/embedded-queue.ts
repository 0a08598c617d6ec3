import { steadyNow } from '#evaluation';
import type { ContentKey } from '../at-rest/content-keys.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { FairQueue } from '../flow/fair-queue.ts';
import type { Sized } from '../flow/fair-queue.ts';
import { FlowLoad } from '../flow/flow-load.ts';
import type { PriceBook } from '../flow/price-book.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type { CancellationChannel, DefinitionStore, EndedEvaluation, EvaluationEnds, QueueAdapter, ResultStore } from '../ports.ts';
import type { StudyForms, StudyStore } from '../study-store.ts';
import { EmbeddedCancellations } from './embedded-cancellations.ts';
import { EmbeddedDefinitions } from './embedded-definitions.ts';
import { EmbeddedResults } from './embedded-results.ts';
import { EmbeddedWork } from './embedded-work.ts';
import { EvaluationStore } from './evaluation-store.ts';
import { expireLeases } from './expire-leases.ts';
import { Journal } from './journal.ts';
import type { WaitingChunk } from './waiting-chunk.ts';

/**
 * Fair queue and load counters that an embedded queue shares with other waiting work in its process, such as the work of synchronous
 * requests. The owner of that other work creates them.
 */
export interface SharedScheduling<Other extends Sized> {
  /**
   * Fair queue of chunks and of other work; the entries of other work have the type `Other`. The owner picks entries from this queue and
   * claims a picked chunk with `work.claimPicked`. It must not call `work.claim`.
   */
  readonly fair: FairQueue<WaitingChunk | Other>;
  /** Counters of the load to which chunks and other work of a flow (queue of one client) are added. By default, only chunks are counted. */
  readonly load?: FlowLoad;
  /** Callback that is called each time a chunk starts to wait. */
  readonly onQueued: () => void;
}

/** Options of an embedded queue. */
export interface EmbeddedOptions<Other extends Sized> {
  readonly shared?: SharedScheduling<Other>;
  /** Keys that encrypt content in the journal. If there are no keys, content is stored unencrypted. */
  readonly contentKeys?: readonly ContentKey[];
  /** Returns the current time in epoch ms, by a clock that does not jump. Default: {@link steadyNow}. */
  readonly now?: () => number;
}

/**
 * Queue of evaluations in one process, without Redis. An evaluation whose client waits for the result is held in memory. A detached
 * evaluation, which runs in the background, is stored in an SQLite journal.
 */
export class EmbeddedQueue<Other extends Sized = never> implements QueueAdapter {
  readonly work: EmbeddedWork<Other>;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly ends: EvaluationEnds;
  readonly definitions: DefinitionStore;
  /** Prices (expected times per item), measured by evaluations of this process. */
  readonly priceBook: PriceBook;
  readonly #journal: Journal;
  readonly #stopExpiring: () => void;

  /**
   * `journalFile` is the file that preserves detached evaluations across restarts. With `:memory:`, detached evaluations are lost at a
   * restart.
   */
  constructor(
    journalFile: string,
    limits: QueueLimits = DEFAULT_QUEUE_LIMITS,
    { shared, contentKeys, now = steadyNow }: EmbeddedOptions<Other> = {},
  ) {
    this.#journal = new Journal(journalFile, new Sealing(contentKeys));
    const fair = shared?.fair ?? new FairQueue<WaitingChunk | Other>();
    const store = new EvaluationStore<Other>({ journal: this.#journal, limits, fair, load: shared?.load ?? new FlowLoad(), now });
    this.work = new EmbeddedWork(store);
    this.priceBook = store.prices;
    this.results = new EmbeddedResults(store);
    this.cancellations = new EmbeddedCancellations(store);
    this.ends = { onEnded: (listener: (ended: EndedEvaluation) => void) => store.onEnded(listener) };
    this.definitions = new EmbeddedDefinitions(this.#journal, limits, now);
    if (shared) store.queued.add(shared.onQueued);
    this.#stopExpiring = expireLeases(store);
  }

  /**
   * Returns the store of this process's studies (searches for expensive objects), which are kept in the journal. The caller defines the
   * types of a study's parts (`Forms`). Throws {@link UnusableJournal} if a study cannot be read.
   */
  studies<Forms extends StudyForms>(): StudyStore<Forms> {
    return this.#journal.studies<Forms>();
  }

  probe(): Promise<void> {
    this.#journal.probe();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#stopExpiring();
    this.work.close();
    this.#journal.close();
    return Promise.resolve();
  }
}
