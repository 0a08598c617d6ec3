import { seededRandom } from '../../../testing/seeded-random.ts';
import { startFleet } from '../load/start-fleet.ts';
import type { StartedFleet } from '../load/start-fleet.ts';
import { bytesText, countedText, countText, fixedText, shareText, timeText } from '../measure/figures.ts';
import { median } from '../measure/percentile.ts';
import { measured, quotient } from '../measure/quotient.ts';
import { simulate } from '../queue-model/closed-network.ts';
import { BUSY, fleetFor } from '../queue-model/fleet-size.ts';
import type { ObjectDemands } from '../queue-model/fleet-size.ts';
import type { Chart } from '../result/chart.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { Table } from '../result/summary.ts';
import type { Experiment, Findings } from './experiment.ts';
import { BATCHES, CONNECTIONS, measureCase, warmUp } from './scale/measure-case.ts';
import type { RequestDemands } from './scale/measure-case.ts';

const MOST_WORKERS = { quick: 2, full: 3 } as const;
const SIMULATED_REQUESTS = 4000;
/** Farthest that a prediction may be from what is measured. */
const WANTED_ERROR = 0.2;

/** Questions that the model is asked: so many objects in so many seconds. */
const QUESTIONS: readonly { readonly name: string; readonly objects: number; readonly seconds: number }[] = [
  { name: '1,000,000 objects in 10 s', objects: 1_000_000, seconds: 10 },
  { name: '100 clusters with 50,000 objects each hour', objects: 5_000_000, seconds: 3600 },
];

/** What requests of so many objects cost a fleet of so many workers, as far as it was measured. */
export interface BatchDemands {
  readonly workers: number;
  readonly batch: number;
  readonly demands: RequestDemands;
}

/** Requests a second of a fleet, as measured. */
export interface FleetRate {
  readonly workers: number;
  readonly batch: number;
  /** Of each round. */
  readonly perSecond: readonly number[];
  /** Cores that nothing else on the machine was using meanwhile. */
  readonly cores: number;
  /** Those of them that the fleet and the load generator kept busy. */
  readonly busyCores: number;
}

/** What was measured, as far as the lab got. */
export interface ScaleData {
  readonly demands: readonly BatchDemands[];
  readonly rates: readonly FleetRate[];
  /** Cases that were to be measured and were not. */
  readonly notReached: readonly string[];
  readonly seed: number;
}

const caseName = (workers: number, batch: number): string => `${countedText(workers, 'worker')}, ${countedText(batch, 'object')} a request`;

/** How large a fleet for how much? From service times, a queueing model, held against what one machine really does. */
export const scale: Experiment<ScaleData> = {
  name: 'scale',
  question: 'How many workers, and which Redis, for how many objects a second?',
  async measure(lab) {
    const demands: BatchDemands[] = [];
    const rates: FleetRate[] = [];
    const workerCounts = Array.from({ length: lab.of(MOST_WORKERS) }, (_, i) => i + 1);
    const planned = workerCounts.flatMap((workers) => lab.of(BATCHES).map((batch) => ({ workers, batch })));
    const fleet = await startFleet({}, { workers: 1, threads: 1 });
    try {
      if (fleet !== undefined) {
        await warmUp(lab, fleet);
        for await (const { workers, batch } of lab.each(planned)) {
          lab.say(caseName(workers, batch));
          await growTo(fleet, workers, () => warmUp(lab, fleet));
          const found = await measureCase(lab, fleet, batch);
          if (found === undefined) continue;
          rates.push({ workers, batch, perSecond: found.perSecond, cores: found.cores, busyCores: found.busyCores });
          demands.push({ workers, batch, demands: found.demands });
        }
      }
    } finally {
      await fleet?.stop();
    }
    const reached = new Set(rates.map(({ workers, batch }) => caseName(workers, batch)));
    const notReached = planned.map(({ workers, batch }) => caseName(workers, batch)).filter((name) => !reached.has(name));
    return { demands, rates, notReached, seed: lab.seed };
  },
  findings,
};

async function growTo(fleet: StartedFleet, workers: number, warm: () => Promise<void>): Promise<void> {
  if (fleet.workers.length >= workers) return;
  while (fleet.workers.length < workers) await fleet.grow();
  await warm();
}

