import { randomUUID } from 'node:crypto';
import type { StudyReport } from '#benchmark';
import { internalErrorStatus } from '#kube';
import type { Status } from '#kube';
import { steadyNow } from '#evaluation';
import { isUnavailable } from '#queue';
import type { QueueLimits } from '#queue';
import type { Flow } from '#runner/flow';
import { traceparentOf } from '#telemetry';
import type { Span, Telemetry } from '#telemetry';
import { answered, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Engine } from '../ports.ts';
import { backgroundEngine } from './background-engine.ts';
import { expiredStudies } from './expired-studies.ts';
import { LiveStudy } from './live-study.ts';
import { performStudy } from './perform-study.ts';
import { STUDY_PHASES } from './study-life.ts';
import type { StoredStudies, StudyEnd, StudyPhase, StudyRecord, StudyState } from './study-life.ts';
import { orderBytes, ownOrder } from './study-order.ts';
import type { StudyOrder } from './study-order.ts';
import { noPlaceFor, noRoomFor } from './study-room.ts';
import type { NoRoom } from './study-room.ts';
import { StudyService } from './study-service.ts';
import { threadShares } from './thread-shares.ts';
import type { ThreadShares } from './thread-shares.ts';
import { chargedClient, ThreadTime } from './thread-time.ts';

/**
 * Maximum number of times that work on a study (benchmark) of rules may begin. The limit exists because a study might break its process
 * each time.
 */
export const MOST_STARTS = 5;

/** Objects and functions that {@link Studies} gets from its environment, such as store, engine, limits and clock. */
export interface StudiesPorts {
  readonly store: StoredStudies;
  readonly engine: Engine;
  readonly limits: QueueLimits;
  readonly telemetry: Telemetry;
  /** Names of the runtime and the processor, which reports contain. */
  readonly machine: Pick<StudyReport, 'node' | 'cpu'>;
  /** Called for each study that ends in this process. */
  readonly onEnd?: (ended: EndedStudy) => void;
  /** Returns the current time in epoch ms from a clock that does not jump; {@link steadyNow} by default. */
  readonly now?: () => number;
}

/** Study that has ended, as passed to `onEnd`. */
export interface EndedStudy {
  readonly record: StudyRecord;
  readonly end: StudyEnd;
}

/** Client that submits an order for a study (benchmark) of rules. */
export interface StudyClient {
  readonly owner: string | undefined;
  readonly flow: Flow;
  readonly span: Span | undefined;
  /** Thread time in ms that the client's studies may use each day. */
  readonly dayMs: number;
}

/**
 * Service that runs studies (benchmarks) of rules in the background, independently of the requests that started them. At most one study of
 * each flow (the queue of one client) runs at a time, at priority level `low`. After a restart, unfinished studies begin again. Reports are
 * stored for a limited time.
 */
export class Studies extends StudyService {
  readonly #ports: StudiesPorts;
  readonly #now: () => number;
  readonly #shares: ThreadShares;
  readonly #time: ThreadTime;
  /** Studies by id, in the order of their submission. */
  readonly #studies = new Map<string, LiveStudy>();
  #isOpen = false;

  constructor(ports: StudiesPorts) {
    super();
    this.#ports = ports;
    this.#now = ports.now ?? steadyNow;
    this.#shares = threadShares(ports.engine.threads);
    this.#time = new ThreadTime(ports.store, this.#now);
  }

  /** Loads the studies that an earlier process stored, and starts to perform studies. */
  override async open(): Promise<void> {
    const stored = await this.#ports.store.list();
    this.#isOpen = true;
    for (const { id, record, begun, end } of stored.toSorted((a, b) => a.record.createdAt - b.record.createdAt)) {
      const study = new LiveStudy(record, begun);
      this.#studies.set(id, study);
      if (end !== undefined) study.close(end);
      else await this.#takeUp(study);
    }
    await this.#forgetExpired();
    this.#beginNext();
  }

