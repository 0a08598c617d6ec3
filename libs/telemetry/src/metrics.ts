import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

const prometheus = new PrometheusExporter({ preventServerStart: true, prefix: 'assay', withoutTargetInfo: true, withoutScopeInfo: true });
const meter = new MeterProvider({ readers: [prometheus] }).getMeter('assay');

/** Answers a scrape with the metrics in Prometheus' text format. */
export const answerScrape: PrometheusExporter['getMetricsRequestHandler'] = (request, response) =>
  prometheus.getMetricsRequestHandler(request, response);

/** Every metric of the service; names carry the prefix `assay_` when scraped. No label holds user text. */
export const counters = {
  objects: meter.createCounter('objects', { description: 'Objects by outcome' }),
  evaluations: meter.createCounter('evaluations', { description: 'Evaluations by how they ended' }),
  celCost: meter.createCounter('cel_cost_units', { description: 'CEL cost units of all judged objects' }),
  engineRestarts: meter.createCounter('engine_restarts', { description: 'Engine hosts replaced after a crash' }),
} as const;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
export const histograms = {
  requestSeconds: meter.createHistogram('http_request_duration_seconds', { unit: 's', advice: { explicitBucketBoundaries: SECONDS } }),
  chunkSeconds: meter.createHistogram('chunk_duration_seconds', { unit: 's', advice: { explicitBucketBoundaries: SECONDS } }),
  celSeconds: meter.createHistogram('cel_evaluation_duration_seconds', {
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
    description: 'CEL phase of a chunk',
  }),
} as const;

/** Registers gauges that are read when someone scrapes. */
export function observeGauges(
  read: () => Promise<Readonly<Record<'queue_waiting' | 'queue_waiting_bytes' | 'engine_running' | 'engine_waiting', number>>>,
): void {
  const names = ['queue_waiting', 'queue_waiting_bytes', 'engine_running', 'engine_waiting'] as const;
  const gauges = names.map((name) => [name, meter.createObservableGauge(name)] as const);
  meter.addBatchObservableCallback(
    async (result) => {
      const values = await read();
      for (const [name, gauge] of gauges) result.observe(gauge, values[name]);
    },
    gauges.map(([, gauge]) => gauge),
  );
}
