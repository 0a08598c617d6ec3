import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

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
    const real = realpathSync(folder);
    for (let root = real; ; root = dirname(root)) {
      if (existsSync(join(root, '.git'))) return new Repository(root);
      if (root === dirname(root)) return new Repository(real);
    }
  }

  /**
   * Returns true if a path is inside the repository after symbolic links are resolved. In the path of a missing file, links are resolved in
   * the existing part.
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
