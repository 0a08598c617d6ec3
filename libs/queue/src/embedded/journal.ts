import { LRUCache } from 'lru-cache';
import type { DatabaseSync } from 'node:sqlite';
import type { Chunk, ChunkResult, DefinitionText } from '#evaluation';
import { Sealing, UnreadableContent } from '../at-rest/sealing.ts';
import type { ContentKind } from '../at-rest/sealing.ts';
import { UNKNOWN_ITEM_MS } from '../flow/chunk-cost.ts';
import { DEFAULT_FLOW_LIMITS } from '../limits.ts';
import type { EvaluationRecord } from '../ports.ts';
import { isUnavailable } from '../unavailable.ts';
import { JOURNAL_FORM, otherFormReason } from '../stored-form.ts';
import type { StudyForms, StudyStore } from '../study-store.ts';
import { EmbeddedStudies, STUDY_TABLES } from './embedded-studies.ts';
import { openJournal, UnusableJournal } from './open-journal.ts';

/** An evaluation found in the journal at the start. */
export interface JournaledEvaluation {
  readonly record: EvaluationRecord;
  readonly sealed: boolean;
  /** The end, if it ended before all chunks were judged. */
  readonly ended: 'cancelled' | 'tooLarge' | undefined;
  readonly chunks: readonly { readonly index: number; readonly result: ChunkResult | undefined }[];
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS evaluation (id TEXT PRIMARY KEY, record BLOB NOT NULL, sealed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS chunk (evaluation TEXT NOT NULL, position INTEGER NOT NULL, body BLOB, result BLOB, PRIMARY KEY (evaluation, position));
  CREATE TABLE IF NOT EXISTS definition (digest TEXT PRIMARY KEY, text BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS sealed (id INTEGER PRIMARY KEY, sample BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, filler BLOB NOT NULL);
  ${STUDY_TABLES}
`;
/** The values of the column `cancelled` for an early end; 0: there was none. */
const CODES = { cancelled: 1, tooLarge: 2 } as const;
const ENDS = ['cancelled', 'tooLarge'] as const;
/** Bytes that {@link Journal.probe} writes: as much as a small chunk and its results. */
const PROBE_BYTES = 32 * 1024;
/** Maximum size, in bytes, of unwritten definition texts that are kept in memory. */
const UNWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * Keeps in one SQLite file all that must survive a restart of the embedded service: detached evaluations, their chunks and results, definition
 * texts, and studies. One statement writes a result and clears the body of its chunk, and only if there is no result: so each result is stored once.
 */
export class Journal {
  readonly #db: DatabaseSync;
  /**
   * Definitions that could not be written to the file, because the disk was full. They serve evaluations that need not survive. They are
   * written before the first evaluation that must survive.
   */
  readonly #unwritten = new LRUCache<string, DefinitionText>({
    maxSize: UNWRITTEN_BYTES,
    sizeCalculation: ({ slice }) => Math.min(slice.bytes.length + 1, UNWRITTEN_BYTES),
  });

  readonly #close: () => void;
  readonly #sealing: Sealing;

  /** Opens or creates the file, which only this process may use; `:memory:` uses no file. Throws {@link UnusableJournal}. */
  constructor(file: string, sealing = new Sealing()) {
    const { db, close } = openJournal(file);
    this.#sealing = sealing;
    this.#db = db;
    this.#close = close;
    this.#agreeOn(() => this.#agreeOnForm());
    this.#db.exec(SCHEMA);
    this.#agreeOn(() => this.#agreeOnKeys());
  }

  /**
   * Returns the studies of this file. The caller defines the types of their parts (`Forms`). Throws {@link UnusableJournal} if a study
   * cannot be read.
   */
  studies<Forms extends StudyForms>(): StudyStore<Forms> {
    const studies = new EmbeddedStudies<Forms>(this.#db, this.#sealing);
    this.#agreeOn(() => readable(() => studies.stored()));
    return studies;
  }

  /** Runs `write` in one transaction, so that either all of its writes are stored or none. Errors are passed on. */
  atomically<Answer>(write: () => Answer): Answer {
    this.#db.exec('BEGIN');
    try {
      const answer = write();
      this.#db.exec('COMMIT');
      return answer;
    } catch (error) {
      // A full disk may have rolled it back by itself.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  addEvaluation(record: EvaluationRecord): void {
    for (const { digest } of record.settings.definitions) {
      const text = this.#unwritten.get(digest);
      if (text) this.#write(text);
    }
    this.#db
      .prepare('INSERT INTO evaluation (id, record) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(record.id, this.#packed('record', record));
  }

  addChunk(chunk: Chunk): void {
    this.#db
      .prepare('INSERT INTO chunk (evaluation, position, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(chunk.evaluation, chunk.index, this.#packed('chunk', chunk));
  }

  seal(id: string): void {
    this.#db.prepare('UPDATE evaluation SET sealed = 1 WHERE id = ?').run(id);
  }

  /** Ends an evaluation before all of its chunks were judged. */
  end(id: string, how: 'cancelled' | 'tooLarge'): void {
    this.#db.prepare('UPDATE evaluation SET cancelled = ? WHERE id = ?').run(CODES[how], id);
    this.#db.prepare('UPDATE chunk SET body = NULL WHERE evaluation = ?').run(id);
  }

  /** True when this was the first result of the chunk. */
  storeResult(id: string, index: number, result: ChunkResult): boolean {
    const { changes } = this.#db
      .prepare('UPDATE chunk SET result = ?, body = NULL WHERE evaluation = ? AND position = ? AND result IS NULL')
      .run(this.#packed('result', result), id, index);
    return changes === 1;
  }

  result(id: string, index: number): ChunkResult | undefined {
    const row = this.#db.prepare('SELECT result FROM chunk WHERE evaluation = ? AND position = ?').get(id, index);
    return row?.['result'] ? (this.#unpacked('result', row['result']) as ChunkResult) : undefined;
  }

  /** The body of a chunk that has no result yet. */
  body(id: string, index: number): Chunk | undefined {
    const row = this.#db.prepare('SELECT body FROM chunk WHERE evaluation = ? AND position = ? AND result IS NULL').get(id, index);
    return row?.['body'] ? (this.#unpacked('chunk', row['body']) as Chunk) : undefined;
  }

  forget(id: string): void {
    this.#db.prepare('DELETE FROM chunk WHERE evaluation = ?').run(id);
    this.#db.prepare('DELETE FROM evaluation WHERE id = ?').run(id);
  }

  /**
   * Returns all stored evaluations. Throws {@link UnusableJournal} if an evaluation is encrypted under a key that this process does not
   * have.
   */
  evaluations(): JournaledEvaluation[] {
    try {
      return readable(() => this.#evaluations());
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  #evaluations(): JournaledEvaluation[] {
    return this.#db
      .prepare('SELECT id, record, sealed, cancelled FROM evaluation')
      .all()
      .map((row) => ({
        record: withFlow(this.#unpacked('record', row['record']) as EvaluationRecord),
        sealed: row['sealed'] === 1,
        ended: ENDS.find((how) => CODES[how] === row['cancelled']),
        chunks: this.#db
          .prepare('SELECT position, result FROM chunk WHERE evaluation = ? ORDER BY position')
          .all(row['id'] as string)
          .map((chunk) => ({
            index: chunk['position'] as number,
            result: chunk['result'] ? (this.#unpacked('result', chunk['result']) as ChunkResult) : undefined,
          })),
      }));
  }

  /** Stores a definition. Returns false if the file cannot be written; the definition is then kept in memory for a limited time. */
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

  /** Drops the definitions that none of these evaluations needs. A full disk keeps them until the next start. */
  keepDefinitionsOf(records: readonly EvaluationRecord[]): void {
    const needed = new Set(records.flatMap(({ settings }) => settings.definitions.map(({ digest }) => digest)));
    try {
      for (const { digest } of this.#db.prepare('SELECT digest FROM definition').all())
        if (!needed.has(digest as string)) this.#db.prepare('DELETE FROM definition WHERE digest = ?').run(digest as string);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  /** Drops a definition that no evaluation needs any more. A full disk keeps it until the next start. */
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

  /** Writes and rewrites one row: throws when the file cannot grow by it. */
  probe(): void {
    this.#db.prepare('INSERT OR REPLACE INTO probe (id, filler) VALUES (1, randomblob(?))').run(PROBE_BYTES);
  }

  close(): void {
    this.#close();
  }

  /** Refuses a file of a later release. A file without a number has a form that this release reads. */
  #agreeOnForm(): void {
    const stored = Number(this.#db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (stored > JOURNAL_FORM) throw new UnusableJournal(otherFormReason(stored, JOURNAL_FORM));
    if (stored < JOURNAL_FORM) this.#db.exec(`PRAGMA user_version = ${JOURNAL_FORM}`);
  }

  /**
   * Checks that the stored content is readable with the keys of this process. Otherwise the process must not use the file, because it would
   * treat encrypted content as lost.
   */
  #agreeOnKeys(): void {
    const there = this.#db.prepare('SELECT sample FROM sealed').get();
    const sample = readable(() => this.#sealing.sampleFor(there && (there['sample'] as Uint8Array)));
    if (sample) this.#db.prepare('INSERT OR REPLACE INTO sealed (id, sample) VALUES (1, ?)').run(sample);
  }

  /** Closes the file if the agreement fails, so that others can open it. */
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

  #write(text: DefinitionText): void {
    this.#db
      .prepare('INSERT INTO definition (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(text.digest, this.#packed('definition', text));
    this.#unwritten.delete(text.digest);
  }
}

/** Runs `read` on an open journal. Converts the error of unreadable content to {@link UnusableJournal}. */
function readable<Answer>(read: () => Answer): Answer {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnreadableContent ? new UnusableJournal(error.message, { cause: error }) : error;
  }
}

/**
 * Completes a record from an older journal. Journals from before flow control contain only the name of a flow, or none. Journals from
 * before the limits of results lack these limits.
 */
function withFlow(record: EvaluationRecord): EvaluationRecord {
  const flow: unknown = record.flow;
  if (typeof flow === 'object') return { ...record, flow: { ...record.flow, limits: { ...DEFAULT_FLOW_LIMITS, ...record.flow.limits } } };
  const name = typeof flow === 'string' ? flow : '';
  return { ...record, itemMs: UNKNOWN_ITEM_MS, flow: { level: 'normal', name, division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } };
}
