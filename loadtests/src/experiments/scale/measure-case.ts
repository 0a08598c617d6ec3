import { availableParallelism } from 'node:os';
import type { Lab, Choice } from '../../lab.ts';
import { closedLoad } from '../../load/closed-load.ts';
import { smallBody } from '../../workloads/request-bodies.ts';
import { spentBy, spentSince } from './spent.ts';
import type { LoadedSystem, Spent } from './spent.ts';

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
  /** The serving process's own. */
  readonly node: number;
  /** That of its engine host, where objects are judged. */
  readonly engine: number;
  readonly redis: number;
  /** The load generator's. */
  readonly client: number;
  readonly delay: number;
  readonly redisCommands: number;
}

/** Figures of a system under closed load. */
export interface MeasuredCase {
  /** Requests a second, of each round. */
  readonly perSecond: readonly number[];
  /** Cores that nothing else on the machine was using meanwhile. */
  readonly cores: number;
  /** Those of them that the system and the load generator kept busy. */
  readonly busyCores: number;
  /** Demands of a request in the rounds between. */
  readonly demands: RequestDemands;
}

/** Warms a system up. */
export async function warmUp(lab: Lab, system: LoadedSystem): Promise<void> {
  for (const batch of lab.of(BATCHES))
    await closedLoad(`${system.url}/evaluate`, smallBody(batch).text, {
      connections: CONNECTIONS,
      seconds: lab.of(WARM_UP_SECONDS),
      signal: lab.signal,
    });
}

/** Measures requests a second of so many objects, and in rounds between what one costs; undefined where a request failed or none was answered. */
export async function measureCase(lab: Lab, system: LoadedSystem, batch: number): Promise<MeasuredCase | undefined> {
  const alone = await measureLoad(lab, system, batch, 1);
  const counted: Load[] = [];
  const timed: Load[] = [];
  for (let round = 0; round < lab.of(ROUNDS); round++) {
    const [one, other] = [await measureLoad(lab, system, batch), await measureLoad(lab, system, batch)];
    if (one === undefined || other === undefined) return undefined;
    timed.push(one);
    counted.push(other);
  }
  if (alone === undefined) return undefined;
  const elapsedMs = sum(counted, (load) => load.elapsedMs);
  const others = sum(counted, ({ spent }) => spent.others) / elapsedMs;
  const own = sum(counted, ({ spent: { node, engine, redis, client } }) => node + engine + redis + client);
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

async function measureLoad(lab: Lab, system: LoadedSystem, batch: number, connections = CONNECTIONS): Promise<Load | undefined> {
  const body = smallBody(batch);
  const [begun, before] = [performance.now(), spentBy(system)];
  const { failures, requests, requestsPerSecond } = await closedLoad(`${system.url}/evaluate`, body.text, {
    connections,
    seconds: lab.of(SECONDS),
    expected: body.accepted,
    signal: lab.signal,
  });
  if (failures > 0 || requests === 0 || requestsPerSecond === 0) return undefined;
  return { requests, perSecond: requestsPerSecond, elapsedMs: performance.now() - begun, spent: spentSince(before, spentBy(system)) };
}

function demandsOf(loads: readonly Load[], aloneMs: number): RequestDemands {
  const requests = sum(loads, (load) => load.requests);
  const each = (figure: (spent: Spent) => number): number => sum(loads, ({ spent }) => figure(spent)) / requests;
  const computed = {
    node: each(({ node }) => node),
    engine: each(({ engine }) => engine),
    redis: each(({ redis }) => redis),
    client: each(({ client }) => client),
  };
  return {
    ...computed,
    delay: Math.max(0, aloneMs - sum(Object.values(computed), (one) => one)),
    redisCommands: each(({ commands }) => commands),
  };
}

const sum = <T>(items: readonly T[], figure: (item: T) => number): number => items.reduce((total, item) => total + figure(item), 0);
