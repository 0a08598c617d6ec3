import type { FlowLoad, QueueKey } from '#runner/flow';
import type { JobKind, ResultCharge } from '../life/job-kind.ts';
import { isLiving, transitionOf } from '../life/job-life.ts';
import type { Facts, JobEvent, JobState, Transition, TransitionEffect } from '../life/job-life.ts';
import type { QueueLimits } from '../limits.ts';
import { Listeners } from '../listeners.ts';
import type { EndedJob, JobEnd, JobForms, Progress } from '../ports.ts';
import type { EmbeddedLine } from './embedded-line.ts';
import type { JournaledJob, JournaledJobs } from './journaled-jobs.ts';
import { addTally, emptyTally } from '#documents';
import type { Tally } from '#documents';
import { queueKeyOf } from '#runner/flow';

/** Job in the memory of a process without Redis. Its parts and results are in the journal file. */
export class LiveJob<Forms extends JobForms> {
  readonly record: Forms['record'];
  readonly queueKey: QueueKey;
  /** Indexes of the parts that have a result. */
  readonly done = new Set<number>();
  readonly tally: Tally = emptyTally();
  /** Size of each part in bytes. */
  readonly partBytes: number[] = [];
  /** State of the job. Only transitions of `JOB_LIFE` change it. */
  state: JobState = 'unknown';
  /** CEL cost that was charged to the job, in cost units. */
  celSpent = 0;
  /** Size of the stored results, in bytes. It is charged to the job's flow. */
  resultBytes = 0;
  /** Index of the first item of the next part to be added. A part with a lower first item was already added. */
  nextItem = 0;
  /** Number of the last start. Results of earlier starts are refused. */
  fence = 0;
  /** Number of all starts. */
  starts = 0;
  /** Number of starts since a result was last stored. */
  startsWithoutResult = 0;
  /** Last note of the job while it lives. The last note of a job that is over is in the journal. */
  note: Forms['note'] | undefined;
  /** Time at which the job was received completely, in epoch ms. */
  sealedAt = 0;
  /** Time at which the job ended, in epoch ms. 0 while the job lives. */
  closedAt = 0;
  #watchers = new Set<() => void>();

  constructor(record: Forms['record']) {
    this.record = record;
    this.queueKey = queueKeyOf(record);
  }

  /** Size of the parts that have no result, in bytes. */
  get waitingBytes(): number {
    return this.partBytes.reduce((sum, bytes, part) => (this.done.has(part) ? sum : sum + bytes), 0);
  }

  /** Returns the progress of the job, or undefined before it is added and after it is forgotten. */
  progress(): Progress | undefined {
    if (this.state === 'unknown') return undefined;
    const { state: phase, starts, done, partBytes, tally } = this;
    return { phase, starts, partsDone: done.size, partsTotal: partBytes.length, tally: structuredClone(tally) };
  }

  /** Records that a part has a result, and adds its counts and its CEL cost to the job. */
  finish(part: number, { tally, celCharge }: Pick<ResultCharge, 'tally' | 'celCharge'>): void {
    this.done.add(part);
    addTally(this.tally, tally);
    this.celSpent += celCharge;
  }

  /** Resolves all promises that {@link changed} returned. */
  wake(): void {
    const watchers = this.#watchers;
    if (watchers.size === 0) return;
    this.#watchers = new Set();
    for (const wake of watchers) wake();
  }

