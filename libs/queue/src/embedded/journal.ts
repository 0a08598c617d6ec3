import { LRUCache } from 'lru-cache';
import type { DatabaseSync } from 'node:sqlite';
import { chunkBytes } from '#evaluation';
import type { ChunkResult, DefinitionText } from '#evaluation';
import { Sealing, UnreadableContent } from '../at-rest/sealing.ts';
import type { ContentKind } from '../at-rest/sealing.ts';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import { packedPart, packedResult, unpackedPart, unpackedResult } from '../jobs/packed-forms.ts';
import type { PackedPart, PackedResult } from '../jobs/packed-forms.ts';
import type { EvaluationRecord, JobPart } from '../ports.ts';
import { isUnavailable } from '../unavailable.ts';
import { JOURNAL_FORM, otherFormReason } from '../stored-form.ts';
import type { StudyForms, StudyStore } from '../study-store.ts';
import { EmbeddedStudies, STUDY_TABLES } from './embedded-studies.ts';
import { openJournal, UnusableJournal } from './open-journal.ts';

/** Evaluation that is found in the journal when a process starts. */
export interface JournaledEvaluation {
  readonly record: EvaluationRecord;
  readonly sealed: boolean;
  /** Kind of end if the evaluation ended before all parts had results. Undefined for other evaluations. */
  readonly ended: EarlyEnd | undefined;
  /** Number of times that work on the evaluation began. */
  readonly starts: number;
  /** Number of starts since a result was last stored. */
  readonly startsWithoutResult: number;
  /** Parts in order, each with its size in bytes. */
  readonly parts: readonly { readonly bytes: number; readonly result: ChunkResult | undefined }[];
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS evaluation (id TEXT PRIMARY KEY, record BLOB NOT NULL, sealed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS start (evaluation TEXT PRIMARY KEY, total INTEGER NOT NULL, idle INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS chunk (evaluation TEXT NOT NULL, position INTEGER NOT NULL, body BLOB, result BLOB, PRIMARY KEY (evaluation, position));
  CREATE TABLE IF NOT EXISTS definition (digest TEXT PRIMARY KEY, text BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS sealed (id INTEGER PRIMARY KEY, sample BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, filler BLOB NOT NULL);
  ${STUDY_TABLES}
`;
/** Kind of end of an evaluation that ended before all parts had results. */
type EarlyEnd = 'cancelled' | 'tooLarge' | 'failed';
/** Values of the column `cancelled` for evaluations that ended early. The value 0 means that the evaluation did not end early. */
const CODES = { cancelled: 1, tooLarge: 2, failed: 3 } as const;
const ENDS = ['cancelled', 'tooLarge', 'failed'] as const;
/** Number of bytes that {@link Journal.probe} writes. It corresponds to a small chunk with its results. */
const PROBE_BYTES = 32 * 1024;
/** Maximum size, in bytes, of definition texts that are kept in memory because they could not be written to the file. */
const UNWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * SQLite file with all data that must survive a restart of the embedded service. These are detached evaluations (whose clients do not wait)
 * with their parts and results, definition texts, and studies. One SQL statement stores the result of a part and clears the part's body.
 * It has no effect if the part already has a result, so each result is stored only once.
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
  }

  /**
   * Returns the store of the studies (searches for expensive objects) in this file. The caller defines the types of their parts (`Forms`).
   * Throws {@link UnusableJournal} if a study cannot be read.
   */
  studies<Forms extends StudyForms>(): StudyStore<Forms> {
    const studies = new EmbeddedStudies<Forms>(this.#db, this.#sealing);
    this.#agreeOn(() => readable(() => studies.stored()));
    return studies;
  }

  /** Runs `write` in one transaction, so that either all of its changes are stored or none. Throws every error of `write`. */
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

  addPart(id: string, part: number, added: JobPart): void {
    this.#db
      .prepare('INSERT INTO chunk (evaluation, position, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(id, part, this.#packed('chunk', packedPart(added)));
  }

  /** Counts a start of the work on an evaluation. */
  begin(id: string): void {
    this.#db
      .prepare(
        'INSERT INTO start (evaluation, total, idle) VALUES (?, 1, 1) ON CONFLICT (evaluation) DO UPDATE SET total = total + 1, idle = idle + 1',
      )
      .run(id);
  }

  /** Records that a result was stored since the last start of an evaluation. */
  reward(id: string): void {
    this.#db.prepare('UPDATE start SET idle = 0 WHERE evaluation = ?').run(id);
  }

  seal(id: string): void {
    this.#db.prepare('UPDATE evaluation SET sealed = 1 WHERE id = ?').run(id);
  }

  /** Records that an evaluation ended before all of its parts had results. Deletes the bodies of its parts. */
  end(id: string, how: EarlyEnd): void {
    this.#db.prepare('UPDATE evaluation SET cancelled = ? WHERE id = ?').run(CODES[how], id);
    this.#db.prepare('UPDATE chunk SET body = NULL WHERE evaluation = ?').run(id);
  }

  /** Stores the result of a part if the part has no result. */
  storeResult(id: string, part: number, result: ChunkResult): void {
    this.#db
      .prepare('UPDATE chunk SET result = ?, body = NULL WHERE evaluation = ? AND position = ? AND result IS NULL')
      .run(this.#packed('result', packedResult(result)), id, part);
  }

  result(id: string, part: number): ChunkResult | undefined {
    const row = this.#db.prepare('SELECT result FROM chunk WHERE evaluation = ? AND position = ?').get(id, part);
    return row?.['result'] ? this.#result(row['result']) : undefined;
  }

  /** Returns a part that has no result. Returns undefined for any other part. */
  part(id: string, part: number): JobPart | undefined {
    const row = this.#db.prepare('SELECT body FROM chunk WHERE evaluation = ? AND position = ? AND result IS NULL').get(id, part);
    return row?.['body'] ? this.#part(row['body']) : undefined;
  }

  forget(id: string): void {
    this.#db.prepare('DELETE FROM chunk WHERE evaluation = ?').run(id);
    this.#db.prepare('DELETE FROM start WHERE evaluation = ?').run(id);
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
      .prepare('SELECT id, record, sealed, cancelled, total, idle FROM evaluation LEFT JOIN start ON evaluation = id')
      .all()
      .map((row) => ({
        record: withFlow(this.#unpacked('record', row['record']) as EvaluationRecord),
        sealed: row['sealed'] === 1,
        ended: ENDS.find((how) => CODES[how] === row['cancelled']),
        starts: Number(row['total'] ?? 0),
        startsWithoutResult: Number(row['idle'] ?? 0),
        parts: this.#parts(row['id'] as string),
      }));
  }

  #parts(id: string): JournaledEvaluation['parts'] {
    const rows = this.#db.prepare('SELECT body, result FROM chunk WHERE evaluation = ? ORDER BY position').iterate(id);
    return Array.from(rows, ({ body, result }) => ({
      bytes: body ? chunkBytes(this.#part(body).items) : 0,
      result: result ? this.#result(result) : undefined,
    }));
  }

  /** Unpacks a part. Journals of form 1 contain its items in another form. */
  #part(stored: unknown): JobPart {
    const part = this.#unpacked('chunk', stored) as PackedPart | JobPart;
    return 'items' in part ? { firstItem: part.firstItem, items: part.items } : unpackedPart(part);
  }

  /** Unpacks a result. Journals of form 1 contain its verdicts in another form. */
  #result(stored: unknown): ChunkResult {
    const result = this.#unpacked('result', stored) as PackedResult | ChunkResult;
    return 'verdicts' in result ? result : unpackedResult(result);
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

  /** Deletes the definitions that no evaluation in `records` needs. If the disk is full, the definitions are kept until the next start. */
  keepDefinitionsOf(records: readonly EvaluationRecord[]): void {
    const needed = new Set(records.flatMap(({ settings }) => settings.definitions.map(({ digest }) => digest)));
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
 * Adds missing fields to a record from an older journal. Journals that predate flow control contain only the name of a flow, or no flow.
 * Journals that predate the limits of results lack these limits.
 */
function withFlow(record: EvaluationRecord): EvaluationRecord {
  const flow: unknown = record.flow;
  if (typeof flow === 'object') return { ...record, flow: { ...record.flow, limits: { ...DEFAULT_FLOW_LIMITS, ...record.flow.limits } } };
  const name = typeof flow === 'string' ? flow : '';
  return { ...record, flow: { level: 'normal', name, division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } };
}
