import { chunkBytes, verdictBytes } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import { isRefusal } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import { isLiving } from '../jobs/job-life.ts';
import type {
  BegunJob,
  EndedEvaluation,
  EvaluationRecord,
  JobDepth,
  JobPart,
  JobStore,
  PartResult,
  Progress,
  StoreAnswer,
} from '../ports.ts';
import { forgetExpired } from './forget-expired.ts';
import { LiveJob } from './live-job.ts';
import type { LiveJobs } from './live-jobs.ts';

/** Store of the jobs of one process, which has a journal file. */
export class EmbeddedJobs implements JobStore {
  readonly #jobs: LiveJobs;

  constructor(jobs: LiveJobs) {
    this.#jobs = jobs;
  }

  /**
   * Adds a job with its parts. It is written to the journal in one transaction. If the disk is full, the journal thus contains no part of
   * the job and needs no space to delete it.
   */
  submit(record: EvaluationRecord, parts: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal> {
    return this.add(record, parts, true);
  }

  /** Adds a job with its first parts. If `isWhole` is true, no other parts follow. */
  add(record: EvaluationRecord, parts: readonly (readonly DocumentSlice[])[], isWhole: boolean): Promise<'accepted' | 'exists' | Refusal> {
    const known = this.#jobs.get(record.id) !== undefined;
    try {
      return Promise.resolve(this.#jobs.journal.atomically(() => this.#add(record, parts, isWhole)));
    } catch (error) {
      if (!known) this.#jobs.forgetUnwritten(record.id);
      throw error;
    }
  }

  /** Adds the next parts of a job. If `isWhole` is true, no other parts follow. */
  append(
    id: string,
    firstItem: number,
    parts: readonly (readonly DocumentSlice[])[],
    isWhole: boolean,
  ): Promise<'added' | 'over' | Refusal> {
    return Promise.resolve(this.#append(id, firstItem, parts, isWhole));
  }

  begin(id: string): Promise<BegunJob | undefined> {
    const job = this.#jobs.get(id);
    if (!job || this.#jobs.happen(job, 'begin').answer !== 'begun') return Promise.resolve(undefined);
    const { record, fence, startsWithoutResult, isTakenOver, partBytes, celSpent, sealedAt } = job;
    const waitedMs = this.#jobs.now() - sealedAt;
    const done = new Set(job.done);
    return Promise.resolve({ record, fence, startsWithoutResult, isTakenOver, parts: partBytes.length, done, celSpent, waitedMs });
  }

  part(begun: BegunJob, part: number): Promise<JobPart | undefined> {
    const { record, fence } = begun;
    const job = this.#jobs.get(record.id);
    if (!job || this.#jobs.happen(job, 'hold', { superseded: job.fence !== fence }).answer !== 'held') return Promise.resolve(undefined);
    const body = this.#jobs.journal.part(record.id, part);
    if (!body) this.#jobs.happen(job, 'lose');
    return Promise.resolve(body);
  }

  store({ record: { id, flow }, fence }: BegunJob, { part, result }: PartResult): Promise<StoreAnswer> {
    const job = this.#jobs.get(id);
    if (!job) return Promise.resolve('gone');
    const { load, limits } = this.#jobs;
    const facts = {
      judged: job.done.has(part),
      superseded: job.fence !== fence,
      overfull: load.overfull(job.queueKey, flow, limits, verdictBytes(result)),
      last: job.done.size + 1 === job.partBytes.length,
    };
    // What the journal cannot take is not done: the caller stores it again later.
    return Promise.resolve(this.#jobs.happen(job, 'store', facts, { judged: { part, result } }).answer as StoreAnswer);
  }

  held(jobs: readonly BegunJob[]): Promise<readonly boolean[]> {
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
    // The youngest: they were put there last.
    return Promise.resolve([...this.#jobs.all].slice(-most).map(({ record }) => record.id));
  }

  record(id: string): Promise<EvaluationRecord | undefined> {
    return Promise.resolve(this.#jobs.get(id)?.record);
  }

  progress(id: string): Promise<Progress | undefined> {
    return Promise.resolve(this.#jobs.get(id)?.progress());
  }

  async result(id: string, part: number, signal?: AbortSignal): Promise<ChunkResult | undefined> {
    for (;;) {
      const job = this.#jobs.get(id);
      if (!job || signal?.aborted) return undefined;
      if (job.done.has(part)) return this.#jobs.journal.result(id, part);
      if (!isLiving(job.state) || (job.state !== 'receiving' && part >= job.partBytes.length)) return undefined;
      await job.changed(signal);
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#jobs.get(id)?.changed(signal) ?? Promise.resolve();
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#jobs.cancelled.add(listener);
  }

  onEnded(listener: (ended: EndedEvaluation) => void): () => void {
    return this.#jobs.onEnded(listener);
  }

  #add(record: EvaluationRecord, parts: readonly (readonly DocumentSlice[])[], isWhole: boolean): 'accepted' | 'exists' | Refusal {
    const job = this.#jobs.get(record.id) ?? new LiveJob(record);
    const refusal = job.state === 'unknown' ? this.#refuses(job) : undefined;
    if (refusal) return refusal;
    const { answer } = this.#jobs.happen(job, 'add');
    if (answer === 'exists') return answer;
    const added = this.#append(record.id, 0, parts, isWhole);
    if (!isRefusal(added)) return 'accepted';
    this.#jobs.forget(record.id);
    return added;
  }

  /**
   * Returns the reason why a new job is refused, or undefined if it is accepted. If a limit is reached, expired jobs are deleted before the
   * limits are checked again.
   */
  #refuses({ queueKey, record: { flow } }: LiveJob): Refusal | undefined {
    const { load, limits } = this.#jobs;
    if (load.refusesEvaluation(queueKey, flow, limits, true) === undefined) return undefined;
    forgetExpired(this.#jobs);
    return load.refusesEvaluation(queueKey, flow, limits, true);
  }

  #append(id: string, firstItem: number, parts: readonly (readonly DocumentSlice[])[], isWhole: boolean): 'added' | 'over' | Refusal {
    const job = this.#jobs.get(id);
    if (!job) return 'over';
    let next = firstItem;
    for (const items of parts) {
      const answer = this.#appendPart(job, { firstItem: next, items });
      if (answer !== 'added') return answer;
      next += items.length;
    }
    if (isWhole) this.#jobs.happen(job, 'seal', { last: job.partBytes.length === 0 });
    return 'added';
  }

  #appendPart(job: LiveJob, added: JobPart): 'added' | 'over' | Refusal {
    const resent = added.firstItem < job.nextItem;
    const { load, limits } = this.#jobs;
    if (job.state === 'receiving' && !resent) {
      const refusal = load.refusesChunk(job.queueKey, job.record.flow, limits, chunkBytes(added.items));
      if (refusal) return refusal;
    }
    return this.#jobs.happen(job, 'append', { resent }, { added }).answer as 'added' | 'over';
  }
}
