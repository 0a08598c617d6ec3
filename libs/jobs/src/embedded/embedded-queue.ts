import { LRUCache } from 'lru-cache';
import { steadyNow } from '#documents';
import type { DefinitionText } from '#documents';
import { FlowLoad } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import type { ContentKey } from '../at-rest/read-secrets.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { DefinitionLoad } from '../definition-load.ts';
import { EVALUATION_JOBS } from '../life/evaluation-jobs.ts';
import { STUDIES_OF_FLOW } from '../life/job-kind.ts';
import type { JobKind } from '../life/job-kind.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type { DefinitionHolder, DefinitionStore, EvaluationForms, JobForms, JobQueue, QueueAdapter, ThreadTimeStore } from '../ports.ts';
import { EmbeddedJobs, forgetExpired } from './embedded-jobs.ts';
import { EmbeddedLine } from './embedded-line.ts';
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
  readonly jobs: EmbeddedJobs<EvaluationForms>;
  readonly line = new EmbeddedLine();
  readonly definitions: DefinitionStore;
  readonly threadTime: ThreadTimeStore;
  readonly #journal: Journal;
  readonly #limits: QueueLimits;
  readonly #now: () => number;
  readonly #expiring: NodeJS.Timeout[] = [];

  /** `journalFile` is the file that preserves jobs across restarts. With `:memory:`, jobs are lost at a restart. */
  constructor(
    journalFile: string,
    limits: QueueLimits = DEFAULT_QUEUE_LIMITS,
    { load = new FlowLoad(), contentKeys, now = steadyNow }: EmbeddedOptions = {},
  ) {
    this.#journal = new Journal(journalFile, new Sealing(contentKeys));
    this.#limits = limits;
    this.#now = now;
    const evaluations = this.#live(EVALUATION_JOBS, this.line, load);
    this.#journal.keepDefinitions(new Set([...evaluations.all].flatMap(({ record }) => EVALUATION_JOBS.definitionsOf(record))));
    this.jobs = new EmbeddedJobs(evaluations);
    this.definitions = new EmbeddedDefinitions(this.#journal, limits, now);
    this.threadTime = {
      charge: async (day, client, ms) => this.#journal.charge(day, client, ms),
      charged: async (day, client) => this.#journal.charged(day, client),
    };
  }

  /** Opens the jobs of another kind. Throws {@link UnusableJournal} if a job in the journal cannot be read. */
  open<Forms extends JobForms>(kind: JobKind<Forms>): JobQueue<Forms> {
    const line = new EmbeddedLine(STUDIES_OF_FLOW);
    return { jobs: new EmbeddedJobs(this.#live(kind, line, new FlowLoad())), line };
  }

  probe(): Promise<void> {
    this.#journal.probe();
    return Promise.resolve();
  }

  close(): Promise<void> {
    for (const expiring of this.#expiring) clearInterval(expiring);
    this.#journal.close();
    return Promise.resolve();
  }

  /** Restores the jobs of a kind from the journal. From now on, they are deleted when their results expire. */
  #live<Forms extends JobForms>(kind: JobKind<Forms>, line: EmbeddedLine, load: FlowLoad): LiveJobs<Forms> {
    const [limits, now] = [this.#limits, this.#now];
    const jobs = new LiveJobs({ kind, journal: this.#journal.jobs(kind), limits, load, line, now });
    this.#expiring.push(setInterval(() => forgetExpired(jobs), limits.heartbeatMs).unref());
    return jobs;
  }
}

/** Maximum number of definition texts that are cached in memory. */
const RECENT_TEXTS = 512;

/** Time for which a definition is kept beyond the deadline of its evaluation, ms. The last chunk may end after the deadline. */
const GRACE_MS = 60_000;

/**
 * Store of definition texts for the service in a single process, without Redis. The journal (an SQLite file) contains all texts, and
 * recently used texts are also cached in memory.
 */
class EmbeddedDefinitions implements DefinitionStore {
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #load: DefinitionLoad;
  readonly #recent = new LRUCache<string, DefinitionText>({ max: RECENT_TEXTS });

  /** `now` returns the current time in epoch ms, by a clock that does not jump. */
  constructor(journal: Journal, limits: QueueLimits, now: () => number) {
    this.#journal = journal;
    this.#now = now;
    this.#load = new DefinitionLoad(limits);
  }

  put(text: DefinitionText, { flow, leftMs, keptAs }: DefinitionHolder): Promise<Refusal | undefined> {
    const { digest, slice } = text;
    const now = this.#now();
    for (const expired of this.#load.expire(now)) {
      this.#recent.delete(expired);
      this.#journal.dropDefinition(expired);
    }
    const refusal = this.#load.charge({ digest, bytes: slice.bytes.length, until: now + leftMs + GRACE_MS, flow, keptAs });
    // A text in memory is already in the journal.
    if (!refusal && this.#recent.get(digest) === undefined && this.#journal.putDefinition(text)) this.#recent.set(digest, text);
    return Promise.resolve(refusal);
  }

  get(digest: string): Promise<DefinitionText | undefined> {
    return Promise.resolve(this.#recent.get(digest) ?? this.#journal.definition(digest));
  }
}
