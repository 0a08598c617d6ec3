import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { childrenOf } from '../measure/process-cpu.ts';
import type { Fleet, FleetKind, Member } from './fleet.ts';

/** Kind of fault that a test can cause in a fleet. */
export interface FaultKind {
  readonly name: string;
  /**
   * True if the fault makes Redis lose data. Evaluations that run during such a fault may end as lost. During any fault that loses no data,
   * a lost evaluation is a violation.
   */
  readonly loses?: boolean;
  /** Kinds of fleets to which the fault applies; undefined means all kinds. */
  readonly of?: readonly FleetKind[];
  /** Shortest and longest duration of the fault, in ms. */
  readonly lasts: readonly [shortest: number, longest: number];
  /**
   * Causes the fault, waits for `ms`, and repairs everything that the fleet does not repair itself. `target` is a whole number that selects
   * one of several equal members.
   */
  readonly strike: (fleet: Fleet, ms: number, target: number) => Promise<void>;
}

/**
 * Returns a member that validates objects for the API node, selected by the remainder of `target`. Returns the API node itself if the fleet
 * has no other member.
 */
function judging(fleet: Fleet, target: number): Member {
  const { others, api } = fleet;
  return others[target % Math.max(1, others.length)] ?? api;
}

/**
 * Limit of the journal file's size that simulates a full disk, in blocks of 512 bytes (about 100 KiB). A journal of this size cannot store
 * another evaluation.
 */
const BLOCKS_WHEN_FULL = 200;

/** Sends a signal to a process. Returns false if the process no longer exists. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Suspends a process for `ms`. */
export async function freeze(pid: number | undefined, ms: number): Promise<void> {
  // The process may have just ended. Another check finds that.
  if (pid === undefined || !signalled(pid, 'SIGSTOP')) return;
  await setTimeout(ms);
  signalled(pid, 'SIGCONT');
}

const freezeJudging: FaultKind['strike'] = (fleet, ms, target) => freeze(judging(fleet, target).process.pid, ms);

/** Sends a signal to the engine host of a process (the child process that validates objects) in order to end the host. */
export function killHost(member: Member, signal: NodeJS.Signals): void {
  const [host] = childrenOf(member.process.pid ?? 0);
  if (host !== undefined) signalled(host, signal);
}

/**
 * Redis script that puts each job that is performed into the line a second time, as if its lock had expired. BullMQ delivers at least once,
 * and therefore sometimes twice.
 */
const DOUBLE_JOBS = `
for _, active in ipairs(redis.call('KEYS', '*:jobs-*:active')) do
  local prefix = string.sub(active, 1, -7)
  for _, job in ipairs(redis.call('LRANGE', active, 0, -1)) do
    redis.call('LPUSH', prefix .. 'wait', job)
    redis.call('ZADD', prefix .. 'marker', 0, '0')
  end
end`;

const HOUR_MS = 3_600_000;

/** Action that a fault performs on a fleet. */
type Deed = (fleet: Fleet, target: number) => unknown;

/** Creates a fault from an action that begins it and an optional action that ends it. */
function lasting(begin: Deed, end?: Deed): FaultKind['strike'] {
  return async (fleet, ms, target) => {
    await begin(fleet, target);
    await setTimeout(ms);
    await end?.(fleet, target);
  };
}

/** Returns an action that runs a Redis command. */
function redis(...words: readonly string[]): Deed {
  return (fleet) => fleet.redis(...words);
}

/** Ends the simulated network disturbance. */
function fairWeather({ proxy }: Fleet): void {
  proxy?.turn('fair');
}

/**
 * Returns an action that shifts the wall clock by `byMs`. An even target number shifts the clocks of all processes, and an odd number
 * shifts the clock of one validating process.
 */
function clock(byMs: number): Deed {
  return (fleet, target) => {
    for (const member of target % 2 === 0 ? fleet.members : [judging(fleet, target)]) writeFileSync(member.clock, String(byMs));
  };
}

/** Returns the fault kinds restricted to certain kinds of fleets. */
const only = (of: readonly FleetKind[], kinds: readonly FaultKind[]): FaultKind[] => kinds.map((kind) => ({ ...kind, of }));

const OTHERS: readonly FaultKind[] = [
  { name: 'other node or worker killed', lasts: [50, 1500], strike: (fleet, ms, target) => fleet.kill(judging(fleet, target), ms) },
  { name: 'other node or worker frozen', lasts: [100, 2500], strike: freezeJudging },
  { name: 'other node or worker frozen past its lease', lasts: [12_000, 16_000], strike: freezeJudging },
];

