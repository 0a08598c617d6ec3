import { lstatSync, readdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import type { IgnoredFiles } from './ignored-files.ts';
import { Repository } from './repository.ts';
import { UsageError } from './usage.ts';

/** Name of the settings file of a project. This file contains no objects. */
export const SETTINGS_FILE = '.assay.yaml';

/** Function that receives a sentence about a path that could not be used. */
export type ReportProblem = (problem: string) => void;

/**
 * Returns the files below a folder in name order, each once even if several links lead to it. Does not follow a link to an enclosing
 * folder, or out of the folder's repository. Skips files that `ignored` excludes. If `wanted` accepts a path but the path is no readable
 * file, reports a problem. Examples are a broken link, a link out of the repository, a pipe or a socket.
 */
export function filesBelow(
  folder: string,
  wanted: (path: string) => boolean,
  reportProblem: ReportProblem,
  ignored?: IgnoredFiles,
): string[] {
  try {
    const walk = new FolderWalk(wanted, reportProblem, Repository.of(folder), ignored);
    walk.enter(folder, statSync(folder));
    return walk.files;
  } catch (error) {
    reportProblem(`${folder}: ${reasonOf(error)}`);
    return [];
  }
}

class FolderWalk {
  readonly files: string[] = [];
  readonly #wanted: (path: string) => boolean;
  readonly #reportProblem: ReportProblem;
  readonly #repository: Repository;
  readonly #ignored: IgnoredFiles | undefined;
  readonly #seen = new Set<string>();

  constructor(wanted: (path: string) => boolean, reportProblem: ReportProblem, repository: Repository, ignored: IgnoredFiles | undefined) {
    this.#wanted = wanted;
    this.#reportProblem = reportProblem;
    this.#repository = repository;
    this.#ignored = ignored;
  }

  enter(folder: string, stats: Stats): void {
    let names: string[];
    try {
      if (!this.#isNew(stats)) return;
      names = readdirSync(folder);
    } catch (error) {
      return this.#reportProblem(`${folder}: ${reasonOf(error)}`);
    }
    for (const name of names.sort()) this.#meet(join(folder, name));
  }

  #meet(path: string): void {
    let stats: Stats;
    try {
      stats = lstatSync(path);
      if (stats.isSymbolicLink()) {
        stats = statSync(path);
        if (!this.#repository.holds(path)) {
          if (stats.isDirectory() || this.#wanted(path))
            this.#reportProblem(`${path}: a link that leads out of the repository; name it to have it read`);
          return;
        }
      }
    } catch (error) {
      if (this.#wanted(path)) this.#reportProblem(`${path}: ${reasonOf(error)}`);
      return;
    }
    const isFolder = stats.isDirectory();
    if ((isFolder || this.#wanted(path)) && this.#ignored?.leaves(path, isFolder) === true) return;
    if (isFolder) this.enter(path, stats);
    else if (!this.#wanted(path)) return;
    else if (!stats.isFile()) this.#reportProblem(`${path}: not a file, but ${natureOf(stats)}`);
    else if (this.#isNew(stats)) this.files.push(path);
  }

  #isNew({ dev, ino }: Stats): boolean {
    const identity = `${dev}:${ino}`;
    if (this.#seen.has(identity)) return false;
    this.#seen.add(identity);
    return true;
  }
}

function natureOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to read it',
  EISDIR: 'a folder, not a file',
  ELOOP: 'a link that leads back to itself',
  ENOENT: 'no such file or folder, or a link to one that is not there',
  EPERM: 'no permission to read it',
};

/** Returns the reason, in words, why a path cannot be read. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
}

/** Returns true if a path is a folder, and false if it is a file. Throws {@link UsageError} if the path does not exist. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path}: ${reasonOf(error)}`);
  }
}
