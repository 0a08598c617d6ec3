import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * Folder that bounds which files may be read: the git repository of a folder, or the folder itself if it is not in a repository. Paths
 * inside must not lead out of it.
 */
export class Repository {
  /** Real path of the root folder. */
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Returns the repository that contains a folder. Throws if the folder does not exist. */
  static of(folder: string): Repository {
    const real = realpathSync(folder);
    for (let root = real; ; root = dirname(root)) {
      if (existsSync(join(root, '.git'))) return new Repository(root);
      if (root === dirname(root)) return new Repository(real);
    }
  }

  /**
   * Returns true if a path is inside the repository, and false if it leads out of it by its name or by symbolic links. The check of a
   * missing file uses the path alone.
   */
  holds(path: string): boolean {
    const way = relative(this.#root, realPathOf(path));
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }
}

/** Returns the real path of the existing part of a path, followed by the missing rest. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), relative(parent, path));
}
