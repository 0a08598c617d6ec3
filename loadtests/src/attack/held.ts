import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds of its machine. */
export interface Held {
  readonly name: string;
  readonly processId: number;
  readonly mb: number;
  readonly files: number;
  readonly threads: number;
}

/** What processes (by name and id) and their engine hosts hold; one that ended holds nothing and is left out. */
export function heldBy(processes: readonly (readonly [name: string, processId: number])[]): Held[] {
  return processes.flatMap(([name, id]) => [
    ...heldByOne(name, id),
    ...childrenOf(id).flatMap((child) => heldByOne(`${name}'s host`, child)),
  ]);
}

/** Process ids of the children of a process. */
export function childrenOf(processId: number): number[] {
  const text = textOf(`/proc/${processId}/task/${processId}/children`)?.trim() ?? '';
  return text === '' ? [] : text.split(' ').map(Number);
}

function heldByOne(name: string, processId: number): Held[] {
  const status = textOf(`/proc/${processId}/status`);
  if (status === undefined) return [];
  const figure = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return [
    { name, processId, mb: Math.round(figure('VmRSS') / 1024), threads: figure('Threads'), files: namesIn(`/proc/${processId}/fd`).length },
  ];
}

/** How long each thread of a process was ready to run and had no core, ms, by thread id: Linux, `/proc/<pid>/task/<tid>/schedstat`. */
export function waitsForCores(processId: number): ReadonlyMap<string, number> {
  const folder = `/proc/${processId}/task`;
  const waits = namesIn(folder).map((id): [string, number] => {
    const nanoseconds = textOf(`${folder}/${id}/schedstat`)?.split(' ')[1];
    return [id, Number(nanoseconds ?? 0) / 1e6];
  });
  return new Map(waits);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * More than at the start of a run by so much is a leak. V8 keeps pages that it needed once, up to the limit of a heap: two threads of 512 MB in a
 * host, beside 128 MiB of definitions' texts; in the API what bodies and answers of 64 MiB leave. Connections that are being closed are files for a moment.
 */
const ROOM = {
  mb: (name: string): number => (name.endsWith('host') ? 1150 : 350),
  files: (): number => 16,
  threads: (): number => 6,
} as const;

/** What is held beyond what was at first, and processes that are gone. */
export function leftBehind(first: readonly Held[], now: readonly Held[]): string[] {
  return first.flatMap((then) => {
    const same = now.find(({ processId }) => processId === then.processId);
    if (!same) return [`${then.name} (${then.processId}) ended`];
    return (Object.keys(ROOM) as (keyof typeof ROOM)[]).flatMap((what) =>
      same[what] > then[what] + ROOM[what](then.name) ? [`${then.name}: ${then[what]} ${what} at first, ${same[what]} now`] : [],
    );
  });
}
