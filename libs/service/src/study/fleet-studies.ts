import { setTimeout } from 'node:timers/promises';
import type { StudyReport } from '#benchmark';
import { steadyNow } from '#evaluation';
import { internalErrorStatus } from '#kube';
import type { Status } from '#kube';
import { isUnavailable } from '#queue';
import type { StoredStudy, StudyFleet, TurnEnd } from '#queue';
import { FleetEngine } from '#runner';
import type { FleetSeats, Work } from '#runner';
import { answered, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { expiredStudies } from './expired-studies.ts';
import { LiveStudy } from './live-study.ts';
import { backgroundEngine } from './background-engine.ts';
import { performStudy } from './perform-study.ts';
import { MOST_STARTS, recordOf } from './studies.ts';
import type { StudiesPorts, StudyClient } from './studies.ts';
import { STUDY_PHASES } from './study-life.ts';
import type { StudyEnd, StudyFormsOfService, StudyPhase, StudyState } from './study-life.ts';
import { orderBytes, ownOrder } from './study-order.ts';
import type { StudyOrder } from './study-order.ts';
import { noRoomFor } from './study-room.ts';
import type { RoomRequest } from './study-room.ts';
import { StudyService } from './study-service.ts';
import { threadShares } from './thread-shares.ts';
import type { ThreadShares } from './thread-shares.ts';
import { chargedClient, ThreadTime } from './thread-time.ts';

/**
 * Maximum age in ms of the cached list of studies. If the list is not older, an order (a request to perform a study) may be refused without
 * reading the store.
 */
const LISTED_MS = 250;
/** Minimum interval in ms between two publications of the state and partial report of a running study. */
const NEWS_MS = 250;
/** Maximum time in ms to wait for the end of a stopped study. After this time, the study counts as ended. */
const STOP_MS = 5000;

/** State and partial report of a running study, as published to other processes. */
interface StudyNews {
  readonly state: StudyState;
  readonly report: StudyReport;
}

type Stored = StoredStudy<StudyFormsOfService>;

/** Dependencies of {@link FleetStudies}, the studies (benchmarks) that several processes share. */
export interface FleetStudiesPorts extends Omit<StudiesPorts, 'store'> {
  readonly fleet: StudyFleet<StudyFormsOfService>;
  /** Free seats (threads) of other processes for cells (parts of studies); undefined if there are none. */
  readonly seats: FleetSeats | undefined;
  /** False if this process only accepts orders and performs no studies. */
  readonly performs: boolean;
}

/**
 * Studies (benchmarks) of rules that several processes share. Every process accepts orders and reports states. One process performs each
 * study. Any process may perform the study's searches for the most expensive create or update under a rule. If the process that performs a
 * study dies, another process begins the study again.
 */
export class FleetStudies extends StudyService {
  readonly #ports: FleetStudiesPorts;
  readonly #now: () => number;
  readonly #shares: ThreadShares;
  readonly #time: ThreadTime;
  /** Studies that this process currently performs, by id. */
  readonly #running = new Map<string, LiveStudy>();
  /**
   * Promise that resolves when all previous orders (requests to perform a study) were admitted or refused. Each order waits for it, because
   * the limits also count the orders before it.
   */
  #admitting: Promise<unknown> = Promise.resolve();
  #listed: { readonly at: number; readonly studies: Stored[] } | undefined;
  #stop: (() => Promise<void>) | undefined;
  #isClosing = false;

  constructor(ports: FleetStudiesPorts) {
    super();
    this.#ports = ports;
    this.#now = ports.now ?? steadyNow;
    this.#shares = threadShares(ports.engine.threads);
    this.#time = new ThreadTime(ports.fleet.store, this.#now);
  }

  override open(): Promise<void> {
    const { fleet, performs } = this.#ports;
    if (performs)
      this.#stop = fleet.serve({
        studies: this.#shares.studies,
        performStudy: (id, signal) => this.#perform(id, signal),
      });
    return Promise.resolve();
  }

  /**
   * Offers unfinished studies to the fleet (the service's processes) once more, because a process may have ended between accepting an order
   * and offering it. Studies that are already offered are not offered twice.
   */
  async #offerAgain(studies: readonly Stored[]): Promise<void> {
    const unfinished = studies.filter(({ end }) => end === undefined);
    await Promise.all(unfinished.map(({ id, record }) => this.#ports.fleet.offer(id, record.flow.name)));
  }

  override submit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>> {
    const admitted = this.#admitting.then(() => this.#admit(order, client));
    this.#admitting = admitted.catch(() => undefined);
    return admitted;
  }

  async #admit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>> {
    const { fleet } = this.#ports;
    const record = recordOf(order, client, { bytes: orderBytes(order), now: this.#now() });
    const request = { record, dayMs: client.dayMs, threads: this.#shares.threads };
    // Of a thousand orders at once, most are refused without a look at Redis.
    const listed = this.#listed;
    const full =
      listed && performance.now() - listed.at < LISTED_MS ? this.#refusal({ ...request, spentMs: 0 }, listed.studies) : undefined;
    if (full) return full;
    const stored = [...(await this.#withoutExpired())];
    this.#listed = { at: performance.now(), studies: stored };
    const noRoom = this.#refusal({ ...request, spentMs: await this.#time.spent(chargedClient(record)) }, stored);
    if (noRoom) return noRoom;
    await fleet.store.put(record.id, record, ownOrder(order));
    await fleet.offer(record.id, record.flow.name);
    await this.#offerAgain(stored);
    stored.push({ id: record.id, record, begun: 0, end: undefined });
    return answered(new LiveStudy(record).state);
  }

  /** Returns a refusal if the stored studies exceed a limit or use up the client's thread time; undefined if the order can be accepted. */
  #refusal(request: RoomRequest, stored: readonly Stored[]): Outcome<StudyState> | undefined {
    const { limits, telemetry } = this.#ports;
    const unfinished = stored.filter(({ end }) => end === undefined);
    const open = unfinished.map((study) => ({ record: study.record, phase: phaseOf(study), figures: undefined }));
    const noRoom = noRoomFor(request, open, limits, this.#now());
    if (noRoom === undefined) return undefined;
    telemetry.metrics.counters.rejectedRequests.add(1, { level: request.record.flow.level, reason: noRoom.reason });
    return refused(noRoom.status);
  }

  override async list(most: number, mayRead: (owner: string | undefined) => boolean): Promise<readonly StudyState[]> {
    const readable = (await this.#ports.fleet.store.list()).filter(({ record }) => mayRead(record.owner));
    const newest = readable.toSorted((a, b) => b.record.createdAt - a.record.createdAt).slice(0, most);
    return Promise.all(newest.map((study) => this.#stateOf(study)));
  }

  override async find(id: string, mayRead: (owner: string | undefined) => boolean): Promise<StudyState | undefined> {
    const stored = await this.#ports.fleet.store.find(id);
    return stored && mayRead(stored.record.owner) ? this.#stateOf(stored) : undefined;
  }

  override async report(id: string): Promise<StudyReport | undefined> {
    const { fleet, machine } = this.#ports;
    const stored = await fleet.store.find(id);
    if (stored === undefined) return undefined;
    const kept = stored.end === undefined ? this.#running.get(id)?.partialReport(machine) : await fleet.store.report(id);
    return kept ?? (await this.#newsOf(id))?.report ?? new LiveStudy(stored.record).partialReport(machine);
  }

  override changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#ports.fleet.changed(id, signal);
  }

  override async remove(id: string): Promise<void> {
    const { fleet } = this.#ports;
    const stored = await fleet.store.find(id);
    if (stored === undefined) return;
    if (stored.end !== undefined) return fleet.store.forget(id);
    await fleet.cancel(id);
    if (stored.begun > 0 && (await this.#hasEnded(id))) return;
    // It waits, or the process that performed it is gone.
    const report = await this.report(id);
    if (report) await this.#end(new LiveStudy(stored.record), { phase: 'cancelled' }, report);
  }

  /** Waits up to {@link STOP_MS} for a study to end. Returns false if the study has not ended by then. */
  async #hasEnded(id: string): Promise<boolean> {
    const { fleet } = this.#ports;
    const stop = AbortSignal.timeout(STOP_MS);
    while (!stop.aborted) {
      await fleet.changed(id, stop);
      if ((await fleet.store.find(id))?.end !== undefined) return true;
    }
    return false;
  }

  /**
   * Numbers of studies by phase. Running studies are counted only if this process performs them, because every process counts its own
   * running studies.
   */
  override get counts(): Readonly<Record<StudyPhase, number>> {
    const none = Object.fromEntries(STUDY_PHASES.map((phase) => [phase, 0])) as Record<StudyPhase, number>;
    return { ...none, running: this.#running.size };
  }

  override async close(): Promise<void> {
    this.#isClosing = true;
    await this.#stop?.();
  }

  /**
   * Performs one turn of a study (one attempt, from the beginning): reads the stored study, runs its cells (parts), publishes news, and
   * stores the end. The cells run in this process and in other processes.
   */
  async #perform(id: string, signal: AbortSignal): Promise<TurnEnd> {
    const { fleet, telemetry, machine } = this.#ports;
    const stored = await fleet.store.find(id);
    if (stored === undefined || stored.end !== undefined) return 'over';
    const study = new LiveStudy(stored.record, stored.begun + 1);
    if (stored.begun >= MOST_STARTS) return this.#fail(study, `the service ended ${MOST_STARTS} times while it ran`);
    signal.addEventListener('abort', () => study.stop.abort(), { once: true });
    if (signal.aborted) study.stop.abort();
    this.#running.set(id, study);
    const newsEnd = new AbortController();
    const reporting = this.#reportNews(study, newsEnd.signal);
    try {
      const order = await fleet.store.begin(id);
      if (order === undefined) return 'over';
      if (stored.begun > 0) {
        telemetry.metrics.counters.takenOverWork.add(1, { kind: 'study' });
        telemetry.log.info({ study: id, begun: stored.begun }, 'a study that another process left unfinished begins again here');
      }
      study.run();
      const { flow } = stored.record;
      const own = backgroundEngine(this.#ports.engine, { threads: this.#shares.threads, flow });
      const { seats } = this.#ports;
      await seats?.refresh();
      const engine = seats ? new FleetEngine(own, seats, flow, isCostSearch) : own;
      const report = await performStudy(study, order, { engine, telemetry, machine });
      await this.#time.charge(chargedClient(study.record), study.threadMs);
      if (this.#isClosing) return 'again';
      await this.#end(study, { phase: signal.aborted ? 'cancelled' : 'complete' }, report);
      return 'over';
    } catch (error) {
      if (this.#isClosing || isUnavailable(error)) return 'again';
      telemetry.log.error({ err: error, study: id }, 'a study failed');
      return await this.#fail(study, 'the study failed');
    } finally {
      newsEnd.abort();
      await reporting;
      this.#running.delete(id);
    }
  }

  /** Publishes news (the state and the partial report) of a study while it runs, with at least {@link NEWS_MS} between two publications. */
  async #reportNews(study: LiveStudy, over: AbortSignal): Promise<void> {
    const { fleet, machine } = this.#ports;
    while (!over.aborted) {
      await study.changed(over);
      if (over.aborted) return;
      const news: StudyNews = { state: study.state, report: study.partialReport(machine) };
      // A study that is over elsewhere was stopped, and the message was lost.
      const isWanted = await fleet.store.publish(study.record.id, news).catch(() => true);
      if (!isWanted) study.stop.abort();
      await setTimeout(NEWS_MS, undefined, { signal: over, ref: false }).catch(() => undefined);
    }
  }

  async #fail(study: LiveStudy, message: string): Promise<TurnEnd> {
    await this.#end(study, { phase: 'failed', status: internalErrorStatus(message) }, study.partialReport(this.#ports.machine));
    return 'over';
  }

  async #end(study: LiveStudy, how: Pick<StudyEnd, 'phase'> & { readonly status?: Status }, report: StudyReport): Promise<void> {
    const reportBytes = Buffer.byteLength(JSON.stringify(report));
    const end = { ...how, endedAt: this.#now(), reportBytes, progress: study.figures, threadMs: study.threadMs };
    await this.#ports.fleet.store.finish(study.record.id, end, report);
    this.#ports.onEnd?.({ record: study.record, end });
  }

  async #stateOf(stored: Stored): Promise<StudyState> {
    const own = this.#running.get(stored.id);
    if (own) return own.state;
    const study = new LiveStudy(stored.record, stored.begun);
    if (stored.end !== undefined) study.close(stored.end);
    else if (stored.begun > 0) study.run();
    const news = stored.end === undefined ? await this.#newsOf(stored.id) : undefined;
    return news === undefined ? study.state : { ...news.state, restarts: study.state.restarts };
  }

  /**
   * Returns the latest news (state and partial report) that the performing process published. The type of the stored value is known,
   * because only processes of this service write it.
   */
  async #newsOf(id: string): Promise<StudyNews | undefined> {
    return (await this.#ports.fleet.store.news(id)) as StudyNews | undefined;
  }

  /** Deletes expired studies and returns all studies that remain stored. */
  async #withoutExpired(): Promise<readonly Stored[]> {
    const { store } = this.#ports.fleet;
    const stored = await store.list();
    const expired = new Set(expiredStudies(stored, this.#ports.limits, this.#now()));
    for (const { id } of expired) await store.forget(id);
    return stored.filter((study) => !expired.has(study));
  }
}

const phaseOf = ({ begun }: Stored): StudyPhase => (begun > 0 ? 'running' : 'waiting');

/**
 * Returns true if other processes may perform the work: a search for a rule's most expensive write. Time measurements and comparisons stay
 * in one process, because times of two machines are not comparable.
 */
const isCostSearch = (work: Work): boolean => work.kind === 'study' && work.cell.kind === 'costs';
