import type { HrTime, ValueType } from '@opentelemetry/api';
import type { AggregationTemporality, DataPointType, MetricData, ScopeMetrics } from '@opentelemetry/sdk-metrics';
import type { Counter, Histogram } from './tallies.ts';

/** Constants of OpenTelemetry's metrics API. They are passed as values because only services load its modules. */
export interface MetricWords {
  readonly AggregationTemporality: typeof AggregationTemporality;
  readonly DataPointType: typeof DataPointType;
  readonly ValueType: typeof ValueType;
}

/** Counters and histograms that a scrape reports. */
export interface Tallied {
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
export function talliedMetrics({ counters, histograms }: Tallied, words: MetricWords): ScopeMetrics {
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
