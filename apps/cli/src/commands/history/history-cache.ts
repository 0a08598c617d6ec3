import type { DatabaseSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { z } from 'zod';
import { cacheFile } from '../../files/write-file.ts';

/** Maximum size in bytes of all cached verdicts together. The verdicts that no command has used for the longest time are removed. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
/** Maximum size in bytes of one verdict after it is inflated, so that a damaged file cannot exhaust the memory. */
const MAX_VERDICT_BYTES = 64 * 1024 * 1024;
/** Form of the stored verdicts. It rises if the form changes; verdicts of another form are removed. */
const FORM = 1;
/** Maximum time in ms to wait for another process that writes. */
const BUSY_MS = 2000;

/** Verdicts of earlier runs, as texts by key. */
export interface HistoryCache {
  /** Sentence that says why there is no cache; undefined if there is one. */
  readonly problem?: string;
  /** Returns the text that was stored under a key; undefined if there is none. */
  readonly find: (key: string) => string | undefined;
  readonly store: (key: string, text: string) => void;
  /** Removes the verdicts that exceed the maximum size, and closes the file. */
  readonly close: () => void;
}

/**
 * Opens the SQLite file with the verdicts of earlier runs, below the user's cache folder. Only this user can read it. Several processes may
 * use it at once. If it cannot be used, or if this Node has no SQLite, returns a cache that is always empty and says why.
 */
export function openHistoryCache(env: NodeJS.ProcessEnv): HistoryCache {
  try {
    // Node before 20.16 lacks the function, and Node before 22.13 offers SQLite only with a flag.
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (sqlite === undefined) return withoutCache(`Node ${process.versions.node} has no SQLite`);
    const db = new sqlite.DatabaseSync(cacheFile('history.sqlite', env));
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF`);
    prepareTable(db);
    return new OpenCache(db);
  } catch (error) {
    return withoutCache(error instanceof Error ? error.message : String(error));
  }
}

/** Reads a cached text. Returns undefined if there is none, or if it does not have the expected form. */
export function cachedValue<Value>(schema: z.ZodType<Value>, text: string | undefined): Value | undefined {
  if (text === undefined) return undefined;
  try {
    const read = schema.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

const withoutCache = (reason: string): HistoryCache => ({
  problem: `No cache is used: ${reason}.`,
  find: () => undefined,
  store: () => undefined,
  close: () => undefined,
});

/** Creates the table. Removes the verdicts of another form. */
function prepareTable(db: DatabaseSync): void {
  const form = db.prepare('PRAGMA user_version').get()?.['user_version'];
  if (form !== FORM) db.exec(`DROP TABLE IF EXISTS verdict; PRAGMA user_version = ${FORM}`);
  db.exec('CREATE TABLE IF NOT EXISTS verdict (key TEXT PRIMARY KEY, used INTEGER NOT NULL, content BLOB NOT NULL)');
}

/** Cache in an open file. After the first error it finds and stores nothing more. */
class OpenCache implements HistoryCache {
  readonly #db: DatabaseSync;
  readonly #used: string[] = [];
  #works = true;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  find = (key: string): string | undefined =>
    this.#attempt(() => {
      const content = this.#db.prepare('SELECT content FROM verdict WHERE key = ?').get(key)?.['content'];
      if (!(content instanceof Uint8Array)) return undefined;
      this.#used.push(key);
      return inflateRawSync(content, { maxOutputLength: MAX_VERDICT_BYTES }).toString();
    });

  store = (key: string, text: string): void => {
    this.#attempt(() => {
      const content = deflateRawSync(text);
      if (content.length <= MAX_CACHE_BYTES / 8)
        this.#db.prepare('INSERT OR REPLACE INTO verdict VALUES (?, ?, ?)').run(key, Date.now(), content);
    });
  };

  close = (): void => {
    this.#attempt(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      const touch = this.#db.prepare('UPDATE verdict SET used = ? WHERE key = ?');
      for (const key of this.#used) touch.run(Date.now(), key);
      this.#db
        .prepare(
          `DELETE FROM verdict WHERE key IN (SELECT key FROM (
            SELECT key, SUM(LENGTH(content)) OVER (ORDER BY used DESC, key) AS together FROM verdict) WHERE together > ?)`,
        )
        .run(MAX_CACHE_BYTES);
      this.#db.exec('COMMIT');
    });
    this.#attempt(() => this.#db.close());
  };

  #attempt<Result>(use: () => Result): Result | undefined {
    if (!this.#works) return undefined;
    try {
      return use();
    } catch {
      this.#works = false;
      return undefined;
    }
  }
}
