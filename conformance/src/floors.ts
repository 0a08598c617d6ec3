import { readFileSync, writeFileSync } from 'node:fs';
import { conformanceFile } from './shared-folder.ts';
import type { Score } from './score.ts';

/** Floor of a recorded file: the level of agreement with Kubernetes that later runs must not fall below. */
export interface Floor {
  /** Minimum number of cases in the file that agree in every aspect, or whose difference is known. */
  readonly exact: number;
  /** Number of lines that are not compared, by the reason for skipping them. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Floors (minimum numbers of agreeing cases) of the recorded files, by file name without `.jsonl.gz`. */
export type Floors = Readonly<Record<string, Floor>>;

const FILE = conformanceFile('floors.json');

/** Returns the floors that are committed in the repository. */
export function readFloors(): Floors {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Floors;
}

/**
 * Returns the score of a file in the form of a floor. Known differences count as exact cases, and the skips are sorted by their reasons.
 */
export function floorOf({ exact, known, skipped }: Pick<Score, 'exact' | 'known' | 'skipped'>): Floor {
  const reasons = [...skipped].sort(([a], [b]) => (a < b ? -1 : 1));
  return { exact: exact + known, skipped: Object.fromEntries(reasons) };
}

/**
 * Writes the floors in the order of their names. The count of exact cases is never lowered. Skips are written unchanged, so that a change
 * is visible in code review. Returns the names of the files whose counts are below their floors.
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
