import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import type { IgnoredFiles } from './ignored-files.ts';
import { UsageError } from './usage.ts';

/** The file that holds a project's settings, and no objects. */
export const SETTINGS_FILE = '.assay.yaml';

/** Takes a sentence about a path that could not be used. */
export type TellProblem = (problem: string) => void;

/**
 * The files below a folder, in name order, each once however many links lead to it. A link back to a folder on the way is not followed. Of what
 * cannot be read as a file (a link to nothing, a pipe, a socket) a problem is told, where its name is `wanted`. What is `ignored` is passed over.
 */
export function filesBelow(folder: string, wanted: (path: string) => boolean, tell: TellProblem, ignored?: IgnoredFiles): string[] {
  const walk = new FolderWalk(wanted, tell, ignored);
  walk.enter(folder);
  return walk.files;
}

class FolderWalk {
  readonly files: string[] = [];
  readonly #wanted: (path: string) => boolean;
  readonly #tell: TellProblem;
  readonly #ignored: IgnoredFiles | undefined;
  readonly #seen = new Set<string>();

  constructor(wanted: (path: string) => boolean, tell: TellProblem, ignored: IgnoredFiles | undefined) {
    this.#wanted = wanted;
    this.#tell = tell;
    this.#ignored = ignored;
  }

  enter(folder: string): void {
    let names: string[];
    try {
      if (!this.#isNew(folder)) return;
      names = readdirSync(folder);
    } catch (error) {
      return this.#tell(`${folder}: ${reasonOf(error)}`);
    }
    for (const name of names.sort()) this.#meet(join(folder, name));
  }

  #meet(path: string): void {
    let stats: Stats;
    try {
      stats = statSync(path);
    } catch (error) {
      if (this.#wanted(path)) this.#tell(`${path}: ${reasonOf(error)}`);
      return;
    }
    const isFolder = stats.isDirectory();
    if ((isFolder || this.#wanted(path)) && this.#ignored?.leaves(path, isFolder) === true) return;
    if (isFolder) this.enter(path);
    else if (!this.#wanted(path)) return;
    else if (!stats.isFile()) this.#tell(`${path}: not a file, but ${natureOf(stats)}`);
    else if (this.#isNew(path)) this.files.push(path);
  }

  #isNew(path: string): boolean {
    const real = realpathSync(path);
    if (this.#seen.has(real)) return false;
    this.#seen.add(real);
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

/** What is wrong with a path, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
}

/** Whether a path is a folder, and no file; throws {@link UsageError} for what is not there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path}: ${reasonOf(error)}`);
  }
}
