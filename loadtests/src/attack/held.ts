import { readFileSync } from 'node:fs';
import { heldBeyond, heldResources, namesIn } from '../measure/held-resources.ts';
import type { HeldResources } from '../measure/held-resources.ts';
import { childrenOf } from '../measure/process-cpu.ts';

/** The resources of its machine that a process holds. */
export interface Held extends HeldResources {
  readonly name: string;
  readonly processId: number;
}

/** Returns the resources of processes (by name and id) and their engine hosts, without processes that ended. */
export function heldBy(processes: readonly (readonly [name: string, processId: number])[]): Held[] {
  const all = processes.flatMap(([name, id]) => [
    { name, processId: id },
    ...childrenOf(id).map((processId) => ({ name: `${name}'s host`, processId })),
  ]);
  return all.flatMap((one) => {
    const held = heldResources(one.processId);
    return held === undefined ? [] : [{ ...one, ...held }];
  });
}

/** Returns the time for which each thread of a process waited for a core, ms, by thread id: Linux, `/proc/<pid>/task/<tid>/schedstat`. */
export function waitsForCores(processId: number): ReadonlyMap<string, number> {
  const folder = `/proc/${processId}/task`;
  return new Map(namesIn(folder).map((id) => [id, waitOf(`${folder}/${id}/schedstat`)]));
}

function waitOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * More than at the start of a run by so much is a leak. V8 keeps pages that it needed once, up to the limit of a heap. A host has two threads of 512 MB,
 * and 128 MiB of definitions' texts. The API has bodies and answers of 64 MiB. Connections that are being closed are files for a moment.
 */
const roomOf = (name: string): HeldResources => ({ mb: name.endsWith('host') ? 1150 : 350, files: 16, threads: 6 });

/** Returns resources that exceed the first state, and processes that are gone. */
export function leftBehind(first: readonly Held[], now: readonly Held[]): string[] {
  return first.flatMap((then) => {
    const same = now.find(({ processId }) => processId === then.processId);
    if (!same) return [`${then.name} (${then.processId}) ended`];
    return heldBeyond(then, same, roomOf(then.name)).map((what) => `${then.name}: ${then[what]} ${what} at first, ${same[what]} now`);
  });
}
