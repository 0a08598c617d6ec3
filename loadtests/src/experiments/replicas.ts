import { CHUNK_LIMITS } from '#documents';
import { countedText, countText, NOT_MEASURED, timesText, timeText } from '#numbers';
import type { Chart } from '#report/charts';
import { runMeasurement } from '../engines/run-measurement.ts';
import type { Lab, ByThoroughness } from '../lab.ts';
import { answeredGate, loadTable, openLoads, PERCENTILES } from '../load/load-figures.ts';
import type { Service } from '../load/start-service.ts';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { equalGate } from '../result/gates.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { Gate, Table } from '../result/summary.ts';
import { casesOf, growthChart, pointsOf, rateOf, timeCells } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';
import { begin, COMPARED_ITEMS, comparedLine, SYSTEMS } from './replicas/system.ts';
import type { MeasuredSystem, System } from './replicas/system.ts';

const ROUNDS = { quick: 1, full: 5 } as const;
const ENGINE_MS = { quick: 150, full: 3000 } as const;
const OPEN_SECONDS = { quick: 0.6, full: 10 } as const;
/** Rising request rates, as shares of the closed load's rate. */
const SHARES: ByThoroughness<readonly number[]> = { quick: [0.3, 0.9], full: [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05] };
/** Factor above which a latency counts as a sign of saturation, relative to the same system's latency at the lowest rate. */
const SATURATED = 5;

/** Name of the line with the figures of the engine alone, without a service, on one thread. */
export const ENGINE = 'engine alone, one thread';
/** Returns the name of the line for a system under open load. The line has a case for each rate. */
export const openLine = (system: string): string => `${system}: open load`;

/** An experiment about threads and replicas: the number above which more of them do not help, in one process and over Redis. */
export const replicas: Experiment<readonly CaseFigures[]> = {
  name: 'replicas',
  question:
    'How does throughput grow with the threads of one process, and with the nodes of a fleet (several processes that share work through Redis)? At which rate of requests does a service reach its limit?',
  async measure(lab) {
    const running: Service[] = [];
    const systems: MeasuredSystem[] = [];
    const withoutRedis: CaseFigures[] = [];
    try {
      for await (const system of lab.each(lab.of(SYSTEMS))) {
        const service = await system.start();
        if (service === undefined) {
          withoutRedis.push({ line: system.name, size: 1, times: {}, facts: { why: 'there is no redis-server' } });
          continue;
        }
        running.push(service);
        systems.push(await begin(lab, system, service));
      }
      for await (const round of lab.each(Array.from({ length: lab.of(ROUNDS) - 1 }, (_, i) => i))) {
        lab.say(`round ${round + 2}`);
        for (const { rounds } of shuffled(systems, lab.random)) await rounds.run(1);
      }
      const closed = systems.flatMap(({ rounds, compared }) => [...rounds.cases, compared]);
      const missed = lab.of(SYSTEMS).filter(({ name }) => ![...closed, ...withoutRedis].some(({ line }) => line === name));
      return [
        engineAlone(lab),
        ...closed,
        ...withoutRedis,
        ...missed.map(({ name }) => ({ line: name, size: 1, times: {}, facts: {} })),
        ...(await atRisingRates(lab, systems)),
      ];
    } finally {
      await Promise.all(running.map((service) => service.stop()));
    }
  },
  findings,
};

/**
 * Measures the objects per second of the engine alone with one thread, and the cost of the compared batch. Returns a case without figures
 * if the engine reports none.
 */
function engineAlone(lab: Lab): CaseFigures {
  const [seen] = runMeasurement<{ readonly perSecond: number; readonly cost: number; readonly accepted: number }>(
    { from: import.meta.url, path: '../engines/measure-engine' },
    [String(COMPARED_ITEMS), String(lab.of(ENGINE_MS))],
  );
  const [rate, facts] = seen === undefined ? [[], {}] : [[seen.perSecond], { cost: seen.cost, accepted: seen.accepted }];
  return { line: ENGINE, size: COMPARED_ITEMS, times: {}, rates: { rate }, facts };
}

/** Sends single objects at rising rates to the largest system of each kind. Systems over Redis are included only in full runs. */
async function atRisingRates(lab: Lab, systems: readonly MeasuredSystem[]): Promise<CaseFigures[]> {
  const cases: CaseFigures[] = [];
  for (const kind of lab.of<readonly System['kind'][]>({ quick: ['embedded'], full: ['embedded', 'over Redis'] })) {
    const largest = systems.findLast(({ system }) => system.kind === kind);
    if (largest === undefined) continue;
    const { system, url, rounds } = largest;
    const load = { line: openLine(system.name), url, body: smallBody(1), shares: lab.of(SHARES), seconds: lab.of(OPEN_SECONDS) };
    cases.push(...(await openLoads(lab, { ...load, saturation: rateAt(rounds.cases, 1) })));
  }
  return cases;
}

