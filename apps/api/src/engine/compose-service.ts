import { cpus, hostname } from 'node:os';
import { EmbeddedQueue, JobRunner } from '#jobs';
import { Dispatcher, EngineHost, FleetSeats, Refusals, backgroundThreads, OfferServer } from '#runner';
import { FlowLoad, PriceBook } from '#runner/flow';
import { logRedis, RedisQueue } from '#jobs/redis';
import {
  BatchEvaluation,
  DefinitionJudge,
  EvaluationArchive,
  KeptDefinitions,
  RememberedDefinitions,
  Studies,
  JobEvaluation,
  performOffered,
  sharePrices,
  UnstoredResults,
} from '#service';
import type { ServicePorts } from '#service';
import type { Telemetry } from '#telemetry';
import { AdmissionRules } from '../admission/admission-rules.ts';
import { UseCaseAnswers } from '../answer-use-case.ts';
import { AuditedEnds } from '../audit/audit-ends.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { ApiConfig } from '../config.ts';
import { Drain } from '../drain.ts';
import { StorageProbe, succeeds } from '../health/storage-probe.ts';
import type { Service } from './service.ts';
import { setTimeout } from 'node:timers/promises';
import type { OfferKind, Offers } from '#runner';

/** Creates the parts of a process. Nothing starts before {@link Service.start}. */
export function composeService(config: ApiConfig, telemetry: Telemetry): Service {
  const { threads, threadHeapMb, queueLimits: limits, maxDefinitions, definitionRetentionMs: keptMs } = config;
  const host = new EngineHost({ threads, threadHeapMb, telemetry });
  const refusals = new Refusals(telemetry);
  const prices = new PriceBook();
  const load = new FlowLoad();
  const durable = durableQueue(config, load, telemetry);
  const store = config.redis ? new RememberedDefinitions(durable.definitions) : durable.definitions;
  const fleet = durable instanceof RedisQueue ? { offers: durable.offers(store), seats: durable.seats } : undefined;
  const elsewhere = fleet && new FleetSeats(fleet.offers, 'runs', telemetry);
  const dispatcher = new Dispatcher({ engine: host, limits, load, prices, refusals, telemetry, elsewhere });
  const ports: ServicePorts = { durable, prices, telemetry, limits: config };
  const judge = new DefinitionJudge(ports);
  const audit = new AuditLog(config.audit, telemetry.log);
  const node = fleet?.offers.node ?? `${hostname()}/${process.pid}`;
  const studies = new Studies({
    queue: durable,
    engine: host,
    seats: fleet && new FleetSeats(fleet.offers, 'cells', telemetry),
    performs: config.role !== 'api',
    limits,
    telemetry,
    node,
    machine: { node: process.version, cpu: cpus()[0]?.model ?? 'unknown' },
  });
  const auditedEnds = new AuditedEnds(audit);
  auditedEnds.ofEvaluations(durable.jobs);
  auditedEnds.ofStudies(studies);
  const work = new DetachedWork({ ...ports, host, dispatcher, takesJobs: config.role !== 'api', node, fleet });
  const kept = new KeptDefinitions({ store, refusals, maxDefinitions, keptMs });
  const rules = new AdmissionRules(config, telemetry);
  const parts = { config, telemetry, host, dispatcher, durable, judge, kept, studies, audit, rules };
  observeEngine(parts);
  const stop = async (): Promise<void> => {
    rules.stop();
    // The studies must learn first that another start will continue them. Otherwise, the answers of the stopping engine would end them.
    await Promise.all([studies.stop(), work.stop()]);
    await auditedEnds.written();
    await durable.close();
    await audit.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    ...parts,
    evaluations: new BatchEvaluation(ports, judge, refusals),
    archive: new EvaluationArchive(durable.jobs),
    drain: new Drain(),
    storage: new StorageProbe(durable, config.redis !== undefined),
    answers: new UseCaseAnswers(dispatcher, kept, config),
    start: async () => {
      await host.start();
      work.start();
      studies.start();
    },
    // Both Nest and a signal may call `stop`, so all calls share one promise.
    stop: () => (stopped ??= stop()),
  };
}

/** Returns the storage of jobs: Redis if one is configured, otherwise this process, with the journal file. */
function durableQueue(
  { redis, journalFile, queueLimits: limits, contentKeys }: ApiConfig,
  load: FlowLoad,
  { log }: Telemetry,
): EmbeddedQueue | RedisQueue {
  if (!redis) return new EmbeddedQueue(journalFile, limits, { contentKeys, load });
  const { report, repaired } = logRedis(log);
  return new RedisQueue(redis, { limits, contentKeys, report, repaired });
}

