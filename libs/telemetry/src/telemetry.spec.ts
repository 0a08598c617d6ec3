import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { expect, it } from 'vitest';
import { serviceTelemetry } from './telemetry.ts';

const nothing = (): void => undefined;
const log = { info: nothing, warn: nothing, error: nothing, fatal: nothing };

/** Returns the lines of a scrape that match `names`, sorted. */
const linesOf = (text: string, names: RegExp): string[] =>
  text
    .split('\n')
    .filter((line) => names.test(line))
    .sort();

it("a scrape shows metrics that the process counts itself in the same form as OpenTelemetry's own instruments", async () => {
  const ours = await serviceTelemetry(log);
  const { counters, histograms } = ours.metrics;
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meter = new MeterProvider({ readers: [exporter] }).getMeter('assay');
  const objects = meter.createCounter('objects', { description: counters.objects.description });
  const rejected = meter.createCounter('flow_control_rejected_evaluations', { description: counters.rejected.description });
  const { description, unit, bounds } = histograms.waitSeconds;
  const waits = meter.createHistogram('flow_control_wait_duration_seconds', {
    description,
    unit,
    advice: { explicitBucketBoundaries: [...bounds] },
  });
  for (const outcome of ['accepted', 'rejected', 'notEvaluated', 'cancelled']) objects.add(0, { outcome });
  for (const outcome of ['accepted', 'rejected', 'accepted']) {
    counters.objects.add(2, { outcome });
    objects.add(2, { outcome });
  }
  for (const reason of ['bytes', 'flow-bytes', 'bytes']) {
    counters.rejected.add(1, { level: 'low', reason });
    rejected.add(1, { level: 'low', reason });
  }
  // The histogram has buckets. These values are on the bound of a bucket, between two bounds, below all bounds and above all bounds.
  for (const [seconds, level] of [
    [0.001, 'low'],
    [0.0011, 'low'],
    [0, 'high'],
    [31, 'low'],
    [30, 'low'],
  ] as const) {
    histograms.waitSeconds.record(seconds, { level });
    waits.record(seconds, { level });
  }
  const { resourceMetrics } = await exporter.collect();
  const theirs = new PrometheusSerializer('assay', false, undefined, true, true).serialize(resourceMetrics);
  const names = /assay_(?:objects|flow_control_rejected_evaluations|flow_control_wait_duration)/;
  expect(linesOf(await ours.scrape(), names)).toEqual(linesOf(theirs, names));
  expect(linesOf(theirs, names).length).toBeGreaterThan(40);
});
