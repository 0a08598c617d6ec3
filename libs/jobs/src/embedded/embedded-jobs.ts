import { isRefusal } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import { isLiving } from '../life/job-life.ts';
import type { BegunJob, EndedJob, JobDepth, JobForms, JobStore, PartResult, Progress, StoreAnswer } from '../ports.ts';
import { LiveJob } from './live-jobs.ts';
import type { LiveJobs } from './live-jobs.ts';
import { retentionOf } from '../limits.ts';
import { isUnavailable } from '../unavailable.ts';

/** Store of the jobs of one kind in a process without Redis, which has a journal file. */
export class EmbeddedJobs<Forms extends JobForms> implements JobStore<Forms> {
  readonly #jobs: LiveJobs<Forms>;

  constructor(jobs: LiveJobs<Forms>) {
    this.#jobs = jobs;
  }

  /**
   * Adds a job with its parts. It is written to the journal in one transaction. If the disk is full, the journal thus contains no part of
   * the job and needs no space to delete it.
   */
  submit(record: Forms['record'], parts: readonly Forms['part'][]): Promise<'accepted' | 'exists' | Refusal> {
    return this.add(record, parts, 'whole');
  }

  /** Adds a job with its first parts. If `extent` is `whole`, no other parts follow. */
  add(record: Forms['record'], parts: readonly Forms['part'][], extent: 'whole' | 'partial'): Promise<'accepted' | 'exists' | Refusal> {
    const known = this.#jobs.get(record.id) !== undefined;
    try {
      return Promise.resolve(this.#jobs.journal.atomically(() => this.#add(record, parts, extent)));
    } catch (error) {
      if (!known) this.#jobs.forgetUnwritten(record.id);
      throw error;
    }
  }

  /** Adds the next parts of a job. If `extent` is `whole`, no other parts follow. */
  append(id: string, firstItem: number, parts: readonly Forms['part'][], extent: 'whole' | 'partial'): Promise<'added' | 'over' | Refusal> {
    return Promise.resolve(this.#append(id, firstItem, parts, extent));
  }

  begin(id: string): Promise<BegunJob<Forms> | undefined> {
    const job = this.#jobs.get(id);
    if (!job || this.#jobs.happen(job, 'begin').answer !== 'begun') return Promise.resolve(undefined);
    const { record, fence, starts, startsWithoutResult, partBytes, celSpent, sealedAt } = job;
    const waitedMs = this.#jobs.now() - sealedAt;
    const done = new Set(job.done);
    return Promise.resolve({ record, fence, starts, startsWithoutResult, parts: partBytes.length, done, celSpent, waitedMs });
  }

  part(begun: BegunJob<Forms>, part: number): Promise<Forms['body'] | undefined> {
    const { record, fence } = begun;
    const job = this.#jobs.get(record.id);
    if (!job || this.#jobs.happen(job, 'hold', { superseded: job.fence !== fence }).answer !== 'held') return Promise.resolve(undefined);
    const body = this.#jobs.journal.part(record.id, part);
    if (!body) this.#jobs.happen(job, 'lose');
    return Promise.resolve(body);
  }

  store({ record: { id, flow }, fence }: BegunJob<Forms>, { part, result, note }: PartResult<Forms>): Promise<StoreAnswer> {
    const job = this.#jobs.get(id);
    if (!job) return Promise.resolve('gone');
    const { kind, load, limits } = this.#jobs;
    const facts = {
      judged: job.done.has(part),
      superseded: job.fence !== fence,
      overfull: kind.isLimited && load.overfull(job.queueKey, flow, limits, kind.chargeOf(result).bytes),
      last: job.done.size + 1 === job.partBytes.length,
    };
    // If the journal fails, `happen` throws and changes nothing, and the caller stores the result again later.
    return Promise.resolve(this.#jobs.happen(job, 'store', facts, { judged: { part, result }, note }).answer as StoreAnswer);
  }

  note({ record: { id }, fence }: BegunJob<Forms>, note: Forms['note']): Promise<boolean> {
    const job = this.#jobs.get(id);
    return Promise.resolve(
      job !== undefined && this.#jobs.happen(job, 'note', { superseded: job.fence !== fence }, { note }).answer === 'noted',
    );
  }

  held(jobs: readonly BegunJob<Forms>[]): Promise<readonly boolean[]> {
    return Promise.resolve(
      jobs.map(({ record: { id }, fence }) => {
        const job = this.#jobs.get(id);
        return job !== undefined && this.#jobs.happen(job, 'hold', { superseded: job.fence !== fence }).answer === 'held';
      }),
    );
  }

  depth(): Promise<JobDepth> {
    let [jobs, waiting, waitingBytes] = [0, 0, 0];
    for (const job of this.#jobs.all) {
      if (!isLiving(job.state)) continue;
      jobs += 1;
      waiting += job.partBytes.length - job.done.size;
      waitingBytes += job.waitingBytes;
    }
    return Promise.resolve({ jobs, waiting, waitingBytes, resultBytes: this.#jobs.load.total.results });
  }

  cancel(id: string): Promise<boolean> {
    const job = this.#jobs.get(id);
    return Promise.resolve(job !== undefined && this.#jobs.happen(job, 'cancel').answer === 'cancelled');
  }

  forget(id: string): Promise<void> {
    this.#jobs.forget(id);
    return Promise.resolve();
  }

  list(most: number): Promise<readonly string[]> {
    const newest = [...this.#jobs.all].slice(-most).toReversed();
    return Promise.resolve(newest.map(({ record }) => record.id));
  }

  record(id: string): Promise<Forms['record'] | undefined> {
    return Promise.resolve(this.#jobs.get(id)?.record);
  }

  progress(id: string): Promise<Progress | undefined> {
    return Promise.resolve(this.#jobs.get(id)?.progress());
  }

  noted(id: string): Promise<Forms['note'] | undefined> {
    const job = this.#jobs.get(id);
    return Promise.resolve(job && (job.note ?? this.#jobs.journal.noted(id)));
  }

  async result(id: string, part: number, signal?: AbortSignal): Promise<Forms['result'] | undefined> {
    for (;;) {
      const job = this.#jobs.get(id);
      if (job?.done.has(part)) return this.#jobs.journal.result(id, part);
      if (!job || signal?.aborted || !isLiving(job.state) || (job.state !== 'receiving' && part >= job.partBytes.length)) return undefined;
      await job.changed(signal);
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#jobs.get(id)?.changed(signal) ?? Promise.resolve();
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#jobs.cancelled.add(listener);
  }

  onEnded(listener: (ended: EndedJob) => void): () => void {
    return this.#jobs.onEnded(listener);
  }

  #add(record: Forms['record'], parts: readonly Forms['part'][], extent: 'whole' | 'partial'): 'accepted' | 'exists' | Refusal {
    const job = this.#jobs.get(record.id) ?? new LiveJob<Forms>(record);
    const refusal = job.state === 'unknown' ? this.#refuses(job) : undefined;
    if (refusal) return refusal;
    const { answer } = this.#jobs.happen(job, 'add');
    if (answer === 'exists') return answer;
    const added = this.#append(record.id, 0, parts, extent);
    if (!isRefusal(added)) return 'accepted';
    this.#jobs.forget(record.id);
    return added;
  }

  /**
   * Returns the reason why a new job is refused, or undefined if it is accepted. If a limit is reached, expired jobs are deleted before the
   * limits are checked again.
   */
  #refuses({ queueKey, record: { flow } }: LiveJob<Forms>): Refusal | undefined {
    const { kind, load, limits } = this.#jobs;
    if (!kind.isLimited || load.refusesEvaluation(queueKey, flow, limits, { detached: true }) === undefined) return undefined;
    forgetExpired(this.#jobs);
    return load.refusesEvaluation(queueKey, flow, limits, { detached: true });
  }

  #append(id: string, firstItem: number, parts: readonly Forms['part'][], extent: 'whole' | 'partial'): 'added' | 'over' | Refusal {
    const job = this.#jobs.get(id);
    if (!job) return 'over';
    let next = firstItem;
    for (const part of parts) {
      const answer = this.#appendPart(job, next, part);
      if (answer !== 'added') return answer;
      next += this.#jobs.kind.sizeOf(part).items;
    }
    if (extent === 'whole') this.#jobs.happen(job, 'seal', { last: job.partBytes.length === 0 });
    return 'added';
  }

  #appendPart(job: LiveJob<Forms>, firstItem: number, part: Forms['part']): 'added' | 'over' | Refusal {
    const resent = firstItem < job.nextItem;
    const { kind, load, limits } = this.#jobs;
    if (job.state === 'receiving' && !resent && kind.isLimited) {
      const refusal = load.refusesChunk(job.queueKey, job.record.flow, limits, kind.sizeOf(part).bytes);
      if (refusal) return refusal;
    }
    return this.#jobs.happen(job, 'append', { resent }, { added: { firstItem, part } }).answer as 'added' | 'over';
  }
}

/**
 * Deletes jobs whose results have expired. If the journal cannot delete a job because the disk is full, the error is ignored and the
 * deletion is retried later. Requests that are not about this job are therefore not affected.
 */
export function forgetExpired<Forms extends JobForms>(jobs: LiveJobs<Forms>): void {
  const now = jobs.now();
  for (const { record, closedAt, resultBytes } of jobs.all) {
    if (closedAt === 0 || closedAt + retentionOf(resultBytes, jobs.limits.retentionMs) >= now) continue;
    try {
      jobs.forget(record.id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}
