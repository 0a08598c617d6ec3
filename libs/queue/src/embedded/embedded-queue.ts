import { steadyNow } from '#evaluation';
import type { ContentKey } from '../at-rest/content-keys.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { FlowLoad, PriceBook } from '#runner/flow';
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

/** Options of an embedded queue. */
export interface EmbeddedOptions {
  /** Account of the waiting work of the process, to which the queue adds its chunks. By default, it contains only these chunks. */
  readonly load?: FlowLoad;
  /** Prices (expected times per item) that the process has measured. */
  readonly prices?: PriceBook;
  /** Keys that encrypt content in the journal. If there are no keys, content is stored unencrypted. */
  readonly contentKeys?: readonly ContentKey[];
  /** Returns the current time in epoch ms, by a clock that does not jump. Default: {@link steadyNow}. */
  readonly now?: () => number;
}

/**
 * Queue of detached evaluations in one process, without Redis. The evaluations, which run in the background, are stored in an SQLite
 * journal.
 */
export class EmbeddedQueue implements QueueAdapter {
  readonly work: EmbeddedWork;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly ends: EvaluationEnds;
  readonly definitions: DefinitionStore;
  readonly #journal: Journal;
  readonly #stopExpiring: () => void;

  /** `journalFile` is the file that preserves evaluations across restarts. With `:memory:`, evaluations are lost at a restart. */
  constructor(
    journalFile: string,
    limits: QueueLimits = DEFAULT_QUEUE_LIMITS,
    { load = new FlowLoad(), prices = new PriceBook(), contentKeys, now = steadyNow }: EmbeddedOptions = {},
  ) {
    this.#journal = new Journal(journalFile, new Sealing(contentKeys));
    const store = new EvaluationStore({ journal: this.#journal, limits, load, prices, now });
    this.work = new EmbeddedWork(store);
    this.results = new EmbeddedResults(store);
    this.cancellations = new EmbeddedCancellations(store);
    this.ends = { onEnded: (listener: (ended: EndedEvaluation) => void) => store.onEnded(listener) };
    this.definitions = new EmbeddedDefinitions(this.#journal, limits, now);
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
