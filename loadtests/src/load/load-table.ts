import { countText } from '#charts';
import { latencyText } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import type { Table } from '../result/summary.ts';
import type { ClosedLoad } from './closed-load.ts';
import type { OpenLoad } from './open-load.ts';

/** A load as a row of a table. */
export interface NamedLoad {
  readonly name: string;
  readonly load: OpenLoad | ClosedLoad;
}

/** Latencies of an open load where they are told. */
export const toldLatencies = ({ latencies }: OpenLoad): LatencySummary | undefined => ('refused' in latencies ? undefined : latencies);

/** Requests of an open load that were sent and answered neither as expected nor with 429. */
export const failuresOf = ({ non2xx, unexpected, errors }: OpenLoad): number => non2xx + unexpected + errors;

/** Loads with their percentiles, or why these are not told. */
export function loadTable(title: string, loads: readonly NamedLoad[]): Table {
  return {
    title,
    columns: ['load', 'requests/s', 'answered', '429', 'failed', 'p50 ms', 'p90 ms', 'p99 ms', 'p99.9 ms', 'max ms', 'remark'],
    rows: loads.map(({ name, load }) => [
      name,
      ...('requestsPerSecond' in load
        ? [countText(load.requestsPerSecond), String(load.requests - load.failures), '', String(load.failures)]
        : [countText(load.rate), String(load.answered), String(load.throttled), String(failuresOf(load))]),
      ...('refused' in load.latencies
        ? ['–', '–', '–', '–', '–', load.latencies.refused]
        : [...[load.latencies.p50, load.latencies.p90, load.latencies.p99, load.latencies.p999, load.latencies.max].map(latencyText), '']),
    ]),
    notes: [
      'Closed (autocannon): each connection sends when its last request was answered, so what a stall delays is not seen. Open: sent at a fixed rate and timed from when a request was due, as users wait. Requests that the service refused with 429, since too many of this client were waiting, are in no percentile. A percentile with fewer than ten samples above it is not told.',
    ],
  };
}