  /** Resolves at the next {@link wake}, or when `signal` is aborted. */
  changed(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#watchers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#watchers.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}

/** Data that accompanies an event, because the effects of the event's transition need it. */
interface Subject<Forms extends JobForms> {
  /** True if the event must not be written to the journal. */
  readonly unwritten?: true;
  /** Part that is added, and the index of its first item, for the effect `keep`. */
  readonly added?: { readonly firstItem: number; readonly part: Forms['part'] };
  /** Part and its result, for the effect `store`. */
  readonly judged?: { readonly part: number; readonly result: Forms['result'] };
  /** New note of the process that performs the job (data about the job beside its results). The effects `note` and `store` store it. */
  readonly note?: Forms['note'];
}

/** Parts from which {@link LiveJobs} are built. */
export interface LiveJobsParts<Forms extends JobForms> {
  readonly kind: JobKind<Forms>;
  readonly journal: JournaledJobs<Forms>;
  readonly limits: QueueLimits;
  readonly load: FlowLoad;
  readonly line: EmbeddedLine;
  /** Returns the current time in epoch ms, by a clock that does not jump. */
  readonly now: () => number;
}

/**
 * Jobs of one kind in a process without Redis. Every change is a transition of `JOB_LIFE`, and this class carries out the effects of the transition.
 * The journal is written first. If this fails, for example because the disk is full, the change throws and memory is not changed.
 */
export class LiveJobs<Forms extends JobForms> {
  readonly kind: JobKind<Forms>;
  readonly journal: JournaledJobs<Forms>;
  readonly limits: QueueLimits;
  readonly load: FlowLoad;
  readonly now: () => number;
  readonly cancelled = new Listeners<[id: string]>();
  readonly #line: EmbeddedLine;
  readonly #ended = new Listeners<[ended: EndedJob]>();
  /** Ends of jobs that were detected when the process started, before listeners could be added. */
  readonly #endedAtStart: EndedJob[] = [];
  readonly #jobs = new Map<string, LiveJob<Forms>>();
  /** Number of starts of all jobs. Two starts never have the same fence number, not even of two jobs with the same id. */
  #fences = 0;
  readonly #effects: Readonly<Record<TransitionEffect, (job: LiveJob<Forms>, subject: Subject<Forms>) => void>> = {
    open: (job) => this.#open(job),
    keep: (job, { added }) => added && this.#keep(job, added),
    line: (job) => this.#stand(job),
    fence: (job) => this.#fence(job),
    store: (job, { judged }) => judged && this.#store(job, judged.part, judged.result),
    note: (job, { note }) => void (job.note = isLiving(job.state) ? note : undefined),
    close: (job) => this.#close(job),
    erase: (job) => this.#erase(job),
    wake: (job) => job.wake(),
    stop: ({ record }) => this.cancelled.notify(record.id),
    end: ({ record, state }) => this.#ended.notify({ id: record.id, end: endOf(state) }),
  };

  constructor({ kind, journal, limits, load, line, now }: LiveJobsParts<Forms>) {
    this.kind = kind;
    this.journal = journal;
    this.limits = limits;
    this.load = load;
    this.#line = line;
    this.now = now;
    const stop = this.#ended.add((ended) => this.#endedAtStart.push(ended));
    for (const one of journal.all()) this.#recover(one);
    stop();
  }

  /**
   * Adds a listener for the ends of jobs. The ends that were detected when the process started are reported to it immediately. Returns a
   * function that removes the listener.
   */
  onEnded(listener: (ended: EndedJob) => void): () => void {
    for (const ended of this.#endedAtStart) listener(ended);
    return this.#ended.add(listener);
  }

  /** Returns the job with this id. Returns undefined if it was never added or has been forgotten. */
  get(id: string): LiveJob<Forms> | undefined {
    return this.#jobs.get(id);
  }

  /** All jobs that were added and are not forgotten, in the order in which they were added. */
  get all(): Iterable<LiveJob<Forms>> {
    return this.#jobs.values();
  }

  /** Deletes a job from memory and from the journal, in any state. */
  forget(id: string): void {
    const job = this.#jobs.get(id);
    if (job) this.happen(job, 'forget');
  }

  /** Deletes a job from memory only. The journal contains no entries of the job because its transaction was rolled back. */
  forgetUnwritten(id: string): void {
    const job = this.#jobs.get(id);
    if (job) this.happen(job, 'forget', {}, { unwritten: true });
  }

  /** Applies an event to a job: write the journal → change the state → carry out the effects. Returns the transition. */
  happen(job: LiveJob<Forms>, event: JobEvent, facts: Facts = {}, subject: Subject<Forms> = {}): Transition {
    const transition = transitionOf(job.state, event, facts);
    if (subject.unwritten !== true) this.#write(job, transition, subject);
    job.state = transition.to;
    for (const effect of transition.effects) this.#effects[effect](job, subject);
    return transition;
  }

  #open(job: LiveJob<Forms>): void {
    this.#jobs.set(job.record.id, job);
    this.load.add(job.queueKey, { evaluations: 1 });
  }

  #keep(job: LiveJob<Forms>, { firstItem, part }: NonNullable<Subject<Forms>['added']>): void {
    const { items, bytes } = this.kind.sizeOf(part);
    job.partBytes.push(bytes);
    job.nextItem = firstItem + items;
    this.load.add(job.queueKey, { chunks: 1, bytes });
  }

