import { countText } from '#charts';
import { latencyText } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { equalGate } from '../result/gates.ts';
import type { Gate, Table } from '../result/summary.ts';
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
const failuresOf = ({ non2xx, unexpected, errors }: OpenLoad): number => non2xx + unexpected + errors;

/** Requests that were sent, and those not answered as expected. */
export interface SentRequests {
  readonly sent: number;
  readonly failed: number;
}

/** Returns the requests of a load as counts. */
export const sentBy = (load: OpenLoad | ClosedLoad): SentRequests =>
  'due' in load ? { sent: load.due - load.dropped, failed: failuresOf(load) } : { sent: load.requests, failed: load.failures };

/** Returns the gate that all requests of some loads were answered as expected. */
export function answeredGate(name: string, loads: readonly SentRequests[]): Gate {
  const [sent, failed] = [loads.reduce((sum, one) => sum + one.sent, 0), loads.reduce((sum, one) => sum + one.failed, 0)];
  return equalGate(name, 'verdicts', sent, sent === 0 ? undefined : sent - failed);
}

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
