import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';

/** Pattern of the names of folders that are not reported when they are ignored: `node_modules`, and names that begin with a dot. */
const NEVER_REPORTED = /^(node_modules|\..*)$/;

/** Patterns of one `.gitignore` file, with the folder to which they are relative. */
interface FolderPatterns {
  readonly folder: string;
  readonly patterns: Ignore;
}

/**
 * Files that `.gitignore` files exclude. The `.gitignore` files in the folder, below it, and above it up to the root of its git repository
 * are used. If several patterns match a path, the pattern from the nearest `.gitignore` file decides, as in git. A folder that the user
 * names is read even if it is ignored.
 */
export class IgnoredFiles {
  /** Files and folders that were left out. Folders in which nobody expects objects, such as `node_modules`, are not listed. */
  readonly leftOut: string[] = [];
  readonly #above: readonly FolderPatterns[];
  readonly #below = new Map<string, FolderPatterns | undefined>();
  readonly #root: string;

  /**
   * Reads the patterns that apply to a folder.
   *
   * @param folder folder that is read
   */
  constructor(folder: string) {
    this.#root = resolve(folder);
    const above = foldersUpToRepository(this.#root).flatMap((one) => patternsOf(one) ?? []);
    this.#above = isIgnoredBy(above, this.#root, true) ? [] : above;
  }

  /**
   * Returns true if a path below the folder is ignored, and records it in `leftOut`, except folders such as `node_modules`. The caller must
   * skip ignored folders, because this method does not check if a parent folder is ignored.
   */
  leaves(path: string, isFolder: boolean): boolean {
    const ignored = this.#has(path, isFolder);
    if (ignored && !(isFolder && NEVER_REPORTED.test(basename(path)))) this.leftOut.push(path);
    return ignored;
  }

  #has(path: string, isFolder: boolean): boolean {
    const absolute = resolve(path);
    const nearestFirst: FolderPatterns[] = [];
    for (let folder = dirname(absolute); folder.startsWith(this.#root); folder = dirname(folder)) {
      if (!this.#below.has(folder)) this.#below.set(folder, patternsOf(folder));
      const patterns = this.#below.get(folder);
      if (patterns) nearestFirst.push(patterns);
      if (folder === dirname(folder)) break;
    }
    return isIgnoredBy([...nearestFirst, ...this.#above], absolute, isFolder);
  }
}

/**
 * Returns the ancestors of a folder, up to the root of its git repository. Returns an empty list if the folder is not in a repository, or
 * is the root itself.
 */
function foldersUpToRepository(folder: string): string[] {
  if (existsSync(join(folder, '.git'))) return [];
  const above: string[] = [];
  for (let one = dirname(folder); ; one = dirname(one)) {
    above.push(one);
    if (existsSync(join(one, '.git'))) return above;
    if (one === dirname(one)) return [];
  }
}

function patternsOf(folder: string): FolderPatterns | undefined {
  try {
    return { folder, patterns: ignore().add(readFileSync(join(folder, '.gitignore'), 'utf8')) };
  } catch {
    // There is none, or none that may be read: then git ignores nothing by it, either.
    return undefined;
  }
}

function isIgnoredBy(nearestFirst: readonly FolderPatterns[], path: string, isFolder: boolean): boolean {
  for (const { folder, patterns } of nearestFirst) {
    const within = relative(folder, path).split(sep).join('/');
    const { ignored, unignored } = patterns.test(isFolder ? `${within}/` : within);
    if (ignored || unignored) return ignored;
  }
  return false;
}
