import { sentDigest } from '#evaluation';
import { writeJson } from '#go';
import { loadavg } from 'node:os';
import { fixedText, timesText } from '#charts';
import { closedLoad } from '../load/closed-load.ts';
import { startParsingServer } from '../load/start-bare-server.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { streamLines } from '../load/stream-lines.ts';
import { cpuMs, processTree } from '../measure/process-cpu.ts';
import { median } from '#benchmark';
import { SMALL_DEFINITION, smallLines, smallObject } from '../workloads/request-bodies.ts';
import { routeDefinition, routeObject } from '../workloads/route-body.ts';
import type { BenchTable } from './bench-table.ts';

const CONNECTIONS = 32;
const ROUNDS = { quick: 3, full: 9 } as const;
const SECONDS = { quick: 1, full: 2.5 } as const;
const WARM_UP_REQUESTS = { quick: 1500, full: 6000 } as const;
/** Lines of the stream of small objects. */
const STREAMED = { quick: 60_000, full: 600_000 } as const;
/** What is wanted of a stream of small objects. */
const WANTED_STREAM = { perSecond: 100_000, cpuMicros: 12 } as const;

/** A request that is sent over and over, and what is wanted of it beside the bare server. */
interface RequestCase {
  readonly name: string;
  readonly body: string;
  /** Multiple of the bare server's CPU time a request. */
  readonly wantedCpu: number;
  /** Share of the bare server's requests a second. */
  readonly wantedShare: number;
  /** A definition that the service is sent once, before. */
  readonly kept?: string;
}

/** One closed load over one server. */
interface RoundFigures {
  /** CPU time of all processes of the server a request, µs. */
  readonly cpuMicros: number;
  readonly perSecond: number;
}

const envelope = (definition: string, object: string): string => `{"definitions":[${definition}],"objects":[${object}]}`;

const referring = (definition: string, object: string): string =>
  `{"definitionRefs":["${sentDigest(Buffer.from(definition))}"],"objects":[${object}]}`;

/** What requests cost over all processes of the service, beside a bare Fastify that parses the same bytes and answers as many. */
export async function benchRequests(quick: boolean): Promise<BenchTable[]> {
  const size = quick ? 'quick' : 'full';
  const cases: readonly RequestCase[] = [
    { name: 'one small object', body: envelope(writeJson(SMALL_DEFINITION), smallObject(1)), wantedCpu: 5, wantedShare: 0.25 },
    { name: 'one HTTPRoute', body: envelope(routeDefinition(), routeObject()), wantedCpu: 1.2, wantedShare: 0.8 },
    // The bare server is sent as few bytes: what is wanted is what is wanted of a small request.
    {
      name: 'one HTTPRoute by reference',
      body: referring(routeDefinition(), routeObject()),
      wantedCpu: 5,
      wantedShare: 0.25,
      kept: routeDefinition(),
    },
  ];
  const load = loadavg()[0];
  const [service, bare] = [await startService(), await startParsingServer()];
  try {
    const rows: string[][] = [];
    const failedGates: string[] = [];
    for (const one of cases) {
      const { row, failed } = await besideBare(one, service, bare, size);
      rows.push(row);
      failedGates.push(...failed);
    }
    const notes = [
      `Closed load of ${CONNECTIONS} connections, in turns with the bare server, median of ${ROUNDS[size]} rounds of ${SECONDS[size]} s; CPU: user and system of all processes of the server. Load before: ${fixedText(load, 1)}.`,
    ];
    const columns = ['request', 'bytes', 'CPU µs', 'bare', '×', 'wanted', 'requests/s', 'bare', 'share', 'wanted'];
    return [{ columns, rows, failedGates, notes }, await benchStream(service, size)];
  } finally {
    await Promise.all([service.stop(), bare.stop()]);
  }
}

