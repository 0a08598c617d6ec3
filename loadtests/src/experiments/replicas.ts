import { CHUNK_LIMITS } from '#evaluation';
import { countedText, countText, NOT_MEASURED, timesText, timeText } from '#charts';
import type { Chart } from '#charts';
import { runCell } from '../engines/run-cell.ts';
import { sentIn } from '../load/load-rounds.ts';
import { answeredGate, loadTable, sentBy } from '../load/load-table.ts';
import { slowTraces } from '../load/slow-traces.ts';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { startTogether } from '../load/start-together.ts';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { ExperimentResult, Gate, Table } from '../result/summary.ts';
import { pointsOf, rateOf, timeCells } from '../study/study-report.ts';
import type { Experiment, Findings } from './experiment.ts';
import { saturationChart, saturationOf } from './replicas/saturation.ts';
import type { Saturation } from './replicas/saturation.ts';
import { begin, COMPARED_ITEMS, fleetName } from './replicas/system.ts';
import type { EngineFigures, MeasuredSystem, System, SystemFigures } from './replicas/system.ts';

const THREADS = [1, 2] as const;
const MOST_NODES = { quick: 2, full: 3 } as const;
const ROUNDS = { quick: 1, full: 5 } as const;
const CELL_MS = { quick: 150, full: 3000 } as const;

/** The figures of each system, as far as the lab got. */
export interface ReplicasData {
  /** The engine alone, one thread; undefined where it gave no figures. */
  readonly engine: EngineFigures | undefined;
  readonly figures: readonly SystemFigures[];
  /** Names of systems that were to be measured and were not. */
  readonly notReached: readonly string[];
  readonly saturations: readonly Saturation[];
  readonly traces: ExperimentResult['traces'];
  /** Why there is nothing over Redis. */
  readonly why: string | undefined;
}

/** Where does more of it stop helping, in one process and over Redis? */
export const replicas: Experiment<ReplicasData> = {
  name: 'replicas',
  question: 'How does throughput grow with the threads of one process, and with nodes over Redis, and where does it saturate?',
  async measure(lab) {
    const [engine] = runCell<EngineFigures>({ from: import.meta.url, path: '../engines/judge-cell' }, [
      String(COMPARED_ITEMS),
      String(lab.of(CELL_MS)),
    ]);
    const running: Service[] = [];
    const systems: MeasuredSystem[] = [];
    const saturations: Saturation[] = [];
    const nodeCounts = Array.from({ length: lab.of(MOST_NODES) }, (_, i) => i + 1);
    let why: string | undefined;
    try {
      running.push(...(await startTogether(THREADS.map((threads) => () => startService({ ASSAY_THREADS: String(threads) })))));
      const embedded = THREADS.flatMap((threads, i): System[] => {
        const url = running[i]?.url;
        return url === undefined ? [] : [{ name: countedText(threads, 'thread'), kind: 'embedded', slots: threads, url }];
      });
      for await (const system of lab.each(embedded)) systems.push(await begin(lab, system));
      for await (const nodes of lab.each(nodeCounts)) {
        const fleet = await startFleet({}, { nodes, threads: 1 });
        if (fleet === undefined) {
          why = 'there is no redis-server';
          break;
        }
        running.push(fleet);
        systems.push(await begin(lab, { name: fleetName(nodes), kind: 'over Redis', slots: nodes, url: fleet.url }));
      }
      for await (const round of lab.each(Array.from({ length: lab.of(ROUNDS) - 1 }, (_, i) => i))) {
        lab.say(`round ${round + 2}`);
        for (const { rounds } of shuffled(systems, lab.random)) await rounds.run(1);
      }
      const largest = (kind: System['kind']): MeasuredSystem | undefined => systems.findLast(({ system }) => system.kind === kind);
      for (const one of [largest('embedded'), lab.of({ quick: undefined, full: largest('over Redis') })])
        if (one !== undefined) saturations.push(await saturationOf(lab, one));
      const traces = await slowTraces(
        saturations.flatMap(({ system, loads }) =>
          loads.slice(-1).map((load) => ({ name: `${system.name}, ${countText(load.rate)}/s`, load })),
        ),
      );
      const planned = [...embedded.map(({ name }) => name), ...(why === undefined ? nodeCounts.map(fleetName) : [])];
      const notReached = planned.filter((name) => !systems.some(({ system }) => system.name === name));
      const figures = systems.map(({ system, rounds, verdicts }) => ({ system, cases: rounds.cases, verdicts }));
      return { engine, figures, notReached, saturations, traces, why };
    } finally {
      await Promise.all(running.map((service) => service.stop()));
    }
  },
  findings,
};

