import { loadavg } from 'node:os';
import { sentDigest } from '#documents';
import { writeJson } from '#go';
import { fixedText } from '#numbers';
import { closedLoad } from '../load/closed-load.ts';
import { startParsingServer } from '../load/start-bare-server.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { acceptedAll, SMALL_DEFINITION, smallLines, smallObject } from '../workloads/request-bodies.ts';
import { routeDefinition, routeObject } from '../workloads/route-body.ts';
import type { BenchTable } from './bench-table.ts';
import { roundOf, sendRequests, sendStream, sideBySide } from './service-rounds.ts';
import type { SideBySide } from './service-rounds.ts';

const CONNECTIONS = 32;
const ROUNDS = { quick: 3, full: 9 } as const;
const SECONDS = { quick: 1, full: 2.5 } as const;
const WARM_UP_REQUESTS = { quick: 1500, full: 6000 } as const;
/** Number of lines in the stream of small objects. */
const STREAMED = { quick: 60_000, full: 600_000 } as const;

/** Request that is sent repeatedly, with its allowed figures relative to a bare Fastify server. */
interface RequestCase {
  readonly name: string;
  readonly text: string;
  /** Highest allowed CPU time for each request, as a multiple of the bare server's. */
  readonly wantedCpu: number;
  /** Lowest allowed number of requests per second, as a share of the bare server's. */
  readonly wantedShare: number;
  /** Definition that the service stores before the requests, so that they can refer to it by its digest. */
  readonly kept?: string;
}

/**
 * Measures the cost of requests in all processes of the service. For comparison, measures a bare Fastify server that parses the same bytes
 * and answers with the same number of bytes.
 */
export async function benchRequests(quick: boolean): Promise<BenchTable[]> {
  const size = quick ? 'quick' : 'full';
  const load = loadavg()[0];
  const [service, bare] = [await startService(), await startParsingServer()];
  try {
    const compared: { readonly one: RequestCase; readonly beside: SideBySide }[] = [];
    for (const one of cases()) compared.push({ one, beside: await besideBare(one, [service, bare], size) });
    const requests: BenchTable = {
      columns: ['request', 'bytes', 'CPU µs', 'bare', 'requests/s', 'bare'],
      rows: compared.map(({ one, beside: { first, second } }) => [
        one.name,
        String(one.text.length),
        fixedText(second.cpuMicros, 0),
        fixedText(first.cpuMicros, 0),
        fixedText(second.perSecond, 0),
        fixedText(first.perSecond, 0),
      ]),
      wanted: compared.flatMap(({ one: { name, wantedCpu, wantedShare }, beside: { ratios } }) => [
        { name: `${name}: CPU ÷ bare`, value: ratios.cpuMicros, most: wantedCpu },
        { name: `${name}: share of the requests`, value: ratios.perSecond, least: wantedShare },
      ]),
      notes: [
        `Closed load of ${CONNECTIONS} connections, in turns with the bare server, median of ${ROUNDS[size]} rounds of ${SECONDS[size]} s; CPU: user and system of all processes of the server. Load before: ${fixedText(load, 1)}.`,
      ],
    };
    return [requests, await benchStream(service, size)];
  } finally {
    await Promise.all([service.stop(), bare.stop()]);
  }
}

function cases(): RequestCase[] {
  const [definition, object] = [routeDefinition(), routeObject()];
  const envelope = (sent: string, one: string): string => `{"definitions":[${sent}],"objects":[${one}]}`;
  const referring = `{"definitionRefs":["${sentDigest(Buffer.from(definition))}"],"objects":[${object}]}`;
  return [
    { name: 'one small object', text: envelope(writeJson(SMALL_DEFINITION), smallObject(1)), wantedCpu: 5, wantedShare: 0.25 },
    { name: 'one HTTPRoute', text: envelope(definition, object), wantedCpu: 1.2, wantedShare: 0.8 },
    // The bare server gets the same few bytes, so the wanted figures are those of a small request.
    { name: 'one HTTPRoute by reference', text: referring, wantedCpu: 5, wantedShare: 0.25, kept: definition },
  ];
}

async function besideBare(
  { name, text, kept }: RequestCase,
  [service, bare]: readonly [Service, Service],
  size: 'quick' | 'full',
): Promise<SideBySide> {
  const url = `${service.url}/evaluate`;
  if (kept !== undefined) await keep(service.url, kept);
  const sample = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
  const answer = await sample.text();
  const accepted = acceptedAll(1);
  if (!accepted(answer)) throw new Error(`${name}: ${answer.slice(0, 500)}`);
  const bareUrl = `${bare.url}/evaluate?bytes=${answer.length}`;
  for (const warm of [url, bareUrl]) await closedLoad(warm, text, { connections: CONNECTIONS, requests: WARM_UP_REQUESTS[size] });
  const length = { connections: CONNECTIONS, seconds: SECONDS[size] };
  const isAsLong = (other: string): boolean => other.length === answer.length;
  return sideBySide(
    { system: bare, send: () => sendRequests(bareUrl, { text, objects: 1, accepted: isAsLong }, length) },
    { system: service, send: () => sendRequests(url, { text, objects: 1, accepted }, length) },
    ROUNDS[size],
  );
}

/** Stores a definition in the service, so that later requests can refer to it by its digest. */
async function keep(url: string, definition: string): Promise<void> {
  const digest = sentDigest(Buffer.from(definition));
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/definitions/${digest}`, { method: 'PUT', headers, body: definition });
  if (!answer.ok) throw new Error(`the definition is not kept: ${await answer.text()}`);
}

/** Measures a stream of small objects through the embedded service: objects per second, and CPU time of all processes for each object. */
async function benchStream(service: Service, size: 'quick' | 'full'): Promise<BenchTable> {
  const rounds = [];
  for (let round = 0; round < ROUNDS[size]; round++) {
    const streamed = await roundOf(service, () => sendStream(service, smallLines, STREAMED[size]));
    rounds.push({ ...streamed, load: loadavg()[0] });
  }
  return {
    columns: ['stream of small objects, round', 'objects/s', 'CPU µs an object', 'peak MB', 'with shared pages twice', 'load'],
    rows: rounds.map(({ perSecond, cpuMicros, peaks: [peak], load }, i) => [
      String(i + 1),
      fixedText(perSecond, 0),
      fixedText(cpuMicros, 1),
      String(peak?.peakMb ?? ''),
      String(peak?.peakMb ?? ''),
      fixedText(load, 1),
    ]),
    wanted: [
      { name: 'objects a second, best round', value: Math.max(...rounds.map((one) => one.perSecond)), least: 100_000 },
      { name: 'CPU µs an object, best round', value: Math.min(...rounds.map((one) => one.cpuMicros)), most: 12 },
    ],
    notes: [`${STREAMED[size]} lines a round; the client that writes and reads them shares the cores.`],
  };
}