/** Requests a second that the model gives a fleet on one machine: each process a station, all of them sharing the cores with the load generator. */
function predicted({ api, redis, worker, engine, client, delay }: RequestDemands, { workers, cores }: FleetRate, seed: number): number {
  const [atClient, atApi, atRedis, atWorker, atEngine] = [0, 1, 2, 3, 4] as const;
  const network = {
    stations: [
      { name: 'load generator', servers: 1 },
      { name: 'API', servers: 1 },
      { name: 'Redis', servers: 1 },
      { name: 'workers', servers: workers },
      { name: 'engine hosts', servers: workers },
    ],
    path: [
      { station: atClient, ms: client / 2 },
      { station: atApi, ms: api / 2 },
      { station: atRedis, ms: redis / 2 },
      { station: atWorker, ms: worker / 2 },
      { station: atEngine, ms: engine },
      { station: atWorker, ms: worker / 2 },
      { station: atRedis, ms: redis / 2 },
      { station: atApi, ms: api / 2 },
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
interface Comparison extends Omit<FleetRate, 'perSecond'> {
  readonly perSecond: number;
  readonly model: number;
  /** Of what was measured. */
  readonly error: number;
}

function findings({ demands, rates, notReached, seed }: ScaleData): Findings {
  const compared = rates.flatMap((rate): Comparison[] => {
    const found = demands.find(({ workers, batch }) => workers === rate.workers && batch === rate.batch);
    const perSecond = median(rate.perSecond) ?? 0;
    if (found === undefined || perSecond <= 0 || found.demands.api <= 0 || rate.cores <= 0) return [];
    const model = predicted(found.demands, rate, seed);
    return [{ ...rate, perSecond, model, error: model / perSecond - 1 }];
  });
  const worst = measured(compared, ({ error }) => Math.abs(error)).toSorted((a, b) => b.value - a.value)[0];
  const largest = demands.at(-1);
  return {
    finding: sentence([
      worst &&
        `the model is off by ${shareText(worst.value)} at most (${caseName(worst.item.workers, worst.item.batch)}; wanted: ${shareText(WANTED_ERROR)}), in ${countedText(compared.length, 'case')}`,
      largest && answerText(largest),
      largest && `one Redis ends at ${countText(quotient(1000, largest.demands.redis))} such chunks a second`,
      missing(notReached),
    ]),
    charts: compared.length === 0 ? [] : [comparisonChart(compared)],
    tables: [comparisonTable(compared), demandsTable(demands), ...(largest === undefined ? [] : [answersTable(largest)])],
    cells: rates.flatMap(({ workers, batch, perSecond }) =>
      medianCell({ id: caseName(workers, batch), unit: 'per second', samples: perSecond, larger: true }),
    ),
    notes: [
      'CPU time of each process by /proc under closed load, in turns with the rounds whose requests a second are told; that of Redis and its bytes by INFO. All processes and the load generator share the machine’s cores, in the model too; what they do to each other’s caches is not in it.',
    ],
  };
}

const objectDemands = ({ batch, demands: { api, redis, worker, engine, redisBytes } }: BatchDemands): ObjectDemands => ({
  api: api / batch,
  redis: redis / batch,
  worker: (worker + engine) / batch,
  redisBytes: redisBytes / batch,
});

function answerText(found: BatchDemands): string | undefined {
  const [first] = QUESTIONS;
  if (first === undefined) return undefined;
  const { apis, workers, redis } = fleetFor(first.objects / first.seconds, objectDemands(found));
  return `${first.name} take ${countedText(workers, 'worker')} of one thread, ${countText(apis)} API ${apis === 1 ? 'process' : 'processes'} and ${countText(redis)} Redis`;
}

function comparisonChart(compared: readonly Comparison[]): Chart {
  return {
    kind: 'dots',
    id: 'model',
    title: 'Requests a second: the model beside what was measured',
    subtitle: `Closed load by ${CONNECTIONS} connections. The model knows what each process computes for a request, and not what comes of it.`,
    x: { label: 'requests a second', unit: 'count' },
    rows: compared.map(({ workers, batch, perSecond, model }) => ({
      name: caseName(workers, batch),
      values: [
        { series: 'measured', role: 'assay' as const, value: perSecond },
        { series: 'model', role: 'reference' as const, value: model },
      ],
    })),
    reading: 'Where the two marks of a row lie together, the model may be asked about fleets that are not at hand.',
    notShown: 'latencies; and machines of their own for API, Redis and workers.',
  };
}

function comparisonTable(compared: readonly Comparison[]): Table {
  return {
    title: 'The model beside what was measured',
    columns: ['case', 'cores', 'kept busy', 'measured, requests/s', 'model, requests/s', 'error'],
    rows: compared.map(({ workers, batch, cores, busyCores, perSecond, model, error }) => [
      caseName(workers, batch),
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
    columns: [
      'workers',
      'objects a request',
      'API',
      'worker',
      'its engine host',
      'Redis',
      'load generator',
      'waiting',
      'Redis commands',
      'Redis bytes',
    ],
    rows: demands.map(({ workers, batch, demands: { api, worker, engine, redis, client, delay, redisCommands, redisBytes } }) => [
      countText(workers),
      countText(batch),
      timeText(api),
      timeText(worker),
      timeText(engine),
      timeText(redis),
      timeText(client),
      timeText(delay),
      fixedText(redisCommands, 1),
      bytesText(Math.round(redisBytes)),
    ]),
    notes: [
      'CPU time a request. Waiting: what remains of the time of a request that is alone. A chunk holds 250 objects at most, so that each of these requests is one.',
    ],
  };
}

function answersTable(found: BatchDemands): Table {
  return {
    title: 'How large a fleet',
    columns: ['for', 'objects/s', 'API processes', 'workers of one thread', 'Redis', 'load of one Redis', 'to and from Redis'],
    rows: QUESTIONS.map(({ name, objects, seconds }) => {
      const perSecond = objects / seconds;
      const { apis, workers, redis, redisLoad, redisMegabytes } = fleetFor(perSecond, objectDemands(found));
      return [
        name,
        countText(Math.round(perSecond)),
        countText(apis),
        countText(workers),
        countText(redis),
        shareText(redisLoad),
        `${fixedText(redisMegabytes, 1)} MB/s`,
      ];
    }),
    notes: [
      `From the service times of requests of ${countText(found.batch)} small objects with one definition and ${countedText(found.workers, 'worker')}, processes busy ${shareText(BUSY)} of the time, each on a core of its own.`,
    ],
  };
}