/** Returns the objects a second of a system at so many a request. */
const rateAt = ({ cases }: SystemFigures, batch: number): number | undefined =>
  cases.filter(({ size }) => size === batch).map((one) => rateOf(one))[0];

function findings({ engine, figures, notReached, saturations, traces, why }: ReplicasData): Findings {
  const largestBatch = Math.max(
    0,
    ...figures.flatMap(({ cases }) => cases.flatMap((one) => (rateOf(one) === undefined ? [] : [one.size]))),
  );
  const rates = measured(figures, (one) => rateAt(one, largestBatch));
  const best = rates.toSorted((a, b) => b.value - a.value)[0];
  return {
    finding: sentence([
      ...(['embedded', 'over Redis'] as const).map((kind) => growthOf(kind, figures, largestBatch)),
      best &&
        `${rates.length > 1 ? 'at best ' : ''}${countText(best.value)} objects/s (${best.item.system.name}); one thread of the engine alone: ${countText(engine?.perSecond)} objects/s`,
      missing(notReached),
    ]),
    charts: [...(best === undefined ? [] : [throughputChart(figures, engine, largestBatch)]), ...saturationChart(saturations)],
    tables: [
      throughputTable(figures, engine),
      ...(saturations.some(({ loads }) => loads.length > 0)
        ? [
            loadTable(
              'Rising rates, one small object a request',
              saturations.flatMap(({ system, loads }) => loads.map((load) => ({ name: `${system.name}, open`, load }))),
            ),
          ]
        : []),
    ],
    gates: gates(figures, saturations, engine),
    cells: [
      ...timeCells(figures.flatMap(({ cases }) => cases)),
      ...medianCell({ id: 'engine alone', unit: 'per second', samples: [engine?.perSecond], larger: true }),
    ],
    notes: [
      'The load generator and all nodes share the machine’s cores: beyond their number nothing can grow here, whatever the service could do on more machines. Connections are dealt to the nodes in turn.',
      ...(why === undefined ? [] : [`Nothing was measured over Redis: ${why}.`]),
    ],
    traces: [...traces],
  };
}

/** How much more the largest system of a kind judges than the smallest; undefined where these are not two. */
function growthOf(kind: System['kind'], figures: readonly SystemFigures[], batch: number): string | undefined {
  const own = measured(
    figures.filter(({ system }) => system.kind === kind),
    (one) => rateAt(one, batch),
  );
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const unit = kind === 'embedded' ? 'thread' : 'node';
  const { slots } = first.item.system;
  return `${kind}, ${countedText(last.item.system.slots, unit)} judge ${timesText(quotient(last.value, first.value))} what ${countedText(slots, unit)} ${slots === 1 ? 'does' : 'do'}`;
}

