import { readFileSync, writeFileSync } from 'node:fs';
import { conformanceFile } from './shared-folder.ts';

/** Exact (or known) cases that a file has reached, by file name. Only ever raised. */
export type Floors = Readonly<Record<string, number>>;

const FILE = conformanceFile('floors.json');

/** The floors of the repository. */
export function readFloors(): Floors {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Floors;
}

/** Writes floors, in name order; a floor that would fall keeps its height. */
export function raiseFloors(reached: Floors): void {
  const floors = readFloors();
  const names = [...new Set([...Object.keys(floors), ...Object.keys(reached)])].sort();
  const raised = Object.fromEntries(names.map((name) => [name, Math.max(floors[name] ?? 0, reached[name] ?? 0)]));
  writeFileSync(FILE, `${JSON.stringify(raised, null, 2)}\n`);
}
