import { steadyNow } from '#evaluation';
import type { ContentKey } from '../at-rest/content-keys.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { FlowLoad } from '#runner/flow';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type { DefinitionStore, QueueAdapter } from '../ports.ts';
import type { StudyForms, StudyStore } from '../study-store.ts';
import { EmbeddedDefinitions } from './embedded-definitions.ts';
import { EmbeddedJobs } from './embedded-jobs.ts';
import { EmbeddedLine } from './embedded-line.ts';
import { forgetExpired } from './forget-expired.ts';
import { Journal } from './journal.ts';
import { LiveJobs } from './live-jobs.ts';

/** Options of an embedded queue. */
export interface EmbeddedOptions {
  /** Account of the waiting work of the process, to which the jobs add their parts. By default, it contains only these parts. */
  readonly load?: FlowLoad;
  /** Keys that encrypt content in the journal. If there are no keys, content is stored unencrypted. */
  readonly contentKeys?: readonly ContentKey[];
  /** Returns the current time in epoch ms, by a clock that does not jump. Default: {@link steadyNow}. */
  readonly now?: () => number;
}

/** Jobs of one process, without Redis. They are stored in an SQLite journal. */
export class EmbeddedQueue implements QueueAdapter {
  readonly jobs: EmbeddedJobs;
  readonly line = new EmbeddedLine();
  readonly definitions: DefinitionStore;
  readonly #journal: Journal;
  readonly #expiring: NodeJS.Timeout;

  /** `journalFile` is the file that preserves evaluations across restarts. With `:memory:`, evaluations are lost at a restart. */
  constructor(
    journalFile: string,
    limits: QueueLimits = DEFAULT_QUEUE_LIMITS,
    { load = new FlowLoad(), contentKeys, now = steadyNow }: EmbeddedOptions = {},
  ) {
    this.#journal = new Journal(journalFile, new Sealing(contentKeys));
    const jobs = new LiveJobs({ journal: this.#journal, limits, load, line: this.line, now });
    this.jobs = new EmbeddedJobs(jobs);
    this.definitions = new EmbeddedDefinitions(this.#journal, limits, now);
    this.#expiring = setInterval(() => forgetExpired(jobs), limits.heartbeatMs).unref();
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
    clearInterval(this.#expiring);
    this.#journal.close();
    return Promise.resolve();
  }
}
