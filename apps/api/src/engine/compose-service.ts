import { cpus, hostname } from 'node:os';
import { EmbeddedQueue } from '#jobs';
import { Dispatcher, EngineHost, FleetSeats, Refusals } from '#runner';
import { FlowLoad, PriceBook } from '#runner/flow';
import { logRedis, RedisQueue } from '#jobs/redis';
import { BatchEvaluation, DefinitionJudge, EvaluationArchive, KeptDefinitions, RememberedDefinitions, Studies } from '#service';
import type { ServicePorts } from '#service';
import type { Telemetry } from '#telemetry';
import { AdmissionRules } from '../admission/admission-rules.ts';
import { UseCaseAnswers } from '../answer-use-case.ts';
import { AuditedEnds } from '../audit/audit-ends.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { ApiConfig } from '../config.ts';
import { Drain } from '../drain.ts';
import { StorageProbe } from '../health/storage-probe.ts';
import { DetachedWork } from './detached-work.ts';
import { observeEngine } from './observe-engine.ts';
import type { Service } from './service.ts';

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
    // Studies must know first that they will be continued. Otherwise, the answers of the stopping engine would end them.
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
    // Both Nest and a signal may stop the service.
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
