import { minorRange } from '#kube';
import { packageVersion } from './package-version.ts';

/** Metrics of this process and of its runtime, in Prometheus' text format. */
export interface ProcessMetrics {
  /** Returns the current values of the metrics as text. */
  readonly text: () => Promise<string>;
}

/**
 * Returns the metrics that Prometheus users expect of every process: `process_*`, `nodejs_*` (heap, garbage collection, event loop delay)
 * and `assay_build_info`. The metrics library is loaded at the first call, so commands that never call this function do not load it.
 */
export async function processMetrics(): Promise<ProcessMetrics> {
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
