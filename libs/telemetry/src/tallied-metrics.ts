import type { HrTime, ValueType } from '@opentelemetry/api';
import type { AggregationTemporality, DataPointType, MetricData, ScopeMetrics } from '@opentelemetry/sdk-metrics';
import type { Counter, Histogram } from './tallies.ts';

/** Words of OpenTelemetry's metrics, whose modules only services load. */
export interface MetricWords {
  readonly AggregationTemporality: typeof AggregationTemporality;
  readonly DataPointType: typeof DataPointType;
  readonly ValueType: typeof ValueType;
}

/** Counters and histograms to be scraped. */
export interface Tallied {
  readonly counters: Readonly<Record<string, Pick<Counter, 'name' | 'description' | 'series'>>>;
  readonly histograms: Readonly<Record<string, Pick<Histogram, 'name' | 'description' | 'unit' | 'bounds' | 'series'>>>;
}

/** Prometheus' text tells no times. */
const NO_TIME: HrTime = [0, 0];
const TIMES = { startTime: NO_TIME, endTime: NO_TIME };

/**
 * Returns counters and histograms for OpenTelemetry's serializer, without empty ones. Assay counts by itself, because OpenTelemetry
 * makes a text of sorted labels for each count, and a small request counts ten times.
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
