import { stderrLog } from './logger.ts';
import type { Log } from './logger.ts';
import { Metrics } from './metrics.ts';
import { loadOpenTelemetry } from './open-telemetry.ts';
import { processMetrics } from './process-metrics.ts';
import { SILENT_METER } from './silent-meter.ts';
import { talliedMetrics } from './tallied-metrics.ts';

/** Media type of the metrics that a service returns to a Prometheus scrape. */
export const SCRAPE_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics, log and spans of one process. The entry point creates one instance and passes it to all other code. */
export interface Telemetry {
  readonly log: Log;
  readonly metrics: Metrics;
  /** All metrics of this process, in Prometheus' text format ({@link SCRAPE_MEDIA_TYPE}). */
  readonly scrape: () => Promise<string>;
}

/** Creates the telemetry of a service: metrics that can be scraped, and a log on stderr. Each call creates independent metrics. */
export async function serviceTelemetry(log: Log = stderrLog()): Promise<Telemetry> {
  // The SDK is loaded here, not with this module, because the command line has no metrics.
  const [{ PrometheusExporter, PrometheusSerializer }, sdk, { ValueType }, ofProcess] = await Promise.all([
    import('@opentelemetry/exporter-prometheus'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/api'),
    processMetrics(),
    loadOpenTelemetry(),
  ]);
  const { MeterProvider, AggregationTemporality, DataPointType } = sdk;
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer('assay', false, undefined, true, true);
  const metrics = new Metrics(new MeterProvider({ readers: [exporter] }).getMeter('assay'));
  return {
    log,
    metrics,
    scrape: async () => {
      const { resourceMetrics, errors } = await exporter.collect();
      if (errors.length > 0) log.warn({ err: errors[0] }, 'some metrics could not be read');
      const tallied = talliedMetrics(metrics, { AggregationTemporality, DataPointType, ValueType });
      const scopeMetrics = [tallied, ...resourceMetrics.scopeMetrics];
      return serializer.serialize({ ...resourceMetrics, scopeMetrics }) + (await ofProcess.text());
    },
  };
}

/** Returns telemetry of a process that is not scraped: a log on stderr, and metrics that count nothing. */
export function logOnly(log: Log = stderrLog()): Telemetry {
  return { log, metrics: new Metrics(SILENT_METER), scrape: () => Promise.resolve('') };
}
