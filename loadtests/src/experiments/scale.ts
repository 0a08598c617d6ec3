import { countedText, countText, fixedText, shareText, timeText } from '#charts';
import type { Chart } from '#charts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import { median } from '#benchmark';
import { measured } from '../measure/quotient.ts';
import { simulate } from '../queue-model/closed-network.ts';
import { BUSY, fleetFor } from '../queue-model/fleet-size.ts';
import type { ObjectDemands } from '../queue-model/fleet-size.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { Table } from '../result/summary.ts';
import type { Experiment, Findings } from './experiment.ts';
import { BATCHES, CONNECTIONS, measureCase, warmUp } from './scale/measure-case.ts';
import type { RequestDemands } from './scale/measure-case.ts';
import type { LoadedSystem } from './scale/spent.ts';

const MOST_NODES = { quick: 1, full: 2 } as const;
const SIMULATED_REQUESTS = 4000;
/** Farthest that a prediction may be from what is measured. */
const WANTED_ERROR = 0.2;

/** Questions that the model is asked: so many objects in so many seconds. */
const QUESTIONS: readonly { readonly name: string; readonly objects: number; readonly seconds: number }[] = [
  { name: '1,000,000 objects in 10 s', objects: 1_000_000, seconds: 10 },
  { name: '100 clusters with 50,000 objects each hour', objects: 5_000_000, seconds: 3600 },
];

/** A form of the service: one process without Redis, or so many nodes over Redis; one engine thread each. */
export interface ScaledSystem {
  readonly name: string;
  /** Processes that serve. */
  readonly nodes: number;
  readonly isOverRedis: boolean;
}

/** Measured demands of requests with so many objects. */
export interface BatchDemands {
  readonly system: string;
  readonly batch: number;
  readonly demands: RequestDemands;
}

/** Requests a second of a system, as measured. */
export interface SystemRate {
  readonly system: string;
  readonly nodes: number;
  readonly batch: number;
  /** Of each round. */
  readonly perSecond: readonly number[];
  /** Cores that nothing else on the machine was using meanwhile. */
  readonly cores: number;
  /** Those of them that the system and the load generator kept busy. */
  readonly busyCores: number;
}

/** The figures, as far as the lab got. */
export interface ScaleData {
  readonly demands: readonly BatchDemands[];
  readonly rates: readonly SystemRate[];
  /** Cases that were to be measured and were not. */
  readonly notReached: readonly string[];
  readonly seed: number;
}

const caseName = (system: string, batch: number): string => `${system}, ${countedText(batch, 'object')} a request`;

/** How large a fleet for how much? From service times, a queueing model, held against what one machine really does. */
export const scale: Experiment<ScaleData> = {
  name: 'scale',
  question: 'How many nodes for how many objects a second?',
  async measure(lab) {
    const demands: BatchDemands[] = [];
    const rates: SystemRate[] = [];
    const overRedis = Array.from({ length: lab.of(MOST_NODES) }, (_, i) => i + 1);
    const systems: ScaledSystem[] = [
      { name: 'embedded', nodes: 1, isOverRedis: false },
      ...overRedis.map((nodes) => ({ name: `${countedText(nodes, 'node')} over Redis`, nodes, isOverRedis: true })),
    ];
    for await (const system of lab.each(systems)) {
      const started = await start(system);
      if (started === undefined) continue;
      try {
        await warmUp(lab, started);
        for await (const batch of lab.each(lab.of(BATCHES))) {
          lab.say(caseName(system.name, batch));
          const found = await measureCase(lab, started, batch);
          if (found === undefined) continue;
          const { perSecond, cores, busyCores } = found;
          rates.push({ system: system.name, nodes: system.nodes, batch, perSecond, cores, busyCores });
          demands.push({ system: system.name, batch, demands: found.demands });
        }
      } finally {
        await started.stop();
      }
    }
    const reached = new Set(rates.map(({ system, batch }) => caseName(system, batch)));
    const planned = systems.flatMap(({ name }) => lab.of(BATCHES).map((batch) => caseName(name, batch)));
    return { demands, rates, notReached: planned.filter((name) => !reached.has(name)), seed: lab.seed };
  },
  findings,
};

/** Starts a system; undefined where it needs a Redis and there is none. */
async function start({ nodes, isOverRedis }: ScaledSystem): Promise<(LoadedSystem & { stop(): Promise<void> }) | undefined> {
  if (isOverRedis) return startFleet({}, { nodes, threads: 1 });
  const service = await startService({ ASSAY_THREADS: '1' });
  return { ...service, nodes: [service.processId], redisUrl: undefined };
}

/** Requests a second that the model gives a fleet on one machine: each process a station, all of them sharing the cores with the load generator. */
function predicted({ node, engine, client, delay }: RequestDemands, { nodes, cores }: SystemRate, seed: number): number {
  const [atClient, atNode, atEngine] = [0, 1, 2] as const;
  const network = {
    stations: [
      { name: 'load generator', servers: 1 },
      { name: 'nodes', servers: nodes },
      { name: 'engine hosts', servers: nodes },
    ],
    path: [
      { station: atClient, ms: client / 2 },
      { station: atNode, ms: node / 2 },
      { station: atEngine, ms: engine },
      { station: atNode, ms: node / 2 },
      { station: atClient, ms: client / 2 },
    ],
    delayMs: delay,
    customers: CONNECTIONS,
    cores,
    spread: 'exponential',
  } as const;
  return simulate(network, SIMULATED_REQUESTS, seededRandom(seed)).perSecond;
}

