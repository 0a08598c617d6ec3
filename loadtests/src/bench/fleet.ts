import { setTimeout } from 'node:timers/promises';
import { fixedText } from '#charts';
import { closedLoad } from '../load/closed-load.ts';
import { startFleet } from '../load/start-fleet.ts';
import type { StartedFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { streamLines } from '../load/stream-lines.ts';
import { median } from '#benchmark';
import { cpuMs, processTree } from '../measure/process-cpu.ts';
import { redisCommands } from '../measure/redis-commands.ts';
import { pairLines } from '../workloads/pair-lines.ts';
import { smallBody, smallLines } from '../workloads/request-bodies.ts';
import type { BenchTable } from './bench-table.ts';

const ROUNDS = { quick: 3, full: 9 } as const;
const SECONDS = { quick: 1, full: 2.5 } as const;
const STREAMED = { quick: 60_000, full: 300_000 } as const;
/** Lines of the stream of objects with more rules. */
const STREAMED_PAIRS = { quick: 30_000, full: 60_000 } as const;
const IDLE_SECONDS = { quick: 20, full: 30 } as const;
const DETACHED = 100_000;
const DETACHED_ROUNDS = 3;
const CONNECTIONS = 8;

/** Work of one kind that is sent to a system, and what is wanted of a node over Redis beside one without. */
interface Work {
  readonly name: string;
  readonly wantedCpu: number;
  /** Sends it; returns objects and seconds. */
  readonly send: (system: Service, size: 'quick' | 'full') => Promise<{ readonly objects: number; readonly seconds: number }>;
}

/** Figures of one round. */
interface Round {
  /** CPU time of all processes of the system and of its Redis an object, µs. */
  readonly cpuMicros: number;
  readonly perSecond: number;
}

const requestsOf = (batch: number): Work['send'] => {
  const body = smallBody(batch);
  return async ({ url }, size) => {
    const load = await closedLoad(`${url}/evaluate`, body.text, {
      connections: batch === 1 ? 4 * CONNECTIONS : CONNECTIONS,
      seconds: SECONDS[size],
      expected: body.accepted,
    });
    if (load.failures > 0 || load.requests === 0) throw new Error(`${load.failures} of ${load.requests} requests failed`);
    return { objects: load.requests * batch, seconds: load.requests / load.requestsPerSecond };
  };
};

const streamOf =
  (lines: (count: number) => Iterable<string>, counts: Readonly<Record<'quick' | 'full', number>>): Work['send'] =>
  async ({ url, processId }, size) => {
    const count = counts[size];
    const { seconds, lastLine } = await streamLines(`${url}/evaluate?deadline=1h`, lines(count), [['service', processId]]);
    if (!lastLine.includes(`"accepted":${count},`)) throw new Error(`the stream ended with ${lastLine.slice(0, 300)}`);
    return { objects: count, seconds };
  };
const stream = streamOf(smallLines, STREAMED);

const WORK: readonly Work[] = [
  { name: '1 object a request', wantedCpu: 1.05, send: requestsOf(1) },
  { name: '250 objects a request', wantedCpu: 1.05, send: requestsOf(250) },
  { name: '5,000 objects a request', wantedCpu: 1.1, send: requestsOf(5000) },
  { name: 'a stream', wantedCpu: 1.1, send: stream },
];
/** Streams to one of two nodes: objects that are cheaper to judge than to carry, and others. */
const STREAMS: readonly (readonly [name: string, send: Work['send']])[] = [
  ['small objects', stream],
  ['objects that compare all pairs of a list', streamOf(pairLines, STREAMED_PAIRS)],
];
const WANTED_SHARE = 0.9;
const WANTED_TWO_NODES = 0.75;
const WANTED_IDLE = 10;
const WANTED_DETACHED = 1.5;

/** Measures nodes over Redis beside the service without: CPU time, throughput, and commands of Redis. */
export async function benchFleet(quick: boolean): Promise<BenchTable[]> {
  const size = quick ? 'quick' : 'full';
  const [embedded, node] = [await startService({ ASSAY_THREADS: '2' }), await startFleet({}, { threads: 2 })];
  if (node === undefined) {
    await embedded.stop();
    return [{ columns: ['fleet'], rows: [], failedGates: [], notes: ['Not measured: there is no redis-server on the path.'] }];
  }
  try {
    const first = await besideEmbedded(embedded, node, size);
    return [first, await commandsTable(embedded, node, size)];
  } finally {
    await Promise.all([embedded.stop(), node.stop()]);
  }
}

async function besideEmbedded(embedded: Service, node: StartedFleet, size: 'quick' | 'full'): Promise<BenchTable> {
  const rows: string[][] = [];
  const failedGates: string[] = [];
  for (const work of WORK) {
    const { cpu, share } = await compare(work.send, [embedded, node], size);
    rows.push([
      `${work.name}: a node over Redis ÷ embedded`,
      ratio(cpu),
      `≤ ${work.wantedCpu}`,
      percent(share),
      `≥ ${percent(WANTED_SHARE)}`,
    ]);
    if (cpu > work.wantedCpu) failedGates.push(`${work.name}: CPU ${ratio(cpu)}, wanted ${work.wantedCpu}`);
    if (share < WANTED_SHARE) failedGates.push(`${work.name}: ${percent(share)} of the objects a second, wanted ${percent(WANTED_SHARE)}`);
  }
  const two = await startFleet({}, { nodes: 2, threads: 1 });
  if (two !== undefined)
    try {
      for (const [name, send] of STREAMS) {
        const { cpu, share } = await compare(send, [embedded, two], size);
        const row = `a stream of ${name} to one of two nodes with a thread each ÷ embedded with two`;
        rows.push([row, ratio(cpu), '', percent(share), `≥ ${percent(WANTED_TWO_NODES)}`]);
        if (share < WANTED_TWO_NODES)
          failedGates.push(`a stream of ${name}, two nodes: ${percent(share)}, wanted ${percent(WANTED_TWO_NODES)}`);
      }
    } finally {
      await two.stop();
    }
  return {
    columns: ['small objects', 'CPU ÷', 'wanted', 'objects a second', 'wanted'],
    rows,
    failedGates,
    notes: [`In turns, median of ${ROUNDS[size]} rounds; CPU time of all processes of the service, and of Redis.`],
  };
}

/** Compares two systems in turns: the second's CPU time an object and its objects a second, both as multiples of the first's. */
async function compare(
  send: Work['send'],
  [first, second]: readonly [Service, StartedFleet],
  size: 'quick' | 'full',
): Promise<{ cpu: number; share: number }> {
  const rounds: [Round, Round][] = [];
  for (const system of [first, second]) await send(system, 'quick');
  for (let round = 0; round < ROUNDS[size]; round++) rounds.push([await oneRound(send, first, size), await oneRound(send, second, size)]);
  return {
    cpu: median(rounds.map(([a, b]) => b.cpuMicros / a.cpuMicros)) ?? Number.NaN,
    share: median(rounds.map(([a, b]) => b.perSecond / a.perSecond)) ?? Number.NaN,
  };
}

async function oneRound(send: Work['send'], system: Service | StartedFleet, size: 'quick' | 'full'): Promise<Round> {
  const before = cpuOf(system);
  const { objects, seconds } = await send(system, size);
  return { cpuMicros: (1000 * (cpuOf(system) - before)) / objects, perSecond: objects / seconds };
}

function cpuOf(system: Service | StartedFleet): number {
  return cpuMs(processTree(system.processId)) + ('redisUrl' in system ? redisCommands(system.redisUrl).cpuMs : 0);
}

async function commandsTable(embedded: Service, node: StartedFleet, size: 'quick' | 'full'): Promise<BenchTable> {
  const each = await commandsOfRequest(node, size);
  const pair = await startFleet({}, { nodes: 2, threads: 1 });
  const idle = pair === undefined ? Number.NaN : await idleCommands(pair, size);
  await pair?.stop();
  await cpuOfDetached(node);
  const turns: number[] = [];
  for (let round = 0; round < DETACHED_ROUNDS; round++) turns.push((await cpuOfDetached(node)) / (await cpuOfWaited(embedded)));
  const detached = median(turns) ?? Number.NaN;
  return {
    columns: ['over Redis', 'measured', 'wanted'],
    rows: [
      ['commands for each further synchronous request', fixedText(each, 4), '0'],
      ['commands a second of two idle nodes', fixedText(idle, 1), `≤ ${WANTED_IDLE}`],
      ['CPU of 100,000 asynchronous objects ÷ the same synchronous, embedded', ratio(detached), `≤ ${WANTED_DETACHED}`],
    ],
    failedGates: [
      ...(each < 0.001 ? [] : [`commands for a synchronous request: ${fixedText(each, 4)}, wanted 0`]),
      ...(idle <= WANTED_IDLE ? [] : [`commands a second of two idle nodes: ${fixedText(idle, 1)}, wanted ${WANTED_IDLE}`]),
      ...(detached <= WANTED_DETACHED ? [] : [`asynchronous objects: CPU ${ratio(detached)}, wanted ${WANTED_DETACHED}`]),
    ],
    notes: ['Commands as Redis counts them, those inside of scripts included.'],
  };
}

/** Returns how many commands each further request brings. The commands of a busy node come once a second, however many requests it has. */
async function commandsOfRequest({ url, redisUrl }: StartedFleet, size: 'quick' | 'full'): Promise<number> {
  const body = smallBody(1);
  const rates: { readonly requests: number; readonly commands: number }[] = [];
  for (const connections of [1, 4 * CONNECTIONS]) {
    const before = redisCommands(redisUrl).count;
    const { requests } = await closedLoad(`${url}/evaluate`, body.text, {
      connections,
      seconds: 4 * SECONDS[size],
      expected: body.accepted,
    });
    rates.push({ requests, commands: redisCommands(redisUrl).count - before });
  }
  const [few, many] = rates;
  if (few === undefined || many === undefined || many.requests <= few.requests) return Number.NaN;
  return Math.max(0, (many.commands - few.commands) / (many.requests - few.requests));
}

/** Returns the commands a second that nodes send which have nothing to do. */
async function idleCommands({ redisUrl }: StartedFleet, size: 'quick' | 'full'): Promise<number> {
  // They find out that nothing lives any more.
  await setTimeout(3000);
  const before = redisCommands(redisUrl).count;
  await setTimeout(1000 * IDLE_SECONDS[size]);
  // The command that asks is one, too.
  return (redisCommands(redisUrl).count - before - 1) / IDLE_SECONDS[size];
}

const detachedBody = (): string => smallBody(DETACHED).text;

/** Returns the CPU time of a batch that nobody waits for, results read, ms. */
async function cpuOfDetached(node: StartedFleet): Promise<number> {
  const before = cpuOf(node);
  const begun = await fetch(`${node.url}/evaluate?wait=0`, { method: 'POST', headers: JSON_TYPE, body: detachedBody() });
  const location = begun.headers.get('location') ?? '';
  const text = await (await fetch(`${node.url}${location}/results`)).text();
  const verdicts = text.trim().split('\n').length;
  if (begun.status !== 202 || verdicts !== DETACHED) throw new Error(`${begun.status}: ${verdicts} verdicts`);
  return cpuOf(node) - before;
}

/** Returns the CPU time of the same batch, for which its client waits, ms. */
async function cpuOfWaited(embedded: Service): Promise<number> {
  const before = cpuOf(embedded);
  const headers = { ...JSON_TYPE, accept: 'application/x-ndjson' };
  const answer = await fetch(`${embedded.url}/evaluate`, { method: 'POST', headers, body: detachedBody() });
  if (!(await answer.text()).includes(`"accepted":${DETACHED},`)) throw new Error('the batch was not accepted');
  return cpuOf(embedded) - before;
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const ratio = (value: number): string => `${fixedText(value, 2)} ×`;
const percent = (value: number): string => `${fixedText(100 * value, 0)} %`;