/** Registers the gauges of a process: the load of its engine, its queues and its studies. Also counts the ends of detached evaluations. */
function observeEngine({
  telemetry: { metrics },
  durable,
  host,
  dispatcher,
  studies,
  config,
}: Pick<Service, 'telemetry' | 'durable' | 'host' | 'dispatcher' | 'studies' | 'config'>): void {
  // A storage reports ends of jobs as soon as it exists, so this observer comes before all others.
  durable.jobs.onEnded(({ end }) => metrics.counters.evaluations.add(1, { end }));
  metrics.observeEngine(() => ({
    engine_threads: host.threads,
    engine_running: host.load.running,
    engine_waiting: host.load.waiting + dispatcher.load.total.chunks,
  }));
  // A worker serves no clients, so it has no queues of its own.
  if (config.role === 'worker') return;
  metrics.observeStudies(async () => ({ running: studies.running, unfinished: await studies.unfinished().catch(() => undefined) }));
  metrics.observeRequests(() => dispatcher.requests.levels);
  metrics.observeQueue(async () => {
    const [stored, takes] = await Promise.all([durable.jobs.depth().catch(() => undefined), succeeds(() => durable.probe())]);
    const { waiting, waitingBytes, levels } = dispatcher.runs;
    const shared = config.redis ? stored : undefined;
    return {
      plain: {
        queue_waiting: waiting,
        queue_waiting_bytes: waitingBytes,
        queue_result_bytes: stored?.resultBytes,
        flow_control_seats: host.threads,
        shared_queue_waiting: shared?.waiting,
        shared_queue_seats: durable instanceof EmbeddedQueue ? undefined : durable.seats.total,
        storage_up: stored !== undefined && takes ? 1 : 0,
      },
      levels,
    };
  });
}

/**
 * Time in ms within which a process that is shutting down must return its jobs to Redis. Other processes take jobs that were not returned
 * when their locks expire.
 */
const RELEASE_MS = 2000;

/** Dependencies of {@link DetachedWork}. If `takesJobs` is false, the process performs no work of other processes. */
interface DetachedWorkPorts extends Pick<ServicePorts, 'durable' | 'prices' | 'telemetry'> {
  readonly host: EngineHost;
  readonly dispatcher: Dispatcher;
  readonly takesJobs: boolean;
  /** Name of this process in traces. */
  readonly node: string;
  /** Seats and tasks that processes offer each other; undefined if there are no other processes. */
  readonly fleet: Fleet | undefined;
}

/** Seats and tasks that the processes of a fleet offer each other. */
interface Fleet {
  readonly offers: Offers;
  readonly seats: {
    /**
     * Starts to report the engine threads of this process to the other processes. `seats` is their number, and `free` returns how many of
     * them have no work of this process. The returned function stops the reports.
     */
    join(seats: number, free: () => number): Promise<() => Promise<void>>;
  };
}

/**
 * Work for clients that are not connected to this process: jobs (evaluations that continue after their request), and tasks of other
 * processes. Also shares prices with other processes.
 */
class DetachedWork {
  readonly #ports: DetachedWorkPorts;
  readonly #runner: JobRunner;
  #stopSharing: (() => void) | undefined;
  #offerServer: OfferServer | undefined;
  #leave: Promise<(() => Promise<void>) | undefined> | undefined;

  constructor(ports: DetachedWorkPorts) {
    this.#ports = ports;
    const { durable: queue, dispatcher, prices, telemetry, node } = ports;
    const parts = { queue, dispatcher, prices, telemetry, node, unstored: new UnstoredResults() };
    this.#runner = new JobRunner({
      kind: 'evaluation',
      queue,
      traceparentOf: ({ settings }) => settings.traceparent,
      telemetry,
      node,
      perform: (job, signal) => new JobEvaluation(parts, job, signal).perform(),
    });
  }

  /** Begins to perform jobs and to take offered tasks. The engine must have started. */
  start(): void {
    const { host, dispatcher, fleet, durable, prices, takesJobs } = this.#ports;
    if (durable.prices) this.#stopSharing = sharePrices(prices, durable.prices);
    if (!takesJobs) return;
    if (fleet) {
      this.#offerServer = this.#serve(fleet.offers);
      this.#leave = fleet.seats.join(host.threads, () => dispatcher.freeSeats).catch((error: unknown) => this.#failed(error));
    }
    this.#runner.start();
  }

  #serve(offers: Offers): OfferServer {
    const { host, dispatcher, telemetry } = this.#ports;
    const parts = { engine: host, dispatcher, telemetry, node: offers.node };
    return new OfferServer(offers, {
      seats: (kind: OfferKind) => (kind === 'runs' ? Math.round(dispatcher.freeSeats) : backgroundThreads(host.threads)),
      perform: (task, signal) => performOffered(parts, task, signal),
      failed: (error) => this.#failed(error),
    });
  }

  #failed(error: unknown): undefined {
    this.#ports.telemetry.log.error({ err: error }, 'the queue does not answer');
  }

  /**
   * Stops performing jobs and taking tasks, and stops the engine. Resolves when each job is over or back in the line, and each taken task is
   * answered. Waits at most `RELEASE_MS` for the storage.
   */
  async stop(): Promise<void> {
    this.#stopSharing?.();
    const ended = Promise.all([this.#runner.stop(), this.#offerServer?.end()]);
    this.#ports.host.stop();
    const left = ended.then(async () => (await this.#leave)?.()).catch((error: unknown) => this.#failed(error));
    await Promise.race([left, setTimeout(RELEASE_MS, undefined, { ref: false })]);
  }
}