/** Returns the objects per second with `batch` objects per request; undefined if they were not measured. */
const rateAt = (cases: readonly CaseFigures[], batch: number | undefined): number | undefined =>
  cases.flatMap((one) => (one.size === batch ? (rateOf(one) ?? []) : []))[0];

/** System with the available measurements of its closed and open loads. */
interface Measured extends System {
  readonly closed: readonly CaseFigures[];
  readonly open: readonly CaseFigures[];
  readonly compared: CaseFigures | undefined;
}

const measuredOf = (cases: readonly CaseFigures[]): Measured[] =>
  SYSTEMS.full.flatMap((system) => {
    const closed = casesOf(cases, system.name);
    const open = casesOf(cases, openLine(system.name));
    const [compared] = casesOf(cases, comparedLine(system.name));
    return closed.length + open.length === 0 && compared === undefined ? [] : [{ ...system, closed, open, compared }];
  });

function findings(cases: readonly CaseFigures[]): Findings {
  const systems = measuredOf(cases);
  const [engine] = casesOf(cases, ENGINE);
  const engineRate = engine && rateOf(engine);
  const largestBatch = extent(
    systems.flatMap(({ closed }) => closed.map((one) => (rateOf(one) === undefined ? undefined : one.size))),
  )?.most;
  const rates = measured(systems, ({ closed }) => rateAt(closed, largestBatch));
  const best = rates.toSorted((a, b) => b.value - a.value)[0];
  const without = systems.filter(({ closed }) => closed.every((one) => rateOf(one) === undefined)).map(({ name }) => name);
  return {
    finding: sentence([
      ...(['embedded', 'over Redis'] as const).map((kind) => growthOf(kind, rates)),
      best &&
        `${rates.length > 1 ? 'at best ' : ''}${countText(best.value)} objects/s (${best.item.name}); one thread of the engine alone: ${countText(engineRate)} objects/s`,
      missing(without),
    ]),
    charts: [throughputChart(systems, engineRate, largestBatch), saturationChart(systems)],
    tables: [
      throughputTable(systems, engineRate),
      loadTable(
        'Latency at rising rates of requests with one small object',
        systems.flatMap(({ open }) => open),
      ),
    ],
    gates: gates(systems, engine),
    cells: timeCells(cases),
    notes: [
      'The load generator and all nodes use the same cores of one machine. So this run cannot show how much more a service judges on several machines. Each new connection goes to the next node in turn.',
      ...cases.flatMap(({ line, facts: { why } }) => (why === undefined ? [] : [`${line}: not measured, ${why}.`])),
    ],
  };
}

/**
 * Returns a text that compares the throughput of the largest and the smallest system of a kind. Returns undefined if fewer than two systems
 * were measured.
 */
function growthOf(kind: System['kind'], rates: readonly { readonly item: System; readonly value: number }[]): string | undefined {
  const own = rates.filter(({ item }) => item.kind === kind);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const unit = kind === 'embedded' ? 'thread' : 'node';
  const { slots } = first.item;
  return `${kind === 'embedded' ? 'in one process' : kind}, ${countedText(last.item.slots, unit)} judge ${timesText(quotient(last.value, first.value))} as many objects a second as ${countedText(slots, unit)}`;
}

function throughputChart(systems: readonly Measured[], engineRate: number | undefined, largestBatch: number | undefined): Chart {
  const most = (batch: number | undefined): number | undefined => extent(systems.map(({ closed }) => rateAt(closed, batch)))?.most;
  const gain = largestBatch === 1 ? undefined : quotient(most(largestBatch), most(1));
  return growthChart({
    id: 'throughput',
    title:
      gain === undefined
        ? 'Objects judged a second'
        : `With ${countText(largestBatch)} objects in each request, the service judges ${timesText(gain)} as many objects a second as with one`,
    subtitle:
      'The most objects a second that each system can judge, under a closed load by the program autocannon; median of the rounds. The bars show the slowest and the fastest round. In the lines of threads, the service is one process. In the lines of nodes, each process (node) has one engine thread.',
    x: { label: 'objects in a request', unit: 'count' },
    y: { label: 'objects a second', unit: 'count' },
    lines: systems.map(({ name, role, closed }) => ({ name, role, cases: closed, what: 'rate' })),
    ...(engineRate !== undefined && { horizontals: [{ y: engineRate, label: 'engine, 1 thread' }] }),
    reading:
      'The horizontal line is the throughput of one engine thread without a service. The service judges fewer objects, because it also receives the objects and sends verdicts. If the lines of the systems are close together, this other work limits the throughput.',
    notShown: 'nodes on separate machines, and requests of several clients that wait for each other (see the section fairness).',
  });
}

