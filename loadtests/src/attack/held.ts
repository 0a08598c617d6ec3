import { readFileSync } from 'node:fs';
import { heldBeyond, heldResources, namesIn } from '../measure/held-resources.ts';
import type { HeldResources } from '../measure/held-resources.ts';
import { childrenOf } from '../measure/process-cpu.ts';

/** Machine resources that a process uses, with the name and the id of the process. */
export interface ProcessResources extends HeldResources {
  readonly name: string;
  readonly processId: number;
}

/**
 * Returns the resources used by processes (given by name and id) and by their engine hosts, the child processes that validate objects.
 * Leaves out processes that have ended.
 */
export function resourcesOfProcesses(processes: readonly (readonly [name: string, processId: number])[]): ProcessResources[] {
  const all = processes.flatMap(([name, id]) => [
    { name, processId: id },
    ...childrenOf(id).map((processId) => ({ name: `${name}'s host`, processId })),
  ]);
  return all.flatMap((one) => {
    const held = heldResources(one.processId);
    return held === undefined ? [] : [{ ...one, ...held }];
  });
}

/**
 * Returns the time in ms for which each thread of a process waited for a core, by thread id. Reads `/proc/<pid>/task/<tid>/schedstat` of
 * Linux.
 */
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
 * Returns the allowed increase of each resource since the first reading. A larger increase counts as a leak.
 *
 * V8 keeps memory pages that it needed once, up to the heap limit. An engine host has two threads with 512 MB each, and 128 MiB of
 * definition texts. The API has bodies and answers of 64 MiB. A connection that is being closed still counts as a file for a moment.
 */
const roomOf = (name: string): HeldResources => ({ mb: name.endsWith('host') ? 1150 : 350, files: 16, threads: 6 });

/** Returns descriptions of the resources that leaked since the reading `first`, and of the processes that ended. */
export function leftBehind(first: readonly ProcessResources[], now: readonly ProcessResources[]): string[] {
  return first.flatMap((then) => {
    const same = now.find(({ processId }) => processId === then.processId);
    if (!same) return [`${then.name} (${then.processId}) ended`];
    return heldBeyond(then, same, roomOf(then.name)).map((what) => `${then.name}: ${then[what]} ${what} at first, ${same[what]} now`);
  });
}
