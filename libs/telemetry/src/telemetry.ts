import type { IncomingMessage, ServerResponse } from 'node:http';
import { stderrLog } from './logger.ts';
import type { Log } from './logger.ts';
import { Metrics } from './metrics.ts';
import { loadOpenTelemetry } from './open-telemetry.ts';
import { SILENT_METER } from './silent-meter.ts';

/** Metrics, log and spans of one process. The entry point makes it once and passes it on. */
export interface Telemetry {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Answers a scrape with the metrics in Prometheus' text format. */
  readonly answerScrape: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Telemetry of a service: metrics to be scraped, and a log on stderr. Each call makes metrics of their own. */
export async function serviceTelemetry(log: Log = stderrLog()): Promise<Telemetry> {
  // The SDK is loaded here and not with this module: the command line counts nothing.
  const [{ PrometheusExporter }, { MeterProvider }] = await Promise.all([
    import('@opentelemetry/exporter-prometheus'),
    import('@opentelemetry/sdk-metrics'),
    loadOpenTelemetry(),
  ]);
  const exporter = new PrometheusExporter({ preventServerStart: true, prefix: 'assay', withoutTargetInfo: true, withoutScopeInfo: true });
  const meter = new MeterProvider({ readers: [exporter] }).getMeter('assay');
  return {
    log,
    metrics: new Metrics(meter),
    answerScrape: (request, response) => exporter.getMetricsRequestHandler(request, response),
  };
}

/** Telemetry of a process that is not scraped: a log on stderr, and metrics that count nothing. */
export function logOnly(log: Log = stderrLog()): Telemetry {
  return { log, metrics: new Metrics(SILENT_METER), answerScrape: (_, response) => void response.writeHead(404).end() };
}
