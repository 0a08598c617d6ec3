import { setTimeout } from 'node:timers/promises';
import { median } from '#benchmark';
import { redisOnPath } from '../../../testing/redis-server.ts';
import { startFleet } from '../load/start-fleet.ts';
import type { StartedFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { redisCommands } from '../measure/redis-commands.ts';
import { pricedDefinition, pricedObject } from '../workloads/priced-objects.ts';
import { blocksOf, smallBody, smallLines } from '../workloads/request-bodies.ts';
import type { BenchTable, WantedFigure } from './bench-table.ts';
import { sendRequests, sendStream, sideBySide } from './service-rounds.ts';
import type { SendFigures, Side } from './service-rounds.ts';

type Size = 'quick' | 'full';
const ROUNDS = { quick: 3, full: 9 } as const;
const SECONDS = { quick: 1, full: 2.5 } as const;
const STREAMED = { quick: 60_000, full: 300_000 } as const;
/** Number of lines in the stream of objects with an expensive rule. */
const STREAMED_PAIRS = { quick: 30_000, full: 60_000 } as const;
/** Number of integers in each object with an expensive rule (`PAIRED`), and number of lines that are sent at a time (`LINES_A_BLOCK`). */
const [PAIRED, LINES_A_BLOCK] = [75, 1000] as const;
const IDLE_SECONDS = { quick: 20, full: 30 } as const;
const BATCH = 100_000;
const CONNECTIONS = 8;
/**
 * Highest allowed number of Redis commands for each additional request. A request causes no command by itself, but Redis also counts some
 * commands from other causes.
 */
const WANTED_COMMANDS = 0.001;
/** Number of pairs of loads from which the number of commands for each request is computed. */
const COMMAND_PAIRS = 3;
const WANTED_IDLE = 10;

/**
 * Work that is sent to two systems. `wantedCpu` and `wantedShare` are limits for the second system's figures, as multiples of the first
 * system's figures.
 */
interface Work {
  readonly name: string;
  readonly wantedCpu?: number;
  /** Lowest allowed throughput of the second system, as a share of the first system's. */
  readonly wantedShare?: number;
  readonly send: (system: Service | StartedFleet, size: Size) => Promise<SendFigures>;
}

const requestsOf =
  (batch: number): Work['send'] =>
  ({ url }, size) =>
    sendRequests(`${url}/evaluate`, smallBody(batch), {
      connections: batch === 1 ? 4 * CONNECTIONS : CONNECTIONS,
      seconds: SECONDS[size],
    });

const stream: Work['send'] = (system, size) => sendStream(system, smallLines, STREAMED[size]);
const pairs: Work['send'] = (system, size) => sendStream(system, pairLines, STREAMED_PAIRS[size]);

/**
 * Returns the NDJSON of a stream of objects. A thread needs 0.02 to 0.1 ms to validate each object, which is longer than the transfer of the
 * object.
 */
function pairLines(count: number): Iterable<string> {
  const objects = Array.from({ length: LINES_A_BLOCK }, () => pricedObject('Pairs', PAIRED));
  return blocksOf(JSON.stringify(pricedDefinition('Pairs')), objects, count);
}

/** Work that is sent to a service without Redis and to one node over Redis. */
const ONE_NODE: readonly Work[] = [
  { name: '1 object a request', wantedCpu: 1.05, wantedShare: 0.9, send: requestsOf(1) },
  { name: '250 objects a request', wantedCpu: 1.05, wantedShare: 0.9, send: requestsOf(250) },
  { name: '5,000 objects a request', wantedCpu: 1.1, wantedShare: 0.9, send: requestsOf(5000) },
  { name: 'a stream', wantedCpu: 1.1, wantedShare: 0.9, send: stream },
  { name: 'a batch that nobody waits for ÷ one whose client waits', wantedCpu: 1.5, send: sendBatch },
];
/**
 * Streams that are sent to one of two nodes. An object of the first stream takes less time to validate than to transfer. An object of the
 * second stream takes more time to validate than to transfer.
 */
const TWO_NODES: readonly Work[] = [
  { name: 'a stream to one of two nodes', wantedShare: 0.75, send: stream },
  { name: 'a stream of objects that compare all pairs of a list, to one of two nodes', wantedShare: 0.75, send: pairs },
];

/** Compares nodes over Redis with the service without Redis: CPU time, throughput, and number of Redis commands. */
export async function benchFleet(quick: boolean): Promise<BenchTable> {
  if (!redisOnPath()) return { columns: [], rows: [], wanted: [], notes: ['There is no redis-server on the path.'] };
  const size = quick ? 'quick' : 'full';
  const running: Service[] = [];
  const started = async <S extends Service>(start: Promise<S | undefined>): Promise<S> => {
    const system = (await start) as S;
    running.push(system);
    return system;
  };
  try {
    const embedded = await started(startService({ ASSAY_THREADS: '2' }));
    const node = await started(startFleet({}, { threads: 2 }));
    const ofNode = [...(await besideEmbedded(ONE_NODE, [embedded, node], size)), await commandsOfRequest(node, size)];
    const two = await started(startFleet({}, { nodes: 2, threads: 1 }));
    const ofTwo = [...(await besideEmbedded(TWO_NODES, [embedded, two], size)), await idleCommands(two, size)];
    return {
      columns: [],
      rows: [],
      wanted: [...ofNode, ...ofTwo],
      notes: [
        `Small objects by nodes over Redis ÷ by the embedded service, two threads in all: in turns, median of ${ROUNDS[size]} rounds. CPU time of all processes of the service, and of Redis. Commands as Redis counts them, those inside of scripts included.`,
      ],
    };
  } finally {
    await Promise.all(running.map((system) => system.stop()));
  }
}

async function besideEmbedded(works: readonly Work[], systems: readonly [Service, StartedFleet], size: Size): Promise<WantedFigure[]> {
  const figures: WantedFigure[] = [];
  for (const { name, send, wantedCpu, wantedShare } of works) {
    for (const system of systems) await send(system, 'quick');
    const [embedded, fleet] = systems.map((system): Side => ({ system, send: () => send(system, size) })) as [Side, Side];
    const { ratios } = await sideBySide(embedded, fleet, ROUNDS[size]);
    figures.push(
      { name: `${name}: CPU`, value: ratios.cpuMicros, ...(wantedCpu !== undefined && { most: wantedCpu }) },
      { name: `${name}: objects a second`, value: ratios.perSecond, ...(wantedShare !== undefined && { least: wantedShare }) },
    );
  }
  return figures;
}

/**
 * Counts the Redis commands that each additional request causes. A node sends some commands at intervals, regardless of the number of
 * requests, and more of them for some time after a job. So the function compares two loads of the same duration, and takes the median of
 * several pairs of loads.
 */
async function commandsOfRequest({ url, redisUrl }: StartedFleet, size: Size): Promise<WantedFigure> {
  const loadOf = async (connections: number): Promise<{ readonly requests: number; readonly commands: number }> => {
    const before = redisCommands(redisUrl).count;
    const { objects } = await sendRequests(`${url}/evaluate`, smallBody(1), { connections, seconds: 4 * SECONDS[size] });
    return { requests: objects, commands: redisCommands(redisUrl).count - before };
  };
  const pairs: number[] = [];
  for (let i = 0; i < COMMAND_PAIRS; i++) {
    const [few, many] = [await loadOf(1), await loadOf(4 * CONNECTIONS)];
    if (many.requests > few.requests) pairs.push(Math.max(0, (many.commands - few.commands) / (many.requests - few.requests)));
  }
  return { name: 'commands for each further synchronous request', value: median(pairs), most: WANTED_COMMANDS };
}

/** Counts the Redis commands that idle nodes send each second. */
async function idleCommands({ redisUrl }: StartedFleet, size: Size): Promise<WantedFigure> {
  // During this pause, the nodes find that there are no jobs.
  await setTimeout(3000);
  const before = redisCommands(redisUrl).count;
  await setTimeout(1000 * IDLE_SECONDS[size]);
  // The count includes the command that reads the count, so this line subtracts one.
  const value = (redisCommands(redisUrl).count - before - 1) / IDLE_SECONDS[size];
  return { name: 'commands a second of two idle nodes', value, most: WANTED_IDLE };
}

/**
 * Sends a large batch. In a fleet, the evaluation is asynchronous and its results are fetched afterwards. In the embedded service, the
 * client waits for the answer.
 */
async function sendBatch(system: Service | StartedFleet): Promise<SendFigures> {
  const started = performance.now();
  const isDetached = 'redisUrl' in system;
  const headers = { 'content-type': 'application/json', ...(!isDetached && { accept: 'application/x-ndjson' }) };
  const answer = await fetch(`${system.url}/evaluate${isDetached ? '?wait=0' : ''}`, {
    method: 'POST',
    headers,
    body: smallBody(BATCH).text,
  });
  const stored = `${system.url}${answer.headers.get('location') ?? ''}`;
  const results = isDetached ? await fetch(`${stored}/results`) : answer;
  const text = await results.text();
  const seconds = (performance.now() - started) / 1000;
  // The service stores only a limited size of results for each client.
  if (isDetached) await fetch(stored, { method: 'DELETE' });
  const isWhole = isDetached ? text.trim().split('\n').length === BATCH : text.includes(`"accepted":${BATCH},`);
  if (!isWhole) throw new Error(`the batch was not judged: ${answer.status}, ${text.slice(-300)}`);
  return { objects: BATCH, seconds };
}
