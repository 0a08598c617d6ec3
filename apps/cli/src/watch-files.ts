import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isFolder } from './find-files.ts';

/** Changes come in bursts (editors write twice); they are reported after a pause of this length, ms. */
const SETTLE_MS = 100;

/** A watch on files and folders. It also remembers changes that come while no caller waits. */
export class FileChanges {
  readonly #ended: AbortSignal;
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = Promise.withResolvers<undefined>();

  /** @param ended closes the watchers and ends waiting when it is aborted */
  constructor(ended: AbortSignal) {
    this.#ended = ended;
    ended.addEventListener('abort', () => {
      for (const watcher of this.#watchers.values()) watcher.close();
      this.#changed.resolve(undefined);
    });
  }

  /** Watches these too. A file is watched through its folder: editors replace files. Throws {@link UsageError} for what is not there. */
  watch(paths: readonly string[]): void {
    for (const path of paths) {
      const recursive = isFolder(path);
      const folder = resolve(recursive ? path : dirname(path));
      const key = `${folder} ${recursive}`;
      if (this.#ended.aborted || this.#watchers.has(key)) continue;
      // A watched folder may be deleted: then nothing more comes from it.
      const watcher = watch(folder, { recursive }, () => this.#changed.resolve(undefined)).on('error', () => watcher.close());
      this.#watchers.set(key, watcher);
    }
  }

  /** Resolves some time after a change that came since the last call; with false when there will be none. */
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