function throughputChart(figures: readonly SystemFigures[], engine: EngineFigures | undefined, largestBatch: number): Chart {
  const most = (batch: number): number | undefined => extent(figures.map((one) => rateAt(one, batch)))?.most;
  const gain = largestBatch === 1 ? undefined : quotient(most(largestBatch), most(1));
  return {
    kind: 'dots',
    id: 'throughput',
    title:
      gain !== undefined
        ? `Sending ${countText(largestBatch)} objects at once judges ${timesText(gain)} as many as sending them singly`
        : 'Objects judged a second',
    subtitle:
      'Objects a second at saturation, closed load by autocannon; median of the rounds. Rows of threads are one process, rows of nodes have one thread each.',
    x: { label: 'objects a second', unit: 'count' },
    rows: figures.map(({ system, cases }) => ({
      name: system.name,
      values: [...new Set([1, largestBatch])].flatMap((batch) =>
        pointsOf({ cases: cases.filter(({ size }) => size === batch), what: 'rate' }).map(({ y: value, lo, hi }) => ({
          series: batch === 1 ? 'one object a request' : `${countText(batch)} a request`,
          role: batch === 1 ? ('experiment' as const) : ('assay' as const),
          value,
          ...(lo !== undefined && hi !== undefined && { lo, hi }),
        })),
      ),
    })),
    ...(engine && { verticals: [{ x: engine.perSecond, label: 'engine, 1 thread' }] }),
    reading:
      'The line is what judging alone allows one thread; left of it stands what carrying the objects costs, and where rows differ little, another part than judging is the narrowest.',
    notShown: 'machines of their own for nodes; and requests of several clients that wait for each other (see fairness).',
  };
}

/** Cost of carrying, from saturation: time of all threads for a chunk, less what judging takes. */
function throughputTable(figures: readonly SystemFigures[], engine: EngineFigures | undefined): Table {
  const batches = [...new Set(figures.flatMap(({ cases }) => cases.map(({ size }) => size)))].toSorted((a, b) => a - b);
  return {
    title: 'Objects judged a second, and what chunks cost beside judging',
    columns: [
      'system',
      ...batches.map((batch) => `${countText(batch)} a request`),
      'overhead of one object',
      `overhead of ${CHUNK_LIMITS.items}, the most of a chunk`,
    ],
    rows: [
      ...figures.map((one) => [
        one.system.name,
        ...batches.map((batch) => countText(rateAt(one, batch))),
        overheadText(one, engine, 1),
        overheadText(
          one,
          engine,
          batches.findLast((batch) => batch % CHUNK_LIMITS.items === 0),
        ),
      ]),
      ['engine alone, one thread', ...batches.map(() => countText(engine?.perSecond)), '', ''],
    ],
    notes: [
      'Overhead: time for so many objects at saturation, less the time in which the engine’s threads judge them. It holds the request, the queue, the way between processes, and the load generator’s share of the cores.',
    ],
  };
}

function overheadText(one: SystemFigures, engine: EngineFigures | undefined, batch: number | undefined): string {
  if (batch === undefined) return NOT_MEASURED;
  const ms = 1000 * Math.min(batch, CHUNK_LIMITS.items);
  const [whole, judging] = [quotient(ms, rateAt(one, batch)), quotient(ms, engine && engine.perSecond * one.system.slots)];
  if (whole === undefined || judging === undefined) return NOT_MEASURED;
  return whole > judging ? timeText(whole - judging) : 'too small to see';
}

/** Nothing lost, and the same verdicts at the same cost everywhere. */
function gates(figures: readonly SystemFigures[], saturations: readonly Saturation[], engine: EngineFigures | undefined): Gate[] {
  const [first] = figures;
  return figures.flatMap(({ system, cases, verdicts }) => [
    answeredGate(`${system.name}: requests answered with all objects accepted, or refused with 429 under open load`, [
      ...cases.map(sentIn),
      ...saturations.flatMap((one) => (one.system.name === system.name ? one.loads.map(sentBy) : [])),
    ]),
    // A comparison with an engine that gave no figures decides nothing; an answer without summary fails it.
    equalGate(
      `${system.name}: ${COMPARED_ITEMS} objects accepted as by the engine alone`,
      'verdicts',
      engine?.accepted ?? NOT_MEASURED,
      engine && (verdicts.accepted ?? 'no summary in the answer'),
    ),
    equalGate(
      `${system.name}: their cost`,
      'cost units',
      engine?.cost ?? NOT_MEASURED,
      engine && (verdicts.cost ?? 'no summary in the answer'),
    ),
    ...(first === undefined || first.system === system
      ? []
      : [equalGate(`${system.name}: verdicts as ${first.system.name}`, 'verdicts', first.verdicts.digest, verdicts.digest)]),
  ]);
}