/** Returns a chart of latency by rate. It shows the highest percentile that all open loads report. A line needs at least two rates. */
function saturationChart(systems: readonly Measured[]): Chart {
  const linesOf = (what: string) =>
    systems.map((one) => ({ ...one, points: pointsOf({ cases: one.open, what }) })).filter(({ points }) => points.length > 1);
  const [what, name] =
    PERCENTILES.find(([key]) => linesOf(key).length > 0 && linesOf(key).length === linesOf('max').length) ?? PERCENTILES[2];
  return growthChart({
    id: 'saturation',
    title: linesOf(what)
      .map((one) => `${one.name}: ${saturationText(one.points)}`)
      .join('; '),
    subtitle: `Latency (${name}) of one small object by rate, open load, from when a request was due.`,
    x: { label: 'requests a second', unit: 'count' },
    y: { label: `latency, ${name}`, unit: 'ms' },
    lines: linesOf(what).map((one) => ({ name: one.name, role: one.role, cases: one.open, what })),
    reading: `A line that turns up is a queue that grows: saturation begins at the first rate at which latency is over ${SATURATED} times that of the lowest. No rate beyond it can be kept up for long.`,
    notShown:
      'rates at which the client was late or the service did not keep up (see the table); and batches, which saturate by bytes and objects.',
  });
}

function saturationText(points: readonly { readonly x: number; readonly y: number }[]): string {
  const lowest = extent(points.map(({ y }) => y));
  const beyond = points.findIndex(({ y }) => lowest !== undefined && y > SATURATED * lowest.least);
  const before = points[beyond - 1];
  return before === undefined
    ? `no saturation up to ${countText(Math.round(points.at(-1)?.x ?? 0))} requests/s`
    : `saturates beyond ${countText(Math.round(before.x))} requests/s`;
}

/**
 * Returns a table of throughput and of the cost of transfer. At saturation, the cost of transfer is the time of all threads for a chunk
 * minus the time for validating the chunk.
 */
function throughputTable(systems: readonly Measured[], engineRate: number | undefined): Table {
  const batches = [...new Set(systems.flatMap(({ closed }) => closed.map(({ size }) => size)))].toSorted((a, b) => a - b);
  const whole = batches.findLast((batch) => batch % CHUNK_LIMITS.items === 0);
  return {
    title: 'Judged objects a second, and the overhead beside judging',
    columns: [
      'system',
      ...batches.map((batch) => `objects a second, with ${countText(batch)} in each request`),
      'overhead of a request with one object',
      `overhead of a chunk of ${CHUNK_LIMITS.items} objects (the largest chunk)`,
    ],
    rows: systems.map((one) => [
      one.name,
      ...batches.map((batch) => countText(rateAt(one.closed, batch))),
      overheadText(one, engineRate, 1),
      overheadText(one, engineRate, whole),
    ]),
    notes: [
      `One thread of the engine alone judges ${countText(engineRate)} objects a second. A *chunk* is the group of objects that one thread judges together. The *overhead* is the time for this number of objects at the highest throughput, minus the time in which the engine threads judge these objects. The overhead includes the request, the queue, the communication between processes, and the work of the load generator on the same cores.`,
    ],
  };
}

function overheadText({ closed, slots }: Measured, engineRate: number | undefined, batch: number | undefined): string {
  if (batch === undefined) return NOT_MEASURED;
  const ms = 1000 * Math.min(batch, CHUNK_LIMITS.items);
  const [whole, judging] = [quotient(ms, rateAt(closed, batch)), quotient(ms, engineRate && engineRate * slots)];
  if (whole === undefined || judging === undefined) return NOT_MEASURED;
  return whole > judging ? timeText(whole - judging) : 'too small to see';
}

/** Returns gates that pass if nothing is lost and if all systems return the same verdicts at the same cost. */
function gates(systems: readonly Measured[], engine: CaseFigures | undefined): Gate[] {
  const first = systems.find(({ compared }) => compared?.facts['digest'] !== undefined);
  return systems.flatMap(({ name, closed, open, compared }) => {
    // If there are no figures of the engine, the gate stays undecided.
    const asEngine = (what: string, fact: string, measure: Gate['measure']): Gate => {
      const wanted = engine?.facts[fact];
      return equalGate(`${name}: ${what}`, measure, wanted ?? NOT_MEASURED, wanted === undefined ? undefined : compared?.facts[fact]);
    };
    const digest = first?.compared?.facts['digest'];
    return [
      answeredGate(`${name}: requests answered with all objects accepted, or refused with 429 under open load`, [...closed, ...open]),
      asEngine(`${COMPARED_ITEMS} objects accepted as by the engine alone`, 'accepted', 'verdicts'),
      asEngine('their cost', 'cost', 'cost units'),
      ...(name === first?.name
        ? []
        : [
            equalGate(
              `${name}: verdicts as ${first?.name}`,
              'verdicts',
              digest ?? NOT_MEASURED,
              digest === undefined ? undefined : compared?.facts['digest'],
            ),
          ]),
    ];
  });
}
