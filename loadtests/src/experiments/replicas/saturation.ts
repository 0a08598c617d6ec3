import { countText, plotted } from '#charts';
import type { Chart } from '#charts';
import type { Lab, Choice } from '../../lab.ts';
import { toldLatencies } from '../../load/load-table.ts';
import { openLoad } from '../../load/open-load.ts';
import type { OpenLoad } from '../../load/open-load.ts';
import type { LatencySummary } from '../../measure/latencies.ts';
import { extent } from '../../measure/quotient.ts';
import { smallBody } from '../../workloads/request-bodies.ts';
import { rateOf } from '../../study/study-report.ts';
import type { MeasuredSystem, System } from './system.ts';

const OPEN_SECONDS = { quick: 0.6, full: 10 } as const;
/** Rising rates, as shares of the closed load's. */
const RATES: Choice<readonly number[]> = { quick: [0.3, 0.9], full: [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05] };
/** Latency so many times that at the lowest rate is beyond saturation. */
const SATURATED = 5;

/** What a system did at rising rates. */
export interface Saturation {
  readonly system: System;
  readonly loads: readonly OpenLoad[];
}

/** Open load at rising rates, one small object a request, until the system no longer takes all. */
export async function saturationOf(lab: Lab, { system, rounds }: MeasuredSystem): Promise<Saturation> {
  const saturation = rounds.cases.flatMap((one) => (one.size === 1 ? (rateOf(one) ?? []) : []))[0] ?? 0;
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
export function saturationChart(saturations: readonly Saturation[]): Chart[] {
  const told = saturations.flatMap(({ system, loads }): Told[] => {
    const points = loads.flatMap((load) => {
      const latencies = toldLatencies(load);
      return latencies ? [{ rate: load.rate, latencies }] : [];
    });
    return points.length < 2 ? [] : [{ system, points, refused: loads.length - points.length }];
  });
  const name = PERCENTILES.find(([key]) => told.every(({ points }) => points.every(({ latencies }) => latencies[key] !== null)));
  return told.length === 0 || name === undefined ? [] : [toldChart(told, name)];
}

interface Told {
  readonly system: System;
  readonly points: readonly { readonly rate: number; readonly latencies: LatencySummary }[];
  /** Loads that told no latencies. */
  readonly refused: number;
}

function toldChart(told: readonly Told[], [key, name]: (typeof PERCENTILES)[number]): Chart {
  return {
    kind: 'scaling',
    id: 'saturation',
    title: told.map((one) => saturationText(one, key)).join('; '),
    subtitle: `Latency (${name}) of one small object by rate, open load, from when a request was due.`,
    x: { label: 'requests a second', unit: 'count' },
    y: { label: `latency, ${name}`, unit: 'ms' },
    series: told.map(({ system, points }) => ({
      name: system.name,
      role: system.kind === 'embedded' ? 'assay' : 'shipped',
      points: plotted(
        points.map(({ rate, latencies }) => ({
          x: rate,
          y: latencies[key] ?? undefined,
          ...(key === 'p99' && latencies.p99Interval && { lo: latencies.p99Interval[0], hi: latencies.p99Interval[1] }),
        })),
      ),
    })),
    reading: `A line that turns up is a queue that grows: saturation begins at the first rate at which latency is over ${SATURATED} times that of the lowest. No rate beyond it can be kept up for long.`,
    notShown: `${told.some(({ refused }) => refused > 0) ? 'rates at which the client was late or the service did not keep up (see the table); ' : ''}batches, which saturate by bytes and objects.`,
  };
}

function saturationText({ system, points }: Told, key: (typeof PERCENTILES)[number][0]): string {
  const lowest = extent(points.map(({ latencies }) => latencies[key] ?? undefined));
  const beyond = points.findIndex(({ latencies }) => lowest !== undefined && (latencies[key] ?? 0) > SATURATED * lowest.least);
  const [before, last] = [points[beyond - 1]?.rate, points.at(-1)?.rate];
  return before === undefined
    ? `${system.name}: no saturation up to ${countText(last === undefined ? undefined : Math.round(last))} requests/s`
    : `${system.name}: saturates beyond ${countText(Math.round(before))} requests/s`;
}
