import { median } from '#benchmark';
import { closedLoad } from '../load/closed-load.ts';
import type { ClosedLoadOptions } from '../load/closed-load.ts';
import type { StartedFleet } from '../load/start-fleet.ts';
import type { Service } from '../load/start-service.ts';
import { streamLines } from '../load/stream-lines.ts';
import type { StreamedBody } from '../load/stream-lines.ts';
import { cpuMs, processTree } from '../measure/process-cpu.ts';
import { redisCommands } from '../measure/redis-commands.ts';
import type { EvaluateBody } from '../workloads/request-bodies.ts';

/** Number of objects that were sent and validated, and the seconds from the first to the last object. */
export interface SendFigures {
  readonly objects: number;
  readonly seconds: number;
}

/** Figures of one round. */
export interface Round {
  /** CPU time per object in µs, over all processes of the system and of its Redis. */
  readonly cpuMicros: number;
  /** Number of objects per second. */
  readonly perSecond: number;
}

/** System, with the function that sends one round of work to it. */
export interface Side {
  readonly system: Service | StartedFleet;
  readonly send: () => Promise<SendFigures>;
}

/**
 * Comparison of two systems that were measured in alternating rounds. It contains the medians of each system, and the medians of the
 * rounds' ratios (second system ÷ first system).
 */
export interface SideBySide {
  readonly first: Round;
  readonly second: Round;
  readonly ratios: Round;
}

/** Longest time in seconds in which a service may answer nothing before a bench gives up. */
const MAX_SILENT_SECONDS = 30;

/**
 * Posts a body over and over. Throws if an answer is not as expected. If the time is too short for one answer, posts for twice the time, up
 * to {@link MAX_SILENT_SECONDS}.
 */
export async function sendRequests(
  url: string,
  { text, objects, accepted }: Omit<EvaluateBody, 'name'>,
  options: ClosedLoadOptions,
): Promise<SendFigures> {
  const { requests, failures, requestsPerSecond } = await closedLoad(url, text, { ...options, expected: accepted });
  const { seconds } = options;
  if (requests === 0 && failures === 0 && seconds !== undefined && seconds < MAX_SILENT_SECONDS)
    return sendRequests(url, { text, objects, accepted }, { ...options, seconds: 2 * seconds });
  if (failures > 0 || requests === 0) throw new Error(`${url}: ${failures} of ${requests} answers are not as expected`);
  return { objects: requests * objects, seconds: requests / requestsPerSecond };
}

/** Sends `count` objects in one stream. Throws if an object is not accepted. */
export async function sendStream(
  { url, processId }: Service,
  lines: (count: number) => Iterable<string>,
  count: number,
): Promise<SendFigures & StreamedBody> {
  const streamed = await streamLines(`${url}/evaluate?deadline=1h`, lines(count), [['service', processId]]);
  if (!streamed.lastLine.includes(`"accepted":${count},`)) throw new Error(`the stream ended with ${streamed.lastLine.slice(0, 500)}`);
  return { objects: count, ...streamed };
}

/** Returns the CPU time of all processes of a system and of its Redis, in ms. */
export function systemCpuMs(system: Service | StartedFleet): number {
  return cpuMs(processTree(system.processId)) + ('redisUrl' in system ? redisCommands(system.redisUrl).cpuMs : 0);
}

/** Calls `send` once and returns its figures together with the CPU time and the throughput. */
export async function roundOf<S extends SendFigures>(system: Service | StartedFleet, send: () => Promise<S>): Promise<S & Round> {
  const before = systemCpuMs(system);
  const figures = await send();
  return { ...figures, cpuMicros: (1000 * (systemCpuMs(system) - before)) / figures.objects, perSecond: figures.objects / figures.seconds };
}

/** Measures two systems in alternating rounds and returns their comparison. */
export async function sideBySide(first: Side, second: Side, rounds: number): Promise<SideBySide> {
  const taken: { readonly first: Round; readonly second: Round; readonly ratios: Round }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [a, b] = [await roundOf(first.system, first.send), await roundOf(second.system, second.send)];
    taken.push({ first: a, second: b, ratios: { cpuMicros: b.cpuMicros / a.cpuMicros, perSecond: b.perSecond / a.perSecond } });
  }
  const medians = (of: keyof SideBySide): Round => ({
    cpuMicros: median(taken.map((one) => one[of].cpuMicros)) ?? Number.NaN,
    perSecond: median(taken.map((one) => one[of].perSecond)) ?? Number.NaN,
  });
  return { first: medians('first'), second: medians('second'), ratios: medians('ratios') };
}
