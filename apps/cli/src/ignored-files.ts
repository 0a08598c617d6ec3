import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';

/** Folders that are ignored everywhere: to tell of them would be noise. */
const NOT_TOLD = /^(node_modules|\..*)$/;

/** The patterns of one `.gitignore`, and the folder that they are relative to. */
interface FolderPatterns {
  readonly folder: string;
  readonly patterns: Ignore;
}

/**
 * What the `.gitignore` files below a folder name, and those above it as far as the root of its git repository. Of several patterns that fit a path the one
 * nearest to it decides, as in git. A folder that is named itself by those above is read all the same: whoever asks for it wants it.
 */
export class IgnoredFiles {
  /** Files and folders that were left out, but what nobody looks for objects in. */
  readonly leftOut: string[] = [];
  readonly #above: readonly FolderPatterns[];
  readonly #below = new Map<string, FolderPatterns | undefined>();
  readonly #root: string;

  /** @param folder that is read */
  constructor(folder: string) {
    this.#root = resolve(folder);
    const above = foldersUpToRepository(this.#root).flatMap((one) => patternsOf(one) ?? []);
    this.#above = isIgnoredBy(above, this.#root, true) ? [] : above;
  }

  /** Whether a path below the folder is to be left out; those of its parents that are have not been entered. */
  leaves(path: string, isFolder: boolean): boolean {
    const ignored = this.#has(path, isFolder);
    if (ignored && !(isFolder && NOT_TOLD.test(basename(path)))) this.leftOut.push(path);
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

/** The folders above one, up to the one that holds `.git`; none where no repository is around it, or where it is the root of one. */
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
