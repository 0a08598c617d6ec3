import { MINORS } from '#kube';
import { packageVersion } from './package-version.ts';

/** Metrics of this process and of what runs it, in Prometheus' text format. */
export interface ProcessMetrics {
  /** The metrics as they are now. */
  readonly text: () => Promise<string>;
}

/**
 * What Prometheus users expect of every process (`process_*`), of Node (`nodejs_*`: heap, garbage collection, the event loop's delay), and `assay_build_info`, which says
 * what runs. Loaded by services only.
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
  build.set({ version: packageVersion(), node_version: process.version, kubernetes: `${MINORS[0]} to ${MINORS.at(-1) ?? ''}` }, 1);
  return { text: () => register.metrics() };
}
