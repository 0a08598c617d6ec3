import { setTimeout } from 'node:timers/promises';
import { freeze, killHost } from './faults.ts';
import type { FaultKind } from './faults.ts';
import type { Fleet } from './fleet.ts';

/** Leases are looked at this often, ms. */
const LOOK_MS = 30;
/** A run takes some 100 ms: a lease that is there so much later, ms, belongs to a process that does not go on. */
const STANDS_STILL_MS = 1000;
/** If no run is held for so long, the streams do not overflow, and the run of faults says nothing, ms. */
const NONE_MS = 120_000;

/** Nodes that die, or stand still, while they hold runs of a stream that another node serves, or while another holds theirs. */
export const OVERFLOW_FAULTS: readonly FaultKind[] = [
  {
    name: 'holder of overflow killed',
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
    name: 'holder of overflow frozen, at times past its lease',
    lasts: [2000, 13_000],
    strike: (fleet, ms) => whileHeld(fleet, () => freeze(holder(fleet).process.pid, ms)),
  },
  {
    name: 'origin of overflow killed',
    lasts: [50, 800],
    strike: async (fleet, ms) => {
      await untilHeld(fleet);
      await fleet.kill(fleet.api, ms);
    },
  },
];

/** Returns the only other node: whatever the first one does not judge itself, this one holds. */
const holder = ({ others: [other], api }: Fleet): Fleet['api'] => other ?? api;

/** Stops the holder while it has a run; does so again if the run had come to its end just before. */
async function whileHeld(fleet: Fleet, stop: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + NONE_MS; Date.now() < until;) {
    const held = await untilHeld(fleet);
    const [stillHeld] = await Promise.all([setTimeout(STANDS_STILL_MS).then(() => leasesOf(fleet)), stop()]);
    if (held.some((lease) => stillHeld.includes(lease))) return;
  }
  throw new Error(`in ${NONE_MS / 1000} s no node was stopped that held a run`);
}

/** Waits until some run is held. Returns the names of the leases. */
async function untilHeld(fleet: Fleet): Promise<readonly string[]> {
  for (const until = Date.now() + NONE_MS; Date.now() < until; await setTimeout(LOOK_MS)) {
    const leases = await leasesOf(fleet);
    if (leases.length > 0) return leases;
  }
  throw new Error(`for ${NONE_MS / 1000} s no node held a run of another`);
}

/** Clients wait for all evaluations, so that each lease is of a run that was offered. */
async function leasesOf(fleet: Fleet): Promise<readonly string[]> {
  return (await fleet.redis('ZRANGE', '{assay}:leases', '0', '-1')).split('\n').filter((name) => name !== '');
}
