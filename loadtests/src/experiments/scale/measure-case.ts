import { availableParallelism } from 'node:os';
import type { Lab, Choice } from '../../lab.ts';
import { closedLoad } from '../../load/closed-load.ts';
import type { StartedFleet } from '../../load/start-fleet.ts';
import { smallBody } from '../../workloads/request-bodies.ts';
import { spentBy, spentSince } from './spent.ts';
import type { Spent } from './spent.ts';

/** Objects a request, at most as many as a chunk holds. */
export const BATCHES: Choice<readonly number[]> = { quick: [1, 250], full: [1, 25, 250] };
const SECONDS = { quick: 0.5, full: 1.5 } as const;
/** Loads that are timed and loads that are counted take turns: a machine that gets slower for some seconds changes both. */
const ROUNDS = { quick: 1, full: 4 } as const;
const WARM_UP_SECONDS = { quick: 1, full: 3 } as const;
/** Requests that are under way at once. */
export const CONNECTIONS = 8;

/** What one request costs: CPU time by who spends it, ms; the rest of its time when nobody else sends; what it makes Redis do. */
export interface RequestDemands {
  readonly api: number;
  /** The worker's own, which asks Redis for chunks and writes verdicts. */
  readonly worker: number;
  /** That of the worker's engine host, where objects are judged. */
  readonly engine: number;
  readonly redis: number;
  /** The load generator's. */
  readonly client: number;
  readonly delay: number;
  readonly redisCommands: number;
  readonly redisBytes: number;
}

/** What a fleet did under closed load. */
export interface MeasuredCase {
  /** Requests a second, of each round. */
  readonly perSecond: readonly number[];
  /** Cores that nothing else on the machine was using meanwhile. */
  readonly cores: number;
  /** Those of them that the fleet and the load generator kept busy. */
  readonly busyCores: number;
  /** What a request cost in the rounds between. */
  readonly demands: RequestDemands;
}

/** Warms a fleet up. */
export async function warmUp(lab: Lab, fleet: StartedFleet): Promise<void> {
  for (const batch of lab.of(BATCHES))
    await closedLoad(`${fleet.url}/evaluate`, smallBody(batch).text, {
      connections: CONNECTIONS,
      seconds: lab.of(WARM_UP_SECONDS),
      signal: lab.signal,
    });
}

/** Measures requests a second of so many objects, and in rounds between what one costs; undefined where a request failed or none was answered. */
export async function measureCase(lab: Lab, fleet: StartedFleet, batch: number): Promise<MeasuredCase | undefined> {
  const alone = await measureLoad(lab, fleet, batch, 1);
  const counted: Load[] = [];
  const timed: Load[] = [];
  for (let round = 0; round < lab.of(ROUNDS); round++) {
    const [one, other] = [await measureLoad(lab, fleet, batch), await measureLoad(lab, fleet, batch)];
    if (one === undefined || other === undefined) return undefined;
    timed.push(one);
    counted.push(other);
  }
  if (alone === undefined) return undefined;
  const elapsedMs = sum(counted, (load) => load.elapsedMs);
  const others = sum(counted, ({ spent }) => spent.others) / elapsedMs;
  const own = sum(counted, ({ spent: { api, worker, engine, redis, client } }) => api + worker + engine + redis + client);
  return {
    perSecond: counted.map(({ perSecond }) => perSecond),
    // Others are counted by the clock's ticks: they cannot have left less than was used here.
    cores: Math.max(own / elapsedMs, availableParallelism() - Math.max(0, others)),
    busyCores: own / elapsedMs,
    demands: demandsOf(timed, 1000 / alone.perSecond),
  };
}

/** Requests under closed load, and what was spent on them. */
interface Load {
  readonly requests: number;
  readonly perSecond: number;
  readonly elapsedMs: number;
  readonly spent: Spent;
}

async function measureLoad(lab: Lab, fleet: StartedFleet, batch: number, connections = CONNECTIONS): Promise<Load | undefined> {
  const body = smallBody(batch);
  const [begun, before] = [performance.now(), spentBy(fleet)];
  const { failures, requests, requestsPerSecond } = await closedLoad(`${fleet.url}/evaluate`, body.text, {
    connections,
    seconds: lab.of(SECONDS),
    expected: body.accepted,
    signal: lab.signal,
  });
  if (failures > 0 || requests === 0 || requestsPerSecond === 0) return undefined;
  return { requests, perSecond: requestsPerSecond, elapsedMs: performance.now() - begun, spent: spentSince(before, spentBy(fleet)) };
}

function demandsOf(loads: readonly Load[], aloneMs: number): RequestDemands {
  const requests = sum(loads, (load) => load.requests);
  const each = (figure: (spent: Spent) => number): number => sum(loads, ({ spent }) => figure(spent)) / requests;
  const computed = {
    api: each(({ api }) => api),
    worker: each(({ worker }) => worker),
    engine: each(({ engine }) => engine),
    redis: each(({ redis }) => redis),
    client: each(({ client }) => client),
  };
  return {
    ...computed,
    delay: Math.max(0, aloneMs - sum(Object.values(computed), (one) => one)),
    redisCommands: each(({ commands }) => commands),
    redisBytes: each(({ bytes }) => bytes),
  };
}

const sum = <T>(items: readonly T[], figure: (item: T) => number): number => items.reduce((total, item) => total + figure(item), 0);
