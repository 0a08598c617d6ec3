import { setTimeout } from 'node:timers/promises';
import { freeze, killHost } from './faults.ts';
import type { FaultKind } from './faults.ts';
import type { Fleet } from './fleet.ts';

/** Interval in ms at which the leases in Redis are checked. A lease means that a node holds a stretch of consecutive objects. */
const LOOK_MS = 30;
/**
 * Time in ms after the holding node was stopped. A lease that still exists then belongs to a stretch of objects that the stop interrupted,
 * because a stretch takes only about 100 ms.
 */
const STANDS_STILL_MS = 1000;
/**
 * Time in ms within which a stretch of objects must be leased. If none is leased in this time, no run is offered, and the test of
 * the faults is meaningless.
 */
const NONE_MS = 120_000;

/**
 * Faults while one node holds stretches of objects from a stream that another node serves. The holding node or the serving
 * node dies or freezes.
 */
export const OFFER_FAULTS: readonly FaultKind[] = [
  {
    name: 'holder of an offered run killed',
    lasts: [50, 1500],
    strike: (fleet, ms) => whileHeld(fleet, () => fleet.kill(holder(fleet), ms)),
  },
  {
    name: 'engine host of the holder killed',
    lasts: [20, 300],
    strike: async (fleet, ms) => {
      await untilHeld(fleet);
      killHost(holder(fleet), 'SIGKILL');
      await setTimeout(ms);
    },
  },
  {
    name: 'holder of an offered run frozen, at times past its lease',
    lasts: [2000, 13_000],
    strike: (fleet, ms) => whileHeld(fleet, () => freeze(holder(fleet).process.pid, ms)),
  },
  {
    name: 'origin of an offered run killed',
    lasts: [50, 800],
    strike: async (fleet, ms) => {
      await untilHeld(fleet);
      await fleet.kill(fleet.api, ms);
    },
  },
];

/** Returns the node that clients do not send requests to. It holds all stretches of objects that the API node does not validate itself. */
const holder = ({ others: [other], api }: Fleet): Fleet['api'] => other ?? api;

/**
 * Calls `stop`, which stops the node that holds (validates) a stretch of objects from another node, while it holds the stretch. Repeats
 * this step if the node had already finished the stretch when it stopped.
 */
async function whileHeld(fleet: Fleet, stop: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + NONE_MS; Date.now() < until;) {
    const held = await untilHeld(fleet);
    const [stillHeld] = await Promise.all([setTimeout(STANDS_STILL_MS).then(() => leasesOf(fleet)), stop()]);
    if (held.some((lease) => stillHeld.includes(lease))) return;
  }
  throw new Error(`in ${NONE_MS / 1000} s no node was stopped that held a run`);
}

/** Waits until a node holds a stretch of objects from another node. Returns the names of the leases. */
async function untilHeld(fleet: Fleet): Promise<readonly string[]> {
  for (const until = Date.now() + NONE_MS; Date.now() < until; await setTimeout(LOOK_MS)) {
    const leases = await leasesOf(fleet);
    if (leases.length > 0) return leases;
  }
  throw new Error(`for ${NONE_MS / 1000} s no node held a run of another`);
}

/** Returns the names of all signs of life that nodes give for offered stretches of objects which they took. */
async function leasesOf(fleet: Fleet): Promise<readonly string[]> {
  return (await fleet.redis('KEYS', '{assay}:offers:lease:*')).split('\n').filter((name) => name !== '');
}
