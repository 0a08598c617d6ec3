import { EmbeddedQueue } from '#jobs';
import { succeeds } from '../health/storage-probe.ts';
import type { Service } from './service.ts';

/** Registers the gauges of a process: the load of its engine, its queues and its studies. Also counts the ends of detached evaluations. */
export function observeEngine({
  telemetry: { metrics },
  durable,
  host,
  dispatcher,
  studies,
  config,
}: Pick<Service, 'telemetry' | 'durable' | 'host' | 'dispatcher' | 'studies' | 'config'>): void {
  // This observer comes first, because a storage reports ends as soon as it exists.
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
