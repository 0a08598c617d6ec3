import type { Lab, Thoroughness } from '../../lab.ts';
import { failuresOf, toldLatencies } from '../../load/load-table.ts';
import { openLoad } from '../../load/open-load.ts';
import type { OpenLoad } from '../../load/open-load.ts';
import { countText } from '../../measure/figures.ts';
import type { LatencySummary } from '../../measure/latencies.ts';
import { median } from '../../measure/percentile.ts';
import type { Chart } from '../../result/chart.ts';
import { smallBody } from '../../workloads/request-bodies.ts';
import type { System, SystemFigures } from './system.ts';

const OPEN_SECONDS = { quick: 0.6, full: 10 } as const;
/** Rising rates, as shares of the closed load's. */
const RATES: Readonly<Record<Thoroughness, readonly number[]>> = { quick: [0.3, 0.9], full: [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05] };
/** Latency so many times that at the lowest rate is beyond the knee. */
const KNEE = 5;

/** What a system did at rising rates. */
export interface Knee {
  readonly system: System;
  readonly loads: readonly OpenLoad[];
}

/** Open load at rising rates, one small object a request, until the system no longer takes all. */
export async function kneeOf(lab: Lab, { system, rates, requests }: SystemFigures): Promise<Knee> {
  const saturation = median(rates.get(1) ?? []);
  const body = smallBody(1);
  const loads: OpenLoad[] = [];
  for await (const share of lab.each(saturation > 0 ? lab.of(RATES) : [])) {
    lab.say(`${system.name}: open load, ${countText(share * saturation)} requests/s`);
    const load = await openLoad({
      url: `${system.url}/evaluate`,
      body: body.text,
      rate: share * saturation,
      seconds: lab.of(OPEN_SECONDS),
      expected: body.accepted,
      signal: lab.signal,
    });
    loads.push(load);
    requests.sent += load.due - load.dropped;
    requests.failed += failuresOf(load);
    if (load.dropped + load.throttled > 0) break;
  }
  return { system, loads };
}

const PERCENTILES = [
  ['p99', '99th percentile'],
  ['p90', '90th percentile'],
  ['p50', 'median'],
] as const satisfies readonly (readonly [keyof LatencySummary, string])[];

/** The highest percentile that all loads tell, against the rate; nothing where fewer than two loads of a system are told. */
export function kneeChart(knees: readonly Knee[]): Chart[] {
  const told = knees.flatMap(({ system, loads }) => {
    const points = loads.flatMap((load) => {
      const latencies = toldLatencies(load);
      return latencies ? [{ rate: load.rate, latencies }] : [];
    });
    return points.length < 2 ? [] : [{ system, points, refused: loads.length - points.length }];
  });
  const percentile = PERCENTILES.find(([key]) => told.every(({ points }) => points.every(({ latencies }) => latencies[key] !== null)));
  if (told.length === 0 || percentile === undefined) return [];
  const [key, name] = percentile;
  const at = (latencies: LatencySummary): number => latencies[key] ?? Number.NaN;
  const found = told.map(({ system, points }) => {
    const lowest = Math.min(...points.map(({ latencies }) => at(latencies)));
    const beyond = points.findIndex(({ latencies }) => at(latencies) > KNEE * lowest);
    return { system, before: points[beyond - 1]?.rate, last: points.at(-1)?.rate ?? Number.NaN };
  });
  return [
    {
      kind: 'scaling',
      id: 'knee',
      title: found
        .map(({ system, before, last }) =>
          before === undefined
            ? `${system.name}: no knee up to ${countText(Math.round(last))} requests/s`
            : `${system.name}: the knee is beyond ${countText(Math.round(before))} requests/s`,
        )
        .join('; '),
      subtitle: `Latency (${name}) of one small object by rate, open load, from when a request was due.`,
      x: { label: 'requests a second', unit: 'count' },
      y: { label: `latency, ${name}`, unit: 'ms' },
      series: told.map(({ system, points }) => ({
        name: system.name,
        role: system.kind === 'embedded' ? 'ours' : 'shipped',
        points: points.map(({ rate, latencies }) => ({
          x: rate,
          y: at(latencies),
          ...(key === 'p99' && latencies.p99Interval && { lo: latencies.p99Interval[0], hi: latencies.p99Interval[1] }),
        })),
      })),
      reading: `A line that turns up is a queue that grows: the knee is the first rate at which latency is over ${KNEE} times that of the lowest. Beyond it no rate is sustainable for long.`,
      notShown: `${told.some(({ refused }) => refused > 0) ? 'rates at which the client was late or the service did not keep up (see the table); ' : ''}batches, whose knee is by bytes and objects.`,
    },
  ];
}