const FULL_JOURNAL: FaultKind = {
  name: 'disk full for the journal',
  lasts: [2500, 5000],
  // The disk is full until the second strike. Another fault may kill the API in between, and then the API starts with free space.
  strike: lasting(
    (fleet) => fleet.kill(fleet.api, 0, BLOCKS_WHEN_FULL),
    (fleet) => fleet.kill(fleet.api, 0),
  ),
};

const REDIS: readonly FaultKind[] = [
  { name: 'Redis killed, remembers', lasts: [20, 1000], strike: async ({ broker }, ms) => broker?.restart?.('keepsData', ms) },
  { name: 'Redis killed, forgets', loses: true, lasts: [20, 1000], strike: async ({ broker }, ms) => broker?.restart?.('losesData', ms) },
  { name: 'Redis flushed', loses: true, lasts: [10, 100], strike: lasting(redis('FLUSHALL')) },
  { name: 'Redis frozen', lasts: [100, 2000], strike: (fleet, ms) => freeze(fleet.broker?.pid, ms) },
  {
    name: 'Redis full',
    lasts: [100, 1500],
    strike: lasting(redis('CONFIG', 'SET', 'maxmemory', '1mb'), redis('CONFIG', 'SET', 'maxmemory', '0')),
  },
  {
    name: 'connections killed by Redis',
    lasts: [10, 200],
    strike: lasting(async (fleet) => {
      await fleet.redis('CLIENT', 'KILL', 'TYPE', 'normal');
      await fleet.redis('CLIENT', 'KILL', 'TYPE', 'pubsub');
    }),
  },
  { name: 'connections cut', lasts: [10, 300], strike: lasting(({ proxy }) => proxy?.cut()) },
  { name: 'jobs doubled', lasts: [10, 50], strike: lasting(redis('EVAL', DOUBLE_JOBS, '0')) },
  {
    name: 'network slow',
    lasts: [300, 2500],
    strike: lasting(({ proxy }, target) => proxy?.turn('slow', 10 + (target % 200)), fairWeather),
  },
  { name: 'network stuck', lasts: [200, 3000], strike: lasting(({ proxy }) => proxy?.turn('stuck'), fairWeather) },
  {
    name: 'replies lost',
    lasts: [20, 400],
    strike: lasting(
      ({ proxy }) => proxy?.turn('lossy'),
      (fleet) => {
        fairWeather(fleet);
        // A client would wait for ever for a lost reply on an open connection, so the connection is cut.
        fleet.proxy?.cut();
      },
    ),
  },
];

const FAIL_OVERS: readonly FaultKind[] = [
  { name: 'fail-over to a replica that has all', lasts: [20, 1000], strike: async ({ broker }, ms) => broker?.failOver?.('afterCopy', ms) },
  { name: 'fail-over at any moment', loses: true, lasts: [20, 1000], strike: async ({ broker }, ms) => broker?.failOver?.('atOnce', ms) },
];

/** All kinds of faults except the faults that need offered runs. */
export const FAULT_KINDS: readonly FaultKind[] = [
  ...only(['redis', 'sentinel', 'cluster'], OTHERS),
  {
    name: 'engine host killed',
    lasts: [20, 300],
    strike: lasting((fleet, target) => killHost(judging(fleet, target), target % 2 === 0 ? 'SIGKILL' : 'SIGABRT')),
  },
  { name: 'API killed', lasts: [50, 800], strike: (fleet, ms) => fleet.kill(fleet.api, ms) },
  ...only(['embedded'], [FULL_JOURNAL]),
  { name: 'API frozen', lasts: [100, 2500], strike: (fleet, ms) => freeze(fleet.api.process.pid, ms) },
  ...only(['redis'], REDIS),
  ...only(['sentinel', 'cluster'], FAIL_OVERS),
  { name: 'clock ahead by an hour', lasts: [200, 3000], strike: lasting(clock(HOUR_MS), clock(0)) },
  { name: 'clock back by an hour', lasts: [200, 3000], strike: lasting(clock(-HOUR_MS), clock(0)) },
  {
    name: 'trace collector hangs',
    lasts: [500, 4000],
    strike: lasting(
      ({ collector }) => collector.hang(),
      ({ collector }) => collector.goOn(),
    ),
  },
  {
    name: 'log reader hangs',
    lasts: [500, 4000],
    strike: async (fleet, ms, target) => {
      const { stdout, stderr } = (target % 2 === 0 ? fleet.api : judging(fleet, target)).process;
      // When the reader goes on, it must get the whole output.
      for (const stream of [stdout, stderr]) stream?.pause();
      await setTimeout(ms);
      for (const stream of [stdout, stderr]) stream?.resume();
    },
  },
];
