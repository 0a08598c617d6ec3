import { countText, latencyText } from '#numbers';
import type { Lab } from '../lab.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { equalGate } from '../result/gates.ts';
import type { Gate, Table } from '../result/summary.ts';
import { numberOf, rateOf } from '../study/study-report.ts';
import type { CaseFigures, Facts } from '../study/study.ts';
import type { EvaluateBody } from '../workloads/request-bodies.ts';
import { openLoad } from './open-load.ts';

/** Percentiles that a load records as facts, in descending order. Each has the name of its fact and its name for display. */
export const PERCENTILES = [
  ['p99', '99th percentile'],
  ['p90', '90th percentile'],
  ['p50', 'median'],
] as const;

/** Converts latencies into facts of a case: percentiles and the longest latency, in ms. */
export const latencyFacts = ({ p50, p90, p99, p999, max }: LatencySummary): Facts => ({ p50, p90, p99, p999, max });

/** Open loads that send one body to a system at several rates. */
export interface OpenLoads {
  readonly line: string;
  /** Base address of the service. */
  readonly url: string;
  readonly body: EvaluateBody;
  /** Number of requests per second at which the system is saturated. If undefined (not measured), no load is sent. */
  readonly saturation: number | undefined;
  /** Rates as shares of the rate at saturation, in ascending order. */
  readonly shares: readonly number[];
  readonly seconds: number;
}

/**
 * Sends open loads at rising rates until the system no longer accepts all requests. Returns a case for each rate, whose size is the rate in
 * requests per second.
 */
export async function openLoads(lab: Lab, { line, url, body, saturation = 0, shares, seconds }: OpenLoads): Promise<CaseFigures[]> {
  const cases: CaseFigures[] = [];
  for await (const share of lab.each(saturation > 0 ? shares : [])) {
    const rate = share * saturation;
    lab.say(`${line}: ${countText(rate)} requests/s`);
    const load = await openLoad({ url: `${url}/evaluate`, body: body.text, rate, seconds, expected: body.accepted, signal: lab.signal });
    const { due, dropped, answered, throttled, non2xx, unexpected, errors, latencies } = load;
    cases.push({
      line,
      size: rate,
      times: {},
      facts: {
        share,
        sent: due - dropped,
        failed: non2xx + unexpected + errors,
        answered,
        throttled,
        ...('refused' in latencies ? latencies : latencyFacts(latencies)),
      },
    });
    if (dropped + throttled > 0) break;
  }
  return cases;
}

/** Returns a {@link Gate} that holds if all requests of the given loads were answered as expected. */
export function answeredGate(name: string, cases: readonly CaseFigures[]): Gate {
  const sum = (fact: string): number => cases.reduce((all, one) => all + (numberOf(one, fact) ?? 0), 0);
  const sent = sum('sent');
  return equalGate(name, 'verdicts', sent, sent === 0 ? undefined : sent - sum('failed'));
}

/**
 * Returns a table with the percentiles of each load, or with the reason why percentiles are missing. The column `requests/s` shows the
 * throughput of a closed load and the rate of an open load.
 */
export function loadTable(title: string, cases: readonly CaseFigures[]): Table {
  const counted = (one: CaseFigures, fact: string): string => (numberOf(one, fact) === undefined ? '' : String(numberOf(one, fact)));
  return {
    title,
    columns: [
      'load: what is sent, and how',
      'requests a second',
      'sent requests',
      'requests refused with 429',
      'failed requests',
      'p50 of the latency, ms',
      'p90 of the latency, ms',
      'p99 of the latency, ms',
      'p99.9 of the latency, ms',
      'longest latency, ms',
      'remark',
    ],
    rows: cases.map((one) => [
      one.line,
      countText(one.rates?.['rate'] ? rateOf(one) : one.size),
      ...['sent', 'throttled', 'failed'].map((fact) => counted(one, fact)),
      ...['p50', 'p90', 'p99', 'p999', 'max'].map((fact) => latencyText(numberOf(one, fact))),
      String(one.facts['refused'] ?? ''),
    ]),
    notes: [
      'p50, p90, p99 and p99.9 are the latencies within which 50 %, 90 %, 99 % and 99.9 % of the requests were answered. Rows with the name of a server are a *closed load*: each connection sends its next request when the last one was answered. The program autocannon sends this load, and the row shows the latencies of its last round. A closed load shows too low latencies if the service pauses, because no requests are sent during the pause. In an *open load*, requests are sent at a fixed rate. Their latency begins when they were due, as users experience it. Requests that the service refused with 429, because too many requests of the client were waiting, are not in the percentiles. A percentile is shown only if at least ten requests took longer.',
    ],
  };
}
