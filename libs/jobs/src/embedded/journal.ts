import { LRUCache } from 'lru-cache';
import type { DatabaseSync } from 'node:sqlite';
import type { DefinitionText } from '#documents';
import { Sealing } from '../at-rest/sealing.ts';
import type { ContentKind } from '../at-rest/sealing.ts';
import type { JobKind } from '../life/job-kind.ts';
import type { JobForms } from '../ports.ts';
import { isUnavailable } from '../unavailable.ts';
import { JOURNAL_FORM, otherFormReason } from '../stored-form.ts';
import { JOB_TABLES, JournaledJobs, readable } from './journaled-jobs.ts';
import { openJournal, UnusableJournal } from './open-journal.ts';

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  ${JOB_TABLES}
  CREATE TABLE IF NOT EXISTS definition (digest TEXT PRIMARY KEY, text BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS sealed (id INTEGER PRIMARY KEY, sample BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, filler BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS study_time (day TEXT NOT NULL, client TEXT NOT NULL, ms REAL NOT NULL, PRIMARY KEY (day, client));
`;
/**
 * Statements that turn the studies of a journal of an earlier release into jobs. The forms of their records, orders, reports and ends did not
 * change.
 */
const STUDIES_TO_JOBS = `
  BEGIN;
  INSERT INTO evaluation (id, record, sealed) SELECT 'study/' || id, record, 1 FROM study;
  INSERT INTO chunk (evaluation, position, body, result) SELECT 'study/' || id, 0, work, report FROM study;
  INSERT INTO start (evaluation, total, idle) SELECT 'study/' || id, begun, begun FROM study WHERE begun > 0;
  INSERT INTO note (evaluation, note) SELECT 'study/' || id, ending FROM study WHERE ending IS NOT NULL;
  DROP TABLE study;
  COMMIT;
`;
/** Number of bytes that {@link Journal.probe} writes. It corresponds to a small chunk with its results. */
const PROBE_BYTES = 32 * 1024;
/** Maximum size, in bytes, of definition texts that are kept in memory because they could not be written to the file. */
const UNWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * SQLite file with all data that must survive a restart of the embedded service. These are jobs with their parts and results, definition
 * texts, and the thread time of clients.
 */
export class Journal {
  readonly #db: DatabaseSync;
  /**
   * Definitions that could not be written to the file because the disk was full. They serve evaluations whose client waits. They are
   * written before the first stored evaluation that needs them.
   */
  readonly #unwritten = new LRUCache<string, DefinitionText>({
    maxSize: UNWRITTEN_BYTES,
    sizeCalculation: ({ slice }) => Math.min(slice.bytes.length + 1, UNWRITTEN_BYTES),
  });

  readonly #close: () => void;
  readonly #sealing: Sealing;

  /**
   * Opens or creates the file, and locks it for this process. `:memory:` stores all data in memory instead of a file. Throws {@link
   * UnusableJournal} if another process uses the file, or if it cannot be opened or read.
   */
  constructor(file: string, sealing = new Sealing()) {
    const { db, close } = openJournal(file);
    this.#sealing = sealing;
    this.#db = db;
    this.#close = close;
    this.#agreeOn(() => this.#agreeOnForm());
    this.#db.exec(SCHEMA);
    this.#agreeOn(() => this.#agreeOnKeys());
    if (this.#db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'study'").get()) this.#db.exec(STUDIES_TO_JOBS);
  }

  /** Returns the jobs of one kind in this file. */
  jobs<Forms extends JobForms>(kind: JobKind<Forms>): JournaledJobs<Forms> {
    return new JournaledJobs({
      db: this.#db,
      sealing: this.#sealing,
      kind,
      close: this.#close,
      writeDefinition: (digest) => this.#rewrite(digest),
    });
  }

  /**
   * Stores a definition. Returns false if the file cannot be written. In this case, the definition is kept in memory until newer
   * definitions displace it.
   */
  putDefinition(text: DefinitionText): boolean {
    try {
      this.#write(text);
      return true;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#unwritten.set(text.digest, text);
      return false;
    }
  }

  /** Deletes the definitions whose digests are not in `needed`. If the disk is full, the definitions are kept until the next start. */
  keepDefinitions(needed: ReadonlySet<string>): void {
    try {
      for (const { digest } of this.#db.prepare('SELECT digest FROM definition').all())
        if (!needed.has(digest as string)) this.#db.prepare('DELETE FROM definition WHERE digest = ?').run(digest as string);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  /** Deletes a definition that no evaluation needs any more. If the disk is full, it is kept until the next start. */
  dropDefinition(digest: string): void {
    this.#unwritten.delete(digest);
    try {
      this.#db.prepare('DELETE FROM definition WHERE digest = ?').run(digest);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  definition(digest: string): DefinitionText | undefined {
    const unwritten = this.#unwritten.get(digest);
    if (unwritten) return unwritten;
    const row = this.#db.prepare('SELECT text FROM definition WHERE digest = ?').get(digest);
    return row ? (this.#unpacked('definition', row['text']) as DefinitionText) : undefined;
  }

  /** Adds to the thread time that a client used on a day, and deletes the thread times of all other days. */
  charge(day: string, client: string, ms: number): void {
    this.#db.prepare('DELETE FROM study_time WHERE day <> ?').run(day);
    this.#db
      .prepare('INSERT INTO study_time (day, client, ms) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ms = ms + excluded.ms')
      .run(day, client, ms);
  }

  /** Returns the thread time in ms that a client used on a day. */
  charged(day: string, client: string): number {
    return Number(this.#db.prepare('SELECT ms FROM study_time WHERE day = ? AND client = ?').get(day, client)?.['ms'] ?? 0);
  }

  /** Writes a test row, replacing the previous test row. Throws if the file cannot be written, for example because the disk is full. */
  probe(): void {
    this.#db.prepare('INSERT OR REPLACE INTO probe (id, filler) VALUES (1, randomblob(?))').run(PROBE_BYTES);
  }

  close(): void {
    this.#close();
  }

  /**
   * Checks that this release can read the form (format) of the file, and throws {@link UnusableJournal} if a later release wrote it. A file
   * without a form number is readable, and receives the number of this release.
   */
  #agreeOnForm(): void {
    const stored = Number(this.#db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (stored > JOURNAL_FORM) throw new UnusableJournal(otherFormReason(stored, JOURNAL_FORM));
    if (stored < JOURNAL_FORM) this.#db.exec(`PRAGMA user_version = ${JOURNAL_FORM}`);
  }

  /**
   * Checks that this process has the keys with which the stored content is encrypted. If a key is missing, the process must not use the
   * file, because it would treat encrypted content as lost.
   */
  #agreeOnKeys(): void {
    const there = this.#db.prepare('SELECT sample FROM sealed').get();
    const sample = readable(() => this.#sealing.sampleFor(there && (there['sample'] as Uint8Array)));
    if (sample) this.#db.prepare('INSERT OR REPLACE INTO sealed (id, sample) VALUES (1, ?)').run(sample);
  }

  /** Runs `agree`. If it throws, closes the file so that other processes can open it. */
  #agreeOn(agree: () => void): void {
    try {
      agree();
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  #packed(kind: ContentKind, value: unknown): Uint8Array {
    return this.#sealing.pack(kind, value);
  }

  #unpacked(kind: ContentKind, stored: unknown): unknown {
    return this.#sealing.unpack(kind, stored as Uint8Array);
  }

  /** Writes a definition that could not be written before. Does nothing for all other definitions. */
  #rewrite(digest: string): void {
    const text = this.#unwritten.get(digest);
    if (text) this.#write(text);
  }

  #write(text: DefinitionText): void {
    this.#db
      .prepare('INSERT INTO definition (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(text.digest, this.#packed('definition', text));
    this.#unwritten.delete(text.digest);
  }
}