/** A measured case beside its prediction; requests a second. */
interface Comparison extends Omit<SystemRate, 'perSecond'> {
  readonly perSecond: number;
  readonly model: number;
  /** Of what was measured. */
  readonly error: number;
}

function findings({ demands, rates, notReached, seed }: ScaleData): Findings {
  const compared = rates.flatMap((rate): Comparison[] => {
    const found = demands.find(({ system, batch }) => system === rate.system && batch === rate.batch);
    const perSecond = median(rate.perSecond) ?? 0;
    if (found === undefined || perSecond <= 0 || found.demands.node <= 0 || rate.cores <= 0) return [];
    const model = predicted(found.demands, rate, seed);
    return [{ ...rate, perSecond, model, error: model / perSecond - 1 }];
  });
  const worst = measured(compared, ({ error }) => Math.abs(error)).toSorted((a, b) => b.value - a.value)[0];
  const largest = demands.at(-1);
  return {
    finding: sentence([
      worst &&
        `the model is off by ${shareText(worst.value)} at most (${caseName(worst.item.system, worst.item.batch)}; wanted: ${shareText(WANTED_ERROR)}), in ${countedText(compared.length, 'case')}`,
      largest && answerText(largest),
      largest && `a request makes Redis do ${fixedText(largest.demands.redisCommands, 2)} commands`,
      missing(notReached),
    ]),
    charts: compared.length === 0 ? [] : [comparisonChart(compared)],
    tables: [comparisonTable(compared), demandsTable(demands), ...(largest === undefined ? [] : [answersTable(largest)])],
    cells: rates.flatMap(({ system, batch, perSecond }) =>
      medianCell({ id: caseName(system, batch), unit: 'per second', samples: perSecond, larger: true }),
    ),
    notes: [
      'CPU time of each process by /proc under closed load, in turns with the rounds whose requests a second are told; that of Redis and its commands by INFO, those that nodes send without requests included. All processes and the load generator share the machine’s cores, in the model too; what they do to each other’s caches is not in it.',
    ],
  };
}

const objectDemands = ({ batch, demands: { node, engine } }: BatchDemands): ObjectDemands => ({
  node: node / batch,
  engine: engine / batch,
});

function answerText(found: BatchDemands): string | undefined {
  const [first] = QUESTIONS;
  if (first === undefined) return undefined;
  const { nodes } = fleetFor(first.objects / first.seconds, objectDemands(found));
  return `${first.name} take ${countedText(nodes, 'node')} of one thread`;
}

function comparisonChart(compared: readonly Comparison[]): Chart {
  return {
    kind: 'dots',
    id: 'model',
    title: 'Requests a second: the model beside what was measured',
    subtitle: `Closed load by ${CONNECTIONS} connections. The model knows what each process computes for a request, and not what comes of it.`,
    x: { label: 'requests a second', unit: 'count' },
    rows: compared.map(({ system, batch, perSecond, model }) => ({
      name: caseName(system, batch),
      values: [
        { series: 'measured', role: 'assay' as const, value: perSecond },
        { series: 'model', role: 'reference' as const, value: model },
      ],
    })),
    reading: 'Where the two marks of a row lie together, the model may be asked about fleets that are not at hand.',
    notShown: 'latencies; and machines of their own for nodes.',
  };
}

function comparisonTable(compared: readonly Comparison[]): Table {
  return {
    title: 'The model beside what was measured',
    columns: ['case', 'cores', 'kept busy', 'measured, requests/s', 'model, requests/s', 'error'],
    rows: compared.map(({ system, batch, cores, busyCores, perSecond, model, error }) => [
      caseName(system, batch),
      fixedText(cores, 2),
      fixedText(busyCores, 2),
      countText(Math.round(perSecond)),
      countText(Math.round(model)),
      `${error < 0 ? '−' : '+'}${shareText(Math.abs(error))}`,
    ]),
    notes: [
      'Cores: those that nothing else on the machine was using during the measurement, by `/proc/stat`; the model has as many, and leaves none idle while work waits.',
    ],
  };
}

function demandsTable(demands: readonly BatchDemands[]): Table {
  return {
    title: 'What a request costs',
    columns: ['system', 'objects a request', 'node', 'its engine host', 'Redis', 'load generator', 'waiting', 'Redis commands'],
    rows: demands.map(({ system, batch, demands: { node, engine, redis, client, delay, redisCommands } }) => [
      system,
      countText(batch),
      timeText(node),
      timeText(engine),
      timeText(redis),
      timeText(client),
      timeText(delay),
      fixedText(redisCommands, 2),
    ]),
    notes: [
      'CPU time a request. Waiting: what remains of the time of a request that is alone. A chunk holds 250 objects at most, so that each of these requests is one.',
    ],
  };
}

function answersTable(found: BatchDemands): Table {
  return {
    title: 'How large a fleet',
    columns: ['for', 'objects/s', 'nodes of one thread', 'load of a serving process', 'load of an engine host'],
    rows: QUESTIONS.map(({ name, objects, seconds }) => {
      const perSecond = objects / seconds;
      const { nodes, nodeLoad, engineLoad } = fleetFor(perSecond, objectDemands(found));
      return [name, countText(Math.round(perSecond)), countText(nodes), shareText(nodeLoad), shareText(engineLoad)];
    }),
    notes: [
      `From the service times of requests of ${countText(found.batch)} small objects with one definition (${found.system}), processes busy ${shareText(BUSY)} of the time at most, each on a core of its own.`,
    ],
  };
}
