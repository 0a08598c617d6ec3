import { readFileSync, writeFileSync } from 'node:fs';
import { conformanceFile } from './shared-folder.ts';
import type { Score } from './score.ts';

/** The recorded success of a file. */
export interface Floor {
  /** Cases that agree in every aspect, or whose difference is known. */
  readonly exact: number;
  /** Lines that are not compared, by the reason they are skipped for. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** The floor of each recorded file, by its name without `.jsonl.gz`. */
export type Floors = Readonly<Record<string, Floor>>;

const FILE = conformanceFile('floors.json');

/** Returns the floors of the repository. */
export function readFloors(): Floors {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Floors;
}

/** Returns a score as the floors have it: skips in the order of their reasons. */
export function floorOf({ exact, known, skipped }: Pick<Score, 'exact' | 'known' | 'skipped'>): Floor {
  const reasons = [...skipped].sort(([a], [b]) => (a < b ? -1 : 1));
  return { exact: exact + known, skipped: Object.fromEntries(reasons) };
}

/**
 * Writes floors, in name order. An exact count never falls. Skips are written unchanged, so a review shows their
 * difference. Returns the names of the files whose counts are below their floors.
 */
export function raiseFloors(reached: Floors): string[] {
  const floors = readFloors();
  const names = [...new Set([...Object.keys(floors), ...Object.keys(reached)])].sort();
  const raised = names.map((name): [string, Floor] => {
    const exact = Math.max(floors[name]?.exact ?? 0, reached[name]?.exact ?? 0);
    return [name, { exact, skipped: reached[name]?.skipped ?? floors[name]?.skipped ?? {} }];
  });
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(raised), null, 2)}\n`);
  return names.filter((name) => (reached[name]?.exact ?? Infinity) < (floors[name]?.exact ?? 0));
}
