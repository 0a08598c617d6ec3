import { Inject, Injectable } from '@nestjs/common';
import { EngineHost } from '#runner';
import { Dispatcher, StudyService } from '#service';
import type { ServicePorts } from '#service';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { succeeds } from '../health/storage-probe.ts';
import { SERVICE_PORTS } from './tokens.ts';

/** Metrics of the engine, the queues and the studies (benchmarks): their load, and the number of ended evaluations for each kind of end. */
@Injectable()
export class EngineGauges {
  constructor(
    @Inject(SERVICE_PORTS) private readonly ports: ServicePorts,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    private readonly host: EngineHost,
    private readonly dispatcher: Dispatcher,
    private readonly studies: StudyService,
  ) {
    // From the beginning: a queue tells ends as soon as it is there.
    const { durable, telemetry } = ports;
    durable.ends.onEnded(({ end }) => telemetry.metrics.counters.evaluations.add(1, { end }));
  }

  /** Registers the gauges of the engine, the queues and the studies (benchmarks) with telemetry. */
  observe(): void {
    const { telemetry, queue, durable } = this.ports;
    const { metrics } = telemetry;
    metrics.observeEngine(() => ({
      engine_threads: this.host.threads,
      engine_running: this.host.load.running,
      engine_waiting: this.host.load.waiting + this.dispatcher.waiting,
    }));
    // Nothing of a worker's own waits there.
    if (this.config.role === 'worker') return;
    metrics.observeStudies(() => this.studies.counts);
    metrics.observeRequests(() => this.dispatcher.depth);
    metrics.observeQueue(async () => {
      const { waiting, waitingBytes, seats, levels } = await queue.work.depth();
      const [stored, takes] = await Promise.all([durable.work.depth().catch(() => undefined), succeeds(() => durable.probe())]);
      const shared = durable === queue ? undefined : stored;
      return {
        plain: {
          queue_waiting: waiting,
          queue_waiting_bytes: waitingBytes,
          queue_result_bytes: stored?.resultBytes,
          flow_control_seats: seats,
          shared_queue_waiting: shared?.waiting,
          shared_queue_seats: shared?.seats,
          storage_up: stored !== undefined && takes ? 1 : 0,
        },
        levels,
      };
    });
  }
}
