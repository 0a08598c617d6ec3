import { heldBeyond, heldResources } from '../measure/held-resources.ts';
import type { HeldResources } from '../measure/held-resources.ts';
import type { Fleet } from './fleet.ts';

/** Resources that the processes of a fleet use, and keys in its Redis. */
export interface Resources {
  readonly processes: readonly (HeldResources & { readonly name: string })[];
  /** Redis keys that never expire, with numbers and ids removed from their names. */
  readonly lastingKeys: ReadonlySet<string>;
  readonly lines: readonly string[];
}

/** Resources of a process that has ended. */
const NOTHING = { files: 0, threads: 0, mb: 0 };

/** Reads the resources of a fleet. */
export async function resourcesOf(fleet: Fleet): Promise<Resources> {
  const processes = fleet.members.map((member) => ({ name: member.name, ...(heldResources(member.process.pid ?? 0) ?? NOTHING) }));
  const keys = (await fleet.redis('KEYS', '*')).split('\n').filter((key) => key !== '');
  const lasting: string[] = [];
  for (const key of keys) if ((await fleet.redis('PTTL', key)) === '-1') lasting.push(key);
  return {
    processes,
    lastingKeys: new Set(lasting.map((key) => key.replace(/[0-9a-f]{8}-[0-9a-f-]{27,}/g, 'ID').replace(/\d+/g, 'N'))),
    lines: [
      ...processes.map(({ name, files, threads, mb }) => `${name}: ${files} open files, ${threads} threads, ${mb} MB`),
      ...(fleet.broker ? [`Redis: ${keys.length} keys, ${lasting.length} that never expire`] : []),
    ],
  };
}

/** Increase above which a resource counts as leaked. Smaller differences occur because reconnecting changes the number of connections. */
const ROOM = { files: 12, threads: 4, mb: 250 } as const;

/** Returns a description of each leak: resources and lasting keys that increased between two readings. */
export function leftBehind(before: Resources, after: Resources): string[] {
  const leaks = after.processes.flatMap((now, i) => {
    const then = before.processes[i];
    if (then === undefined) return [];
    return heldBeyond(then, now, ROOM).map((what) => `leak: ${now.name}: ${then[what]} ${what} before, ${now[what]} after`);
  });
  const lasting = [...after.lastingKeys]
    .filter((key) => !before.lastingKeys.has(key))
    .map((key) => `leak: a key that never expires: ${key}`);
  return [...leaks, ...lasting];
}
