import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { writeJson } from '#go';
import { probeDefinition, probeObject } from '../workloads/long-work.ts';

/** Way in which a client ends an evaluation: a DELETE request, or closing the connection. */
export type StopWay = 'DELETE' | 'hang-up';

/** Service in one process whose evaluations a client ends early. Its metrics show the work of its engine. */
export interface StoppedSystem {
  readonly url: string;
  /** Number of chunks that the engine runs at the same time. */
  readonly slots: number;
}

/** Result of an evaluation that a client ended. */
export interface Stop {
  /** Time in ms from the request to stop to the end of the last running chunk; undefined if this end was not observed. */
  readonly ms: number | undefined;
  /**
   * State of the evaluation in the service after the client ended it. The state is `gone` if the service no longer stores the evaluation,
   * for example after a hang-up.
   */
  readonly state: string;
}

/** Kind of work with objects that are larger than a chunk may be. Each object therefore forms one chunk. */
const WORK = 'deep equality';
/** Number of objects for each engine thread. One object is validated while the remaining objects wait. */
const OBJECTS_A_SLOT = 3;
/**
 * Time in ms after which all engine threads are working. The evaluation is stopped after this time and an additional delay that differs for
 * each sample.
 */
const BEGUN_MS = 250;
const LOOK_MS = 3;
const GIVE_UP_MS = 6000;

/** Keeps all threads of a system busy for seconds, ends the evaluation, and waits until the threads stop working on it. */
export async function stopOverHttp(system: StoppedSystem, ending: StopWay, sample: number): Promise<Stop> {
  const objects = Array.from({ length: OBJECTS_A_SLOT * system.slots }, () => probeObject(WORK));
  const body = `{"definitions":[${writeJson(probeDefinition(WORK))}],"objects":[${objects.join(',')}]}`;
  const end = ending === 'DELETE' ? await detached(system.url, body) : attached(system.url, body);
  await pause(BEGUN_MS + ((sample * 37) % 90));
  // Chunks that ended by themselves in the meantime do not count as stopped.
  const running = (await chunksEnded(system)) + system.slots;
  const requestedAt = performance.now();
  const state = await end();
  const stopped = await until(async () => (await chunksEnded(system)) >= running);
  return { ms: stopped ? performance.now() - requestedAt : undefined, state: await state() };
}

type EndOf = () => Promise<() => Promise<string>>;

/** Begins an asynchronous evaluation. The returned function ends it with a DELETE request. */
async function detached(url: string, body: string): Promise<EndOf> {
  const accepted = await fetch(`${url}/evaluate?wait=0`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const place = `${url}${accepted.headers.get('location') ?? ''}`;
  await accepted.body?.cancel();
  return async () => {
    await fetch(place, { method: 'DELETE' });
    return async () => ((await (await fetch(place)).json()) as { state?: string }).state ?? 'unknown';
  };
}

/** Begins a synchronous evaluation. The returned function ends it by closing the connection. */
function attached(url: string, body: string): EndOf {
  const call = request(`${url}/evaluate`, { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } });
  call.on('error', () => undefined);
  call.end(body);
  return () => {
    call.destroy();
    return Promise.resolve(() => Promise.resolve('gone'));
  };
}

async function until(reached: () => Promise<boolean>): Promise<boolean> {
  const limit = performance.now() + GIVE_UP_MS;
  while (performance.now() < limit) {
    if (await reached()) return true;
    await pause(LOOK_MS);
  }
  return false;
}

/** Returns the number of chunks that the engine has ended so far, including cancelled chunks. */
async function chunksEnded({ url }: StoppedSystem): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return Number(/^assay_chunk_duration_seconds_count (\d+)/m.exec(page)?.[1] ?? 0);
}

/** The answer to a request whose deadline was too short for its work. */
export interface Deadline {
  /** Time in ms from the sending of the request to the end of the answer. */
  readonly ms: number;
  readonly items: number;
  readonly judged: number;
  /** Number of items that were answered with 408; a request that was answered with 408 as a whole counts with all its items. */
  readonly tooLate: number;
}

const LONG_OBJECTS = 6;

/** Sends a request with a deadline. It contains one small object, and objects that take some seconds to validate. */
export async function answerByDeadline(url: string, deadlineMs: number): Promise<Deadline> {
  const short = '{"apiVersion":"probes.assay.example.com/v1","kind":"Probe","metadata":{"name":"short"},"lists":[[[1]]]}';
  const objects = [short, ...Array.from({ length: LONG_OBJECTS }, () => probeObject(WORK))];
  const body = `{"definitions":[${writeJson(probeDefinition(WORK))}],"objects":[${objects.join(',')}],"options":{"deadline":"${deadlineMs}ms"}}`;
  const started = performance.now();
  const response = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = (await response.json()) as { items?: { outcome: string; status?: { code: number } }[] };
  const ms = performance.now() - started;
  // If nothing was evaluated in time, the request gets a 408.
  if (answer.items === undefined) return { ms, items: objects.length, judged: 0, tooLate: response.status === 408 ? objects.length : 0 };
  return {
    ms,
    items: objects.length,
    judged: answer.items.filter(({ outcome }) => outcome === 'accepted').length,
    tooLate: answer.items.filter(({ outcome, status }) => outcome === 'cancelled' && status?.code === 408).length,
  };
}
