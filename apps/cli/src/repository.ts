import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** A folder that what it holds must not lead out of: a git repository, or a folder that is in none. */
export class Repository {
  /** The real path of its root. */
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Returns the repository that a folder is in. Throws if the folder is not there. */
  static of(folder: string): Repository {
    const real = realpathSync(folder);
    for (let root = real; ; root = dirname(root)) {
      if (existsSync(join(root, '.git'))) return new Repository(root);
      if (root === dirname(root)) return new Repository(real);
    }
  }

  /**
   * Returns false for a path that leads out of the repository, by its name or by links. It judges a missing file by its
   * path alone.
   */
  holds(path: string): boolean {
    const way = relative(this.#root, realPathOf(path));
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }
}

/** Returns the real path of what is there, and below it the rest of the name. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), relative(parent, path));
}
