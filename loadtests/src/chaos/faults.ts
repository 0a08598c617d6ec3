import { setTimeout } from 'node:timers/promises';
import type { Fleet, FleetKind, Member } from './fleet.ts';

/** A kind of fault. */
export interface FaultKind {
  readonly name: string;
  /** What Redis knew is gone: evaluations under way may end as lost, and say so. Those of other faults may not. */
  readonly loses?: boolean;
  /** Of what fleet; undefined: of any. */
  readonly of?: FleetKind;
  /** How often it comes, compared with others. */
  readonly weight: number;
  /** Shortest and longest time that it lasts, ms. */
  readonly lasts: readonly [shortest: number, longest: number];
  /** Hurts the fleet, waits, and heals it as far as it does not heal itself. `target` picks among equals. */
  readonly strike: (fleet: Fleet, ms: number, target: number) => Promise<void>;
}

/** One of those that judge: a worker, or the API where it does that itself. */
function judging(fleet: Fleet, target: number): Member {
  const { workers, api } = fleet;
  return workers[target % Math.max(1, workers.length)] ?? api;
}

/** A journal of that size cannot take another evaluation: some 100 KiB. */
const BLOCKS_WHEN_FULL = 200;

/** Sends a signal; false when there is no such process any more. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function freeze(pid: number | undefined, ms: number): Promise<void> {
  // One that has just ended by itself cannot be frozen; that it ended is found elsewhere.
  if (pid === undefined || !signalled(pid, 'SIGSTOP')) return;
  await setTimeout(ms);
  signalled(pid, 'SIGCONT');
}

/** A copy of each waiting job under a name of its own: BullMQ delivers at least once, and sometimes twice. */
const DOUBLE_TOKENS = `
for _, key in ipairs(redis.call('KEYS', '*:chunks:wait')) do
  local prefix = string.sub(key, 1, -5)
  for _, job in ipairs(redis.call('LRANGE', key, 0, -1)) do
    local copy = job .. '-again-' .. redis.call('TIME')[2]
    local found = redis.call('DUMP', prefix .. job)
    if found and redis.call('EXISTS', prefix .. copy) == 0 then
      redis.call('RESTORE', prefix .. copy, 0, found)
      redis.call('LPUSH', key, copy)
    end
  end
end`;

