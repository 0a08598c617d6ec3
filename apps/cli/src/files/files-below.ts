import { lstatSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { TimedOut } from '../timeout.ts';
import { UsageError } from '../usage.ts';
import { statsOf } from './file-access.ts';
import type { FileAccess } from './file-access.ts';
import { unreadableReason, whyNoFile } from './file-problem.ts';
import type { IgnoredFiles } from './ignored-files.ts';
import { isGitFolder, Repository } from './repository.ts';

/** Search for files below a folder. */
export interface FileSearch {
  /** Returns true if the search may return a path. It also decides which problems are reported. */
  readonly wanted: (path: string) => boolean;
  /** Receives a sentence about each path that could not be used. */
  readonly reportProblem: (problem: string) => void;
  readonly access: FileAccess;
  /** Files that are left out; undefined for none. */
  readonly ignored?: IgnoredFiles | undefined;
}

/** Files below a folder, and the right to read them. */
export interface FoundFiles {
  readonly files: readonly string[];
  /** Right to read files of the repository that contains the folder. */
  readonly access: FileAccess;
}

/**
 * Finds the files below a folder in name order, each once even if several links lead to it. Does not follow a link to an enclosing folder,
 * or out of the folder's repository, and leaves out git's own files. Skips files that `ignored` excludes. If `wanted` accepts a path but
 * the path is no readable file, reports a problem. Examples are a broken link, a link out of the repository, a pipe or a socket. Throws
 * `TimedOut` if the timeout is over.
 */
export function filesBelow(folder: string, search: FileSearch): FoundFiles {
  try {
    const repository = search.access.repository ?? Repository.of(folder);
    const access = search.access.inside(repository);
    const walk = new FolderWalk({ ...search, access }, repository);
    walk.enter(folder, statSync(folder));
    return { files: walk.files, access };
  } catch (error) {
    if (error instanceof TimedOut) throw error;
    search.reportProblem(`${folder}: ${unreadableReason(error)}`);
    return { files: [], access: search.access };
  }
}

class FolderWalk {
  readonly files: string[] = [];
  readonly #search: FileSearch;
  readonly #repository: Repository;
  readonly #seen = new Set<string>();

  constructor(search: FileSearch, repository: Repository) {
    this.#search = search;
    this.#repository = repository;
  }

  enter(folder: string, stats: Stats): void {
    if (!this.#isNew(stats)) return;
    const names = this.#search.access.names(folder);
    if (!names.ok) return this.#search.reportProblem(`${folder}: ${names.problem}`);
    for (const name of names.content) if (!isGitFolder(name)) this.#meet(join(folder, name));
  }

  #meet(path: string): void {
    const { wanted, reportProblem, ignored } = this.#search;
    let stats: Stats;
    try {
      stats = lstatSync(path);
      if (stats.isSymbolicLink()) {
        stats = statSync(path);
        if (!this.#repository.holds(path)) {
          if (stats.isDirectory() || wanted(path))
            reportProblem(`${path}: a link that leads out of the repository; name it to have it read`);
          return;
        }
      }
    } catch (error) {
      if (wanted(path)) reportProblem(`${path}: ${unreadableReason(error)}`);
      return;
    }
    const isFolder = stats.isDirectory();
    if ((isFolder || wanted(path)) && ignored?.leaves(path, isFolder) === true) return;
    if (isFolder) return this.enter(path, stats);
    if (!wanted(path)) return;
    const problem = whyNoFile(stats);
    if (problem !== undefined) reportProblem(`${path}: ${problem}`);
    else if (this.#isNew(stats)) this.files.push(path);
  }

  #isNew({ dev, ino }: Stats): boolean {
    const identity = `${dev}:${ino}`;
    if (this.#seen.has(identity)) return false;
    this.#seen.add(identity);
    return true;
  }
}

/** Returns true if a path is a folder, and false if it is a file. Throws {@link UsageError} if the path does not exist. */
export function isFolder(path: string): boolean {
  const stats = statsOf(path);
  if (!stats.ok) throw new UsageError(`${path}: ${stats.problem}`);
  return stats.content.isDirectory();
}