  /**
   * Accepts an order and returns the new study's state. Returns a refusal with status 429 if the study exceeds a limit or the client's
   * thread time.
   */
  override async submit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>> {
    const record = recordOf(order, client, { bytes: orderBytes(order), now: this.#now() });
    const { limits, store } = this.#ports;
    await this.#forgetExpired();
    // A crowd of requests is refused before anything is read from the storage.
    const noRoom = noPlaceFor(record, this.#unfinished, limits) ?? (await this.#noTime(record, client));
    if (noRoom) {
      this.#ports.telemetry.metrics.counters.rejectedRequests.add(1, { level: record.flow.level, reason: noRoom.reason });
      return refused(noRoom.status);
    }
    const study = new LiveStudy(record);
    this.#studies.set(record.id, study);
    try {
      await store.put(record.id, record, ownOrder(order));
    } catch (error) {
      this.#studies.delete(record.id);
      throw error;
    }
    study.isStored = true;
    this.#beginNext();
    return answered(study.state);
  }

  async #noTime(record: StudyRecord, { dayMs }: StudyClient): Promise<NoRoom | undefined> {
    const spentMs = await this.#time.spent(chargedClient(record));
    // The place is judged again, because other studies may have come while the time was read.
    const request = { record, dayMs, spentMs, threads: this.#shares.threads };
    return noRoomFor(request, this.#unfinished, this.#ports.limits, this.#now());
  }

  override list(most: number, mayRead: (owner: string | undefined) => boolean): Promise<readonly StudyState[]> {
    const readable = Array.from(this.#studies.values()).filter(({ record }) => mayRead(record.owner));
    const newest = readable.toReversed().slice(0, most);
    return Promise.resolve(newest.map(({ state }) => state));
  }

  override find(id: string, mayRead: (owner: string | undefined) => boolean): Promise<StudyState | undefined> {
    const study = this.#studies.get(id);
    return Promise.resolve(study && mayRead(study.record.owner) ? study.state : undefined);
  }

  /**
   * Returns the report of a study; undefined if the study is unknown. For a study that has not ended, the report contains the findings so
   * far.
   */
  override async report(id: string): Promise<StudyReport | undefined> {
    const study = this.#studies.get(id);
    if (study === undefined) return undefined;
    const kept = study.isOver ? await this.#ports.store.report(id) : undefined;
    return kept ?? study.partialReport(this.#ports.machine);
  }

  /** Resolves at the next change of a study, or when `signal` is aborted. */
  override changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#studies.get(id)?.changed(signal) ?? Promise.resolve();
  }

  /** Stops a study, and resolves when none of its work runs any more. Deletes the study if it has already ended. */
  override async remove(id: string): Promise<void> {
    const study = this.#studies.get(id);
    if (study === undefined) return;
    if (study.isOver) return this.#forget(study);
    study.isCancelled = true;
    study.stop.abort();
    if (study.phase === 'waiting') await this.#end(study, { phase: 'cancelled' }, study.partialReport(this.#ports.machine));
    else await study.settled.promise;
  }

  /** Number of studies of this process, by phase. */
  override get counts(): Readonly<Record<StudyPhase, number>> {
    const counts = Object.fromEntries(STUDY_PHASES.map((phase) => [phase, 0])) as Record<StudyPhase, number>;
    for (const { phase } of this.#studies.values()) counts[phase]++;
    return counts;
  }

  /** Stops all studies, and resolves when none of their work runs any more. The next process performs these studies again. */
  override async close(): Promise<void> {
    this.#isOpen = false;
    const running = this.#unfinished.filter(({ phase }) => phase === 'running');
    for (const { stop } of running) stop.abort();
    await Promise.all(running.map(({ settled }) => settled.promise));
  }

  get #unfinished(): readonly LiveStudy[] {
    return Array.from(this.#studies.values()).filter(({ isOver }) => !isOver);
  }

  async #takeUp(study: LiveStudy): Promise<void> {
    study.isStored = true;
    if (study.begun < MOST_STARTS) return;
    const status = internalErrorStatus(`the service ended ${MOST_STARTS} times while it ran`);
    await this.#end(study, { phase: 'failed', status }, study.partialReport(this.#ports.machine));
  }

  /** Begins waiting studies while threads are free. Skips the studies of flows that already have a running study. */
  #beginNext(): void {
    if (!this.#isOpen) return;
    const running = this.#unfinished.filter(({ phase }) => phase === 'running');
    const flows = new Set(running.map(({ record }) => record.flow.name));
    let left = this.#shares.studies - running.length;
    for (const study of this.#unfinished) {
      if (left <= 0) return;
      if (study.phase !== 'waiting' || study.isCancelled || !study.isStored || flows.has(study.record.flow.name)) continue;
      flows.add(study.record.flow.name);
      left--;
      study.run();
      void this.#run(study);
    }
  }

  async #run(study: LiveStudy): Promise<void> {
    const { store, telemetry, machine } = this.#ports;
    try {
      const order = await store.begin(study.record.id);
      if (order === undefined) throw new Error('the order of a study is not there');
      study.begun++;
      const engine = backgroundEngine(this.#ports.engine, { threads: this.#shares.threads, flow: study.record.flow });
      const report = await performStudy(study, order, { engine, telemetry, machine });
      await this.#charge(study);
      // The next process takes up what this one stopped by itself.
      if (this.#isOpen || study.isCancelled) await this.#end(study, { phase: study.isCancelled ? 'cancelled' : 'complete' }, report);
    } catch (error) {
      telemetry.log.error({ err: error, study: study.record.id }, 'a study failed');
      await this.#end(study, { phase: 'failed', status: internalErrorStatus('the study failed') }, study.partialReport(machine));
    } finally {
      study.settled.resolve(undefined);
      this.#beginNext();
    }
  }

  async #end(study: LiveStudy, how: Pick<StudyEnd, 'phase'> & { readonly status?: Status }, report: StudyReport): Promise<void> {
    const reportBytes = Buffer.byteLength(JSON.stringify(report));
    const end = { ...how, endedAt: this.#now(), reportBytes, progress: study.figures, threadMs: study.threadMs };
    await this.#untilFull('the report of a study could not be kept', () => this.#ports.store.finish(study.record.id, end, report));
    study.close(end);
    this.#ports.onEnd?.({ record: study.record, end });
    await this.#forgetExpired();
  }

  #charge(study: LiveStudy): Promise<void> {
    return this.#untilFull('the time of a study could not be charged', () =>
      this.#time.charge(chargedClient(study.record), study.threadMs),
    );
  }

  async #forgetExpired(): Promise<void> {
    for (const study of expiredStudies(this.#studies.values(), this.#ports.limits, this.#now()))
      await this.#untilFull('a study could not be forgotten', () => this.#forget(study));
  }

  async #forget({ record }: LiveStudy): Promise<void> {
    await this.#ports.store.forget(record.id);
    this.#studies.delete(record.id);
  }

  /** Writes to the store. If the store is full or does not respond, logs the error and continues. */
  async #untilFull(problem: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#ports.telemetry.log.error({ err: error }, problem);
    }
  }
}

/** Returns the record of a new study. The study has the priority level `low`, so that evaluations run first. */
export function recordOf(
  { budgetMs, seed, base, options }: StudyOrder,
  { owner, flow, span }: StudyClient,
  { bytes, now }: { readonly bytes: number; readonly now: number },
): StudyRecord {
  return {
    // 122 random bits: an id is not guessed.
    id: randomUUID(),
    createdAt: now,
    owner,
    flow: { ...flow, level: 'low' },
    bytes,
    kubernetesVersion: options.kubernetesVersion,
    budgetMs,
    seed,
    base: base?.name,
    traceparent: span && traceparentOf(span),
  };
}