/** What befalls a fleet. */
export const FAULT_KINDS: readonly FaultKind[] = [
  {
    name: 'worker killed',
    of: 'redis',
    weight: 6,
    lasts: [50, 1500],
    strike: (fleet, ms, target) => fleet.kill(judging(fleet, target), ms),
  },
  {
    name: 'worker frozen',
    of: 'redis',
    weight: 4,
    lasts: [100, 2500],
    strike: (fleet, ms, target) => freeze(judging(fleet, target).process.pid, ms),
  },
  {
    name: 'worker frozen past its lease',
    of: 'redis',
    weight: 0.5,
    lasts: [12_000, 16_000],
    strike: (fleet, ms, target) => freeze(judging(fleet, target).process.pid, ms),
  },
  {
    name: 'engine host killed',
    weight: 5,
    lasts: [20, 300],
    strike: async (fleet, ms, target) => {
      const [host] = fleet.childrenOf(judging(fleet, target));
      if (host !== undefined) signalled(host, target % 2 === 0 ? 'SIGKILL' : 'SIGABRT');
      await setTimeout(ms);
    },
  },
  { name: 'API killed', weight: 2, lasts: [50, 800], strike: (fleet, ms) => fleet.kill(fleet.api, ms) },
  {
    name: 'disk full for the journal',
    of: 'embedded',
    weight: 2,
    lasts: [2500, 5000],
    strike: async (fleet, ms) => {
      await fleet.kill(fleet.api, 0, BLOCKS_WHEN_FULL);
      await setTimeout(ms);
      await fleet.kill(fleet.api, 0);
    },
  },
  { name: 'API frozen', weight: 2, lasts: [100, 2500], strike: (fleet, ms) => freeze(fleet.api.process.pid, ms) },
  { name: 'Redis killed, remembers', of: 'redis', weight: 2, lasts: [20, 1000], strike: (fleet, ms) => fleet.restartRedis(true, ms) },
  {
    name: 'Redis killed, forgets',
    of: 'redis',
    weight: 1,
    loses: true,
    lasts: [20, 1000],
    strike: (fleet, ms) => fleet.restartRedis(false, ms),
  },
  {
    name: 'Redis flushed',
    of: 'redis',
    weight: 1,
    loses: true,
    lasts: [10, 100],
    strike: async (fleet, ms) => {
      fleet.redis('FLUSHALL');
      await setTimeout(ms);
    },
  },
  { name: 'Redis frozen', of: 'redis', weight: 2, lasts: [100, 2000], strike: (fleet, ms) => freeze(fleet.redisPid, ms) },
  {
    name: 'Redis full',
    of: 'redis',
    weight: 1,
    lasts: [100, 1500],
    strike: async (fleet, ms) => {
      fleet.redis('CONFIG', 'SET', 'maxmemory', '1mb');
      await setTimeout(ms);
      fleet.redis('CONFIG', 'SET', 'maxmemory', '0');
    },
  },
  {
    name: 'connections killed by Redis',
    of: 'redis',
    weight: 2,
    lasts: [10, 200],
    strike: async (fleet, ms) => {
      fleet.redis('CLIENT', 'KILL', 'TYPE', 'normal');
      fleet.redis('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await setTimeout(ms);
    },
  },
  {
    name: 'connections cut',
    of: 'redis',
    weight: 4,
    lasts: [10, 300],
    strike: async (fleet, ms) => {
      fleet.proxy?.cut();
      await setTimeout(ms);
    },
  },
  {
    name: 'tokens doubled',
    of: 'redis',
    weight: 1,
    lasts: [10, 50],
    strike: async (fleet, ms) => {
      fleet.redis('EVAL', DOUBLE_TOKENS, '0');
      await setTimeout(ms);
    },
  },
  {
    name: 'network slow',
    of: 'redis',
    weight: 3,
    lasts: [300, 2500],
    strike: (fleet, ms, target) => weather(fleet, 'slow', ms, 10 + (target % 200)),
  },
  { name: 'network stuck', of: 'redis', weight: 2, lasts: [200, 3000], strike: (fleet, ms) => weather(fleet, 'stuck', ms) },
  {
    name: 'replies lost',
    of: 'redis',
    weight: 4,
    lasts: [20, 400],
    strike: async (fleet, ms) => {
      await weather(fleet, 'lossy', ms);
      // Who waits for a reply that was lost would wait for ever on a connection that lives.
      fleet.proxy?.cut();
    },
  },
];

async function weather(fleet: Fleet, kind: 'slow' | 'stuck' | 'lossy', ms: number, delayMs = 0): Promise<void> {
  fleet.proxy?.turn(kind, delayMs);
  await setTimeout(ms);
  fleet.proxy?.turn('fair');
}

/** One fault that is planned. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** Quiet before it, ms. */
  readonly afterMs: number;
  readonly lastsMs: number;
  readonly target: number;
}

const QUIET_MS = [50, 600] as const;

/** Plans faults: the same for the same seed. What happens between them is not. */
export function planFaults(count: number, random: () => number, fleet: FleetKind): PlannedFault[] {
  const kinds = FAULT_KINDS.filter(({ of }) => of === undefined || of === fleet);
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const between = ([low, high]: readonly [number, number]): number => Math.round(low + random() * (high - low));
  return Array.from({ length: count }, () => {
    let at = random() * total;
    const kind = kinds.find(({ weight }) => (at -= weight) < 0) ?? kinds[0];
    if (kind === undefined) throw new Error('there are no kinds of faults');
    return { kind, afterMs: between(QUIET_MS), lastsMs: between(kind.lasts), target: Math.floor(random() * 1e6) };
  });
}
