import { readFileSync } from 'node:fs';
import { heldBeyond, heldResources, namesIn } from '../measure/held-resources.ts';
import type { HeldResources } from '../measure/held-resources.ts';
import { childrenOf } from '../measure/process-cpu.ts';

/** What a process holds of its machine. */
export interface Held extends HeldResources {
  readonly name: string;
  readonly processId: number;
}

/** What processes (by name and id) and their engine hosts hold; one that ended holds nothing and is left out. */
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

/** How long each thread of a process was ready to run and had no core, ms, by thread id: Linux, `/proc/<pid>/task/<tid>/schedstat`. */
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
 * More than at the start of a run by so much is a leak. V8 keeps pages that it needed once, up to the limit of a heap: two threads of 512 MB in a
 * host, beside 128 MiB of definitions' texts; in the API what bodies and answers of 64 MiB leave. Connections that are being closed are files for a moment.
 */
const roomOf = (name: string): HeldResources => ({ mb: name.endsWith('host') ? 1150 : 350, files: 16, threads: 6 });

/** What is held beyond what was at first, and processes that are gone. */
export function leftBehind(first: readonly Held[], now: readonly Held[]): string[] {
  return first.flatMap((then) => {
    const same = now.find(({ processId }) => processId === then.processId);
    if (!same) return [`${then.name} (${then.processId}) ended`];
    return heldBeyond(then, same, roomOf(then.name)).map((what) => `${then.name}: ${then[what]} ${what} at first, ${same[what]} now`);
  });
}
