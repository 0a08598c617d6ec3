import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

const prometheus = new PrometheusExporter({ preventServerStart: true, prefix: 'assay', withoutTargetInfo: true, withoutScopeInfo: true });
const meter = new MeterProvider({ readers: [prometheus] }).getMeter('assay');

/** Answers a scrape with the metrics in Prometheus' text format. */
export const answerScrape: PrometheusExporter['getMetricsRequestHandler'] = (request, response) =>
  prometheus.getMetricsRequestHandler(request, response);

/** Every metric of the service; names carry the prefix `assay_` when scraped. No label holds user text: no flow, no key, no definition. */
export const counters = {
  objects: meter.createCounter('objects', { description: 'Objects by outcome' }),
  evaluations: meter.createCounter('evaluations', {
    description: 'Evaluations by what became of them: accepted, complete, cancelled, lost',
  }),
  celCost: meter.createCounter('cel_cost_units', { description: 'CEL cost units of all judged objects' }),
  engineRestarts: meter.createCounter('engine_restarts', { description: 'Engine hosts replaced after a crash' }),
  dispatchedChunks: meter.createCounter('flow_control_dispatched_chunks', { description: 'Chunks given to a seat, by priority level' }),
  rejected: meter.createCounter('flow_control_rejected_evaluations', {
    description: 'Evaluations refused with a 429, by priority level and reason: which bound was reached',
  }),
} as const;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const inSeconds = (name: string, description: string) =>
  meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries: SECONDS } });
export const histograms = {
  requestSeconds: inSeconds('http_request_duration_seconds', 'Requests from their headers to the end of the answer'),
  chunkSeconds: inSeconds('chunk_duration_seconds', 'A chunk on its seat'),
  celSeconds: inSeconds('cel_evaluation_duration_seconds', 'CEL phase of a chunk'),
  definitionSeconds: inSeconds(
    'definition_compile_duration_seconds',
    'Compiling and judging a definition that was not known, the wait for a thread included',
  ),
  evaluationSeconds: inSeconds(
    'evaluation_duration_seconds',
    'An evaluation that a client waits for, from being accepted to its last verdict',
  ),
  waitSeconds: inSeconds('flow_control_wait_duration_seconds', 'A chunk from being queued to its seat, by priority level'),
} as const;

const GAUGES = {
  queue_waiting: 'Chunks that wait',
  queue_waiting_bytes: 'Bytes of chunks that wait',
  flow_control_seats: 'Chunks that all consumers together run at a time',
  engine_running: 'Pieces of work on threads of this process',
  engine_waiting: 'Pieces of work that wait for a thread of this process',
} as const;

/** What gauges show at a scrape. */
export interface GaugeValues {
  readonly plain: Readonly<Record<keyof typeof GAUGES, number>>;
  /** Chunks by priority level. */
  readonly levels: Readonly<Record<string, { readonly waiting: number; readonly claimed: number }>>;
}

/** Registers gauges that are read when someone scrapes. */
export function observeGauges(read: () => Promise<GaugeValues>): void {
  const names = Object.keys(GAUGES) as (keyof typeof GAUGES)[];
  const plain = names.map((name) => [name, meter.createObservableGauge(name, { description: GAUGES[name] })] as const);
  const queued = meter.createObservableGauge('flow_control_queued_chunks', { description: 'Chunks that wait, by priority level' });
  const inUse = meter.createObservableGauge('flow_control_seats_in_use', { description: 'Chunks that run, by priority level' });
  meter.addBatchObservableCallback(
    async (result) => {
      const values = await read();
      for (const [name, gauge] of plain) result.observe(gauge, values.plain[name]);
      for (const [level, { waiting, claimed }] of Object.entries(values.levels)) {
        result.observe(queued, waiting, { level });
        result.observe(inUse, claimed, { level });
      }
    },
    [...plain.map(([, gauge]) => gauge), queued, inUse],
  );
}
