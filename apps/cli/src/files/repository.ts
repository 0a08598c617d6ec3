import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Pattern of the name of the folder in which git keeps its own files, such as credentials. */
const GIT_FOLDER = /^\.git$/i;

/**
 * Folder that bounds which files may be read: the git repository of a folder, or the folder itself if it is not in a repository. Paths
 * inside the bounding folder must not lead out of it.
 */
export class Repository {
  /** Real path of the root folder. */
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Returns the repository that contains a folder. Throws if the folder does not exist. */
  static of(folder: string): Repository {
    const real = realpathSync.native(folder);
    return new Repository(rootOf(real) ?? real);
  }

  /**
   * Returns the folder from which `file` may refer to other files: the git repository of `file`. Outside of a repository, this is the working
   * folder or `named`, whichever contains `file`, and otherwise the folder of `file`. Throws if that folder does not exist.
   *
   * @param named folder that the command line names, and in which the file was found
   */
  static around(file: string, named: string = dirname(file)): Repository {
    const real = realpathSync.native(dirname(file));
    const folders = [process.cwd(), named].map((folder) => new Repository(realpathSync.native(folder)));
    return rootOf(real) === undefined ? (folders.find((one) => one.holdsReal(real)) ?? new Repository(real)) : Repository.of(real);
  }

  /**
   * Returns true if a path is inside the repository after symbolic links are resolved. In the path of a missing file, links are resolved in
   * the existing part. The files of git itself are not inside.
   */
  holds(path: string): boolean {
    return this.holdsReal(realPathOf(resolve(path)));
  }

  /** Returns true if a path without symbolic links is inside the repository. The files of git itself are not inside. */
  holdsReal(path: string): boolean {
    const way = relative(this.#root, path);
    return !isAbsolute(way) && !way.split(sep).some((name, i) => (i === 0 && name === '..') || isGitFolder(name));
  }
}

/** Returns true if a folder with this name contains git's own files. */
export const isGitFolder = (name: string): boolean => GIT_FOLDER.test(name);

/** Returns the ancestor of a folder, or the folder itself, that is the root of a git repository. Undefined if there is none. */
function rootOf(folder: string): string | undefined {
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) return root;
    if (root === dirname(root)) return undefined;
  }
}

/** Returns the real path of the existing part of a path, followed by the missing rest. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync.native(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), relative(parent, path));
}
