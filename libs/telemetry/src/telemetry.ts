import { stderrLog } from './logger.ts';
import type { Log } from './logger.ts';
import { Metrics } from './metrics.ts';
import { loadOpenTelemetry } from './tracing.ts';
import type { Meter, HrTime, ValueType } from '@opentelemetry/api';
import { minorRange } from '#kube';
import { packageVersion } from './package-version.ts';
import type { AggregationTemporality, DataPointType, MetricData, ScopeMetrics } from '@opentelemetry/sdk-metrics';
import type { Counter, Histogram } from './tallies.ts';

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
  // Loads the SDK here, and not with this module, because the command line has no metrics.
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

const nothing = (): void => undefined;
const counter = { add: nothing };
const recorder = { record: nothing };
const observable = { addCallback: nothing, removeCallback: nothing };

/** A meter whose instruments count nothing, for processes that are not scraped. */
export const SILENT_METER: Meter = {
  createCounter: () => counter,
  createUpDownCounter: () => counter,
  createGauge: () => recorder,
  createHistogram: () => recorder,
  createObservableCounter: () => observable,
  createObservableGauge: () => observable,
  createObservableUpDownCounter: () => observable,
  addBatchObservableCallback: nothing,
  removeBatchObservableCallback: nothing,
};

/** Metrics of this process and of its runtime, in Prometheus' text format. */
interface ProcessMetrics {
  /** Returns the current values of the metrics as text. */
  readonly text: () => Promise<string>;
}

/**
 * Returns the metrics that Prometheus users expect of every process: `process_*`, `nodejs_*` (heap, garbage collection, event loop delay)
 * and `assay_build_info`. The metrics library is loaded at the first call, so commands that never call this function do not load it.
 */
async function processMetrics(): Promise<ProcessMetrics> {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  const build = new Gauge({
    name: 'assay_build_info',
    help: 'Always 1; labels say what runs',
    labelNames: ['version', 'node_version', 'kubernetes'],
    registers: [register],
  });
  build.set({ version: packageVersion(), node_version: process.version, kubernetes: minorRange('to') }, 1);
  return { text: () => register.metrics() };
}

/** Constants of OpenTelemetry's metrics API. They are passed as values because only services load its modules. */
interface MetricWords {
  readonly AggregationTemporality: typeof AggregationTemporality;
  readonly DataPointType: typeof DataPointType;
  readonly ValueType: typeof ValueType;
}

/** Counters and histograms that a scrape reports. */
interface Tallied {
  readonly counters: Readonly<Record<string, Pick<Counter, 'name' | 'description' | 'series'>>>;
  readonly histograms: Readonly<Record<string, Pick<Histogram, 'name' | 'description' | 'unit' | 'bounds' | 'series'>>>;
}

/** Time of a data point, always zero because Prometheus' text format contains no times. */
const NO_TIME: HrTime = [0, 0];
const TIMES = { startTime: NO_TIME, endTime: NO_TIME };

/**
 * Converts non-empty counters and histograms for OpenTelemetry's serializer. Assay counts without OpenTelemetry's instruments, because
 * these build a text of sorted labels for each count. A small request causes ten counts.
 */
function talliedMetrics({ counters, histograms }: Tallied, words: MetricWords): ScopeMetrics {
  const aggregationTemporality = words.AggregationTemporality.CUMULATIVE;
  const valueType = words.ValueType.DOUBLE;
  const metrics: MetricData[] = [];
  for (const { name, description, series } of Object.values(counters)) {
    const dataPoints = Array.from(series, ({ labels, value: { sum } }) => ({ ...TIMES, attributes: labels, value: sum }));
    const descriptor = { name, description, unit: '', valueType };
    if (dataPoints.length > 0)
      metrics.push({ aggregationTemporality, descriptor, dataPointType: words.DataPointType.SUM, isMonotonic: true, dataPoints });
  }
  for (const { name, description, unit, bounds, series } of Object.values(histograms)) {
    const dataPoints = Array.from(series, ({ labels, value: { counts, count, sum } }) => ({
      ...TIMES,
      attributes: labels,
      value: { buckets: { boundaries: [...bounds], counts: [...counts] }, count, sum },
    }));
    const descriptor = { name, description, unit, valueType };
    if (dataPoints.length > 0)
      metrics.push({ aggregationTemporality, descriptor, dataPointType: words.DataPointType.HISTOGRAM, dataPoints });
  }
  return { scope: { name: 'assay' }, metrics };
}
