import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { NodeSDK } from '@opentelemetry/sdk-node';

/** What the process reads of its environment; the names are OpenTelemetry's own. */
export interface TelemetrySettings {
  readonly serviceName: string;
  /** OTLP endpoint; undefined switches tracing off, and then no span is ever made. */
  readonly otlpEndpoint: string | undefined;
}

const prometheus = new PrometheusExporter({ preventServerStart: true, prefix: 'assay' });
let sdk: NodeSDK | undefined;

/**
 * Starts metrics, and tracing where an endpoint is set. Must run before the first meter is asked for, so each app does it in a module that
 * Node loads first (`--import`). Sampling, headers and protocol follow the OTEL_* variables.
 */
export function startTelemetry({ serviceName, otlpEndpoint }: TelemetrySettings): void {
  sdk = new NodeSDK({
    serviceName,
    autoDetectResources: false,
    metricReaders: [prometheus],
    logRecordProcessors: [],
    ...(otlpEndpoint === undefined && { spanProcessors: [] }),
  });
  sdk.start();
}

/** Sends what is buffered and stops. */
export async function stopTelemetry(): Promise<void> {
  await sdk?.shutdown();
}

/** Answers a scrape with the metrics in Prometheus' text format. */
export const answerScrape: PrometheusExporter['getMetricsRequestHandler'] = (request, response) =>
  prometheus.getMetricsRequestHandler(request, response);
