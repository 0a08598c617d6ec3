import type { Meter, ObservableGauge } from '@opentelemetry/api';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';
import { SILENT_METER } from './telemetry.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/reference/metrics.md'), 'utf8');
/** Metric that is no instrument of the meter: its labels describe the build. */
const BUILD = 'assay_build_info';

/** Returns the kind of each metric in the tables of the page, by its name. */
function documented(): ReadonlyMap<string, string> {
  const rows = PAGE.split('\n').flatMap((line) => (line.startsWith('| `assay_') ? [line.split('|').map((cell) => cell.trim())] : []));
  return new Map(
    rows.flatMap(([, names = '', kind = '']) =>
      [...names.matchAll(/`(assay_\w+)`/g)].map(([, name = '']) => [name, kind.replace(/\W.*/, '')]),
    ),
  );
}

it('the page of metrics in the documents lists each metric that a process may export, with its kind', () => {
  const gauges: string[] = [];
  const meter: Meter = {
    ...SILENT_METER,
    createObservableGauge: (name, options): ObservableGauge => {
      gauges.push(name);
      return SILENT_METER.createObservableGauge(name, options);
    },
  };
  const metrics = new Metrics(meter);
  metrics.observeQueue(() => Promise.reject(new Error('no scrape')));
  metrics.observeRequests(() => ({}));
  metrics.observeStudies(() => Promise.resolve({}));
  metrics.observeEngine(() => ({ engine_threads: 0, engine_running: 0, engine_waiting: 0 }));
  const exported = new Map([
    ...Object.values(metrics.counters).map(({ name }) => [`assay_${name}_total`, 'counter'] as const),
    ...Object.values(metrics.histograms).map(({ name }) => [`assay_${name}`, 'histogram'] as const),
    ...gauges.map((name) => [`assay_${name}`, 'gauge'] as const),
  ]);
  const page = [...documented()].filter(([name]) => name !== BUILD);
  expect(Object.fromEntries(page)).toEqual(Object.fromEntries(exported));
});