async function besideBare(
  { name, body, wantedCpu, wantedShare, kept }: RequestCase,
  service: Service,
  bare: Service,
  size: 'quick' | 'full',
): Promise<{ readonly row: string[]; readonly failed: readonly string[] }> {
  const url = `${service.url}/evaluate`;
  if (kept !== undefined) await keep(service.url, kept);
  const sample = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = await sample.text();
  if (!accepted(answer)) throw new Error(`${name}: ${answer.slice(0, 500)}`);
  const bareUrl = `${bare.url}/evaluate?bytes=${answer.length}`;
  for (const warm of [url, bareUrl]) await closedLoad(warm, body, { connections: CONNECTIONS, requests: WARM_UP_REQUESTS[size] });
  const [ours, theirs]: [RoundFigures[], RoundFigures[]] = [[], []];
  for (let round = 0; round < ROUNDS[size]; round++) {
    ours.push(await oneRound(service, url, body, SECONDS[size], accepted));
    theirs.push(await oneRound(bare, bareUrl, body, SECONDS[size], (text) => text.length === answer.length));
  }
  const figure = (rounds: readonly RoundFigures[], of: keyof RoundFigures): number => median(rounds.map((one) => one[of])) ?? Number.NaN;
  const cpuRatio = median(ours.map((one, i) => one.cpuMicros / (theirs[i]?.cpuMicros ?? Number.NaN)));
  const share = median(ours.map((one, i) => one.perSecond / (theirs[i]?.perSecond ?? Number.NaN)));
  return {
    row: [
      name,
      String(body.length),
      fixedText(figure(ours, 'cpuMicros'), 0),
      fixedText(figure(theirs, 'cpuMicros'), 0),
      timesText(cpuRatio),
      `≤ ${wantedCpu} ×`,
      fixedText(figure(ours, 'perSecond'), 0),
      fixedText(figure(theirs, 'perSecond'), 0),
      `${fixedText(100 * (share ?? Number.NaN), 0)} %`,
      `≥ ${100 * wantedShare} %`,
    ],
    failed: [
      ...((cpuRatio ?? Infinity) <= wantedCpu ? [] : [`${name}: CPU ${timesText(cpuRatio)}, wanted ${wantedCpu}`]),
      ...((share ?? 0) >= wantedShare
        ? []
        : [`${name}: ${fixedText(100 * (share ?? 0), 0)} % of the requests, wanted ${100 * wantedShare}`]),
    ],
  };
}

/** Sends a definition that requests name by its digest from then on. */
async function keep(url: string, definition: string): Promise<void> {
  const digest = sentDigest(Buffer.from(definition));
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/definitions/${digest}`, { method: 'PUT', headers, body: definition });
  if (!answer.ok) throw new Error(`the definition is not kept: ${await answer.text()}`);
}

/** The summary stands at the end of an answer. */
const SUMMARY_CHARACTERS = 400;
const accepted = (answer: string): boolean => answer.slice(-SUMMARY_CHARACTERS).includes('"summary":{"items":1,"accepted":1,');

async function oneRound(
  { processId }: Service,
  url: string,
  body: string,
  seconds: number,
  expected: (answer: string) => boolean,
): Promise<RoundFigures> {
  const processes = processTree(processId);
  const before = cpuMs(processes);
  const { requests, failures, requestsPerSecond } = await closedLoad(url, body, { connections: CONNECTIONS, seconds, expected });
  if (failures > 0) throw new Error(`${url}: ${failures} of ${requests} answers are not as expected`);
  return { cpuMicros: (1000 * (cpuMs(processes) - before)) / requests, perSecond: requestsPerSecond };
}

/** A stream of small objects through the embedded service: objects a second, and CPU time an object over all processes. */
async function benchStream(service: Service, size: 'quick' | 'full'): Promise<BenchTable> {
  const rows: string[][] = [];
  const best = { perSecond: 0, cpuMicros: Infinity };
  for (let round = 0; round < ROUNDS[size]; round++) {
    const processes = processTree(service.processId);
    const before = cpuMs(processes);
    const count = STREAMED[size];
    const { seconds, lastLine, peaks } = await streamLines(`${service.url}/evaluate?deadline=1h`, smallLines(count), [
      ['service', service.processId],
    ]);
    if (!lastLine.includes(`"accepted":${count},`)) throw new Error(`the stream ended with ${lastLine.slice(0, 500)}`);
    const figures = { perSecond: count / seconds, cpuMicros: (1000 * (cpuMs(processes) - before)) / count };
    best.perSecond = Math.max(best.perSecond, figures.perSecond);
    best.cpuMicros = Math.min(best.cpuMicros, figures.cpuMicros);
    rows.push([
      String(round + 1),
      fixedText(figures.perSecond, 0),
      fixedText(figures.cpuMicros, 1),
      String(peaks[0]?.distinctPeakMb ?? ''),
      String(peaks[0]?.peakMb ?? ''),
      fixedText(loadavg()[0], 1),
    ]);
  }
  return {
    columns: ['stream of small objects, round', 'objects/s', 'CPU µs an object', 'peak MB', 'with shared pages twice', 'load'],
    rows,
    failedGates: [
      ...(best.perSecond >= WANTED_STREAM.perSecond
        ? []
        : [`objects/s: ${fixedText(best.perSecond, 0)}, wanted ${WANTED_STREAM.perSecond}`]),
      ...(best.cpuMicros <= WANTED_STREAM.cpuMicros
        ? []
        : [`CPU an object: ${fixedText(best.cpuMicros, 1)} µs, wanted ${WANTED_STREAM.cpuMicros}`]),
    ],
    notes: [`${STREAMED[size]} lines a round; the client that writes and reads them shares the cores.`],
  };
}
