import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isFolder } from './files-below.ts';

/** Pause in ms between a change and the report of the change. Changes occur in bursts, because editors write a file twice. */
const SETTLE_MS = 100;

/** Watcher of files and folders. It stores changes that occur while no caller waits for a change. */
export class FileChanges {
  readonly #ended: AbortSignal;
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = Promise.withResolvers<undefined>();

  /**
   * Creates a watcher that watches nothing yet.
   *
   * @param ended closes the watchers and ends waiting when it is aborted
   */
  constructor(ended: AbortSignal) {
    this.#ended = ended;
    ended.addEventListener('abort', () => {
      for (const watcher of this.#watchers.values()) watcher.close();
      this.#changed.resolve(undefined);
    });
  }

  /**
   * Adds paths to the watched paths. A file is watched through its folder, because editors replace files. Throws {@link UsageError} if a
   * path does not exist.
   */
  watch(paths: readonly string[]): void {
    for (const path of paths) {
      const recursive = isFolder(path);
      const folder = resolve(recursive ? path : dirname(path));
      const key = `${folder} ${recursive}`;
      if (this.#ended.aborted || this.#watchers.has(key)) continue;
      // If somebody deletes a watched folder, its watcher fails and reports no more events.
      const watcher = watch(folder, { recursive }, () => this.#changed.resolve(undefined)).on('error', () => watcher.close());
      this.#watchers.set(key, watcher);
    }
  }

  /**
   * Waits until a watched path has changed since the last call. Resolves to true when no further change has followed for `SETTLE_MS`, and
   * to false if the watcher has ended.
   */
  async next(): Promise<boolean> {
    await this.#changed.promise;
    while (!this.#ended.aborted) {
      const burst = (this.#changed = Promise.withResolvers<undefined>());
      const settled = Symbol('settled');
      const quiet = new Promise((done) => setTimeout(done, SETTLE_MS, settled));
      if ((await Promise.race([burst.promise, quiet])) === settled) return !this.#ended.aborted;
    }
    return false;
  }
}