  #stand(job: LiveJob<Forms>): void {
    job.sealedAt = this.now();
    this.#line.add(job.record.id, job.queueKey);
  }

  #fence(job: LiveJob<Forms>): void {
    job.fence = ++this.#fences;
    job.starts += 1;
    job.startsWithoutResult += 1;
  }

  #store(job: LiveJob<Forms>, part: number, result: Forms['result']): void {
    const charge = this.kind.chargeOf(result);
    this.load.add(job.queueKey, { chunks: -1, bytes: -(job.partBytes[part] ?? 0) });
    job.startsWithoutResult = 0;
    this.#charge(job, charge.bytes);
    job.finish(part, charge);
  }

  #charge(job: LiveJob<Forms>, bytes: number): void {
    job.resultBytes += bytes;
    this.load.add(job.queueKey, { results: bytes });
  }

  #erase({ record, queueKey, resultBytes: bytes }: LiveJob<Forms>): void {
    this.#jobs.delete(record.id);
    this.load.add(queueKey, { results: -bytes });
  }

  #close(job: LiveJob<Forms>): void {
    job.closedAt = this.now();
    job.note = undefined;
    const waiting = job.partBytes.length - job.done.size;
    this.load.add(job.queueKey, { evaluations: -1, chunks: -waiting, bytes: -job.waitingBytes });
    this.#line.remove(job.record.id, job.queueKey);
  }

  /** Writes the part of a transition that must survive a restart to the journal. */
  #write(job: LiveJob<Forms>, { on, to, effects }: Transition, { added, judged, note }: Subject<Forms>): void {
    const { record, state } = job;
    if (effects.includes('open')) this.journal.add(record);
    if (effects.includes('keep') && added)
      this.journal.addPart(record.id, job.partBytes.length, this.kind.bodyOf(added.part, added.firstItem));
    if (effects.includes('fence')) this.journal.begin(record.id);
    if (effects.includes('store') && judged) this.journal.storeResult(record.id, judged.part, judged.result);
    if (effects.includes('store') && job.startsWithoutResult > 0) this.journal.reward(record.id);
    if (effects.includes('erase')) this.journal.forget(record.id);
    if (on === 'seal' && state !== to) this.journal.seal(record.id);
    if ((to === 'cancelled' || to === 'tooLarge' || to === 'failed') && state !== to) this.journal.end(record.id, to);
    // Notes of a living job need not survive a restart, because its work begins again.
    const last = effects.includes('note') || effects.includes('store') ? note : job.note;
    if (!isLiving(to) && last !== undefined) this.journal.note(record.id, last);
  }

  /**
   * Restores a job that an earlier process left in the journal. A job that was not received completely is cancelled. All others continue
   * with the parts that have no result.
   */
  #recover({ record: written, sealed, ended, starts, startsWithoutResult, parts }: JournaledJob<Forms>): void {
    const job = new LiveJob<Forms>(this.#withinItsTime(written));
    this.#open(job);
    job.starts = starts;
    job.startsWithoutResult = startsWithoutResult;
    for (const [part, { bytes, charge }] of parts.entries()) {
      job.partBytes.push(bytes);
      if (charge) job.finish(part, charge);
      else this.load.add(job.queueKey, { chunks: 1, bytes });
      if (charge) this.#charge(job, charge.bytes);
    }
    job.state = sealed ? 'running' : 'receiving';
    if (ended !== undefined) this.#resume(job, ended);
    else if (!sealed) this.happen(job, 'cancel');
    else if (job.done.size === parts.length) this.#resume(job, 'complete');
    else this.#stand(job);
  }

  /**
   * Limits the deadline of a record, so that the job has no more time left than when it was accepted. The limit matters if the wall clock was
   * set back while no process ran.
   */
  #withinItsTime(record: Forms['record']): Forms['record'] {
    const [now, deadlineAt] = [this.now(), this.kind.deadlineOf(record)];
    return this.kind.due(record, Math.min(deadlineAt, now + Math.max(0, deadlineAt - record.createdAt)));
  }

  /** Restores a job that ended in an earlier process. Listeners are not called, because that process already reported the end. */
  #resume(job: LiveJob<Forms>, state: 'complete' | 'cancelled' | 'tooLarge' | 'failed'): void {
    job.state = state;
    this.#close(job);
  }
}

/** Returns the kind of end that listeners receive for a job in this state. */
function endOf(state: JobState): JobEnd {
  if (state === 'failed') return 'lost';
  return state === 'tooLarge' || state === 'cancelled' ? state : 'complete';
}
