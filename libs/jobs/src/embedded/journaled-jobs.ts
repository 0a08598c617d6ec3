import type { DatabaseSync } from 'node:sqlite';
import { UnreadableContent } from '../at-rest/sealing.ts';
import type { Sealing } from '../at-rest/sealing.ts';
import { idOf, storedIdOf } from '../life/job-kind.ts';
import type { JobKind, ResultCharge, StoredForm } from '../life/job-kind.ts';
import type { JobForms } from '../ports.ts';
import { UnusableJournal } from './open-journal.ts';

/** SQL that creates the tables of jobs in the journal. Their names come from the first release, which stored only evaluations. */
export const JOB_TABLES = `
  CREATE TABLE IF NOT EXISTS evaluation (id TEXT PRIMARY KEY, record BLOB NOT NULL, sealed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS start (evaluation TEXT PRIMARY KEY, total INTEGER NOT NULL, idle INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS chunk (evaluation TEXT NOT NULL, position INTEGER NOT NULL, body BLOB, result BLOB, PRIMARY KEY (evaluation, position));
  CREATE TABLE IF NOT EXISTS note (evaluation TEXT PRIMARY KEY, note BLOB NOT NULL);
`;

/** Kind of end of a job that ended before all parts had results. */
type EarlyEnd = 'cancelled' | 'tooLarge' | 'failed';
/** Values of the column `cancelled` for jobs that ended early. The value 0 means that the job did not end early. */
const CODES = { cancelled: 1, tooLarge: 2, failed: 3 } as const;
const ENDS = ['cancelled', 'tooLarge', 'failed'] as const;

/** Job that is found in the journal when a process starts. */
export interface JournaledJob<Forms extends JobForms> {
  readonly record: Forms['record'];
  readonly sealed: boolean;
  /** Kind of end if the job ended before all parts had results. Undefined for other jobs. */
  readonly ended: EarlyEnd | undefined;
  /** Number of times that work on the job began. */
  readonly starts: number;
  /** Number of starts since a result was last stored. */
  readonly startsWithoutResult: number;
  /** Parts in order, each with its size in bytes, and with the charge of its result if it has one. */
  readonly parts: readonly { readonly bytes: number; readonly charge: ResultCharge | undefined }[];
}

/** Parts from which {@link JournaledJobs} are built. */
interface JournaledJobsParts<Forms extends JobForms> {
  readonly db: DatabaseSync;
  readonly sealing: Sealing;
  readonly kind: JobKind<Forms>;
  /** Closes the journal. */
  readonly close: () => void;
  /** Writes a definition to the journal that could not be written before. */
  readonly writeDefinition: (digest: string) => void;
}

/**
 * Jobs of one kind in the journal. One SQL statement stores the result of a part and clears the part's body. It has no effect if the part
 * already has a result, so each result is stored only once.
 */
export class JournaledJobs<Forms extends JobForms> {
  readonly #ports: JournaledJobsParts<Forms>;
  readonly #db: DatabaseSync;
  readonly #kind: JobKind<Forms>;

  constructor(parts: JournaledJobsParts<Forms>) {
    this.#ports = parts;
    this.#db = parts.db;
    this.#kind = parts.kind;
  }

  /** Runs `write` in one transaction, so that either all of its changes are stored or none. Throws every error of `write`. */
  atomically<Answer>(write: () => Answer): Answer {
    this.#db.exec('BEGIN');
    try {
      const answer = write();
      this.#db.exec('COMMIT');
      return answer;
    } catch (error) {
      // If the disk is full, SQLite may already have rolled back by itself.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  add(record: Forms['record']): void {
    for (const digest of this.#kind.definitionsOf(record)) this.#ports.writeDefinition(digest);
    this.#run(
      'INSERT INTO evaluation (id, record) VALUES (?, ?) ON CONFLICT DO NOTHING',
      this.#stored(record.id),
      this.#packed(this.#kind.record, record),
    );
  }

  addPart(id: string, part: number, body: Forms['body']): void {
    this.#run(
      'INSERT INTO chunk (evaluation, position, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      this.#stored(id),
      part,
      this.#packed(this.#kind.body, body),
    );
  }

  /** Counts a start of the work on a job. */
  begin(id: string): void {
    this.#run(
      'INSERT INTO start (evaluation, total, idle) VALUES (?, 1, 1) ON CONFLICT (evaluation) DO UPDATE SET total = total + 1, idle = idle + 1',
      this.#stored(id),
    );
  }

  /** Records that a result was stored since the last start of a job. */
  reward(id: string): void {
    this.#run('UPDATE start SET idle = 0 WHERE evaluation = ?', this.#stored(id));
  }

  seal(id: string): void {
    this.#run('UPDATE evaluation SET sealed = 1 WHERE id = ?', this.#stored(id));
  }

  /** Records that a job ended before all of its parts had results. Deletes the bodies of its parts. */
  end(id: string, how: EarlyEnd): void {
    this.#run('UPDATE evaluation SET cancelled = ? WHERE id = ?', CODES[how], this.#stored(id));
    this.#run('UPDATE chunk SET body = NULL WHERE evaluation = ?', this.#stored(id));
  }

  /** Stores the result of a part if the part has no result. */
  storeResult(id: string, part: number, result: Forms['result']): void {
    this.#run(
      'UPDATE chunk SET result = ?, body = NULL WHERE evaluation = ? AND position = ? AND result IS NULL',
      this.#packed(this.#kind.result, result),
      this.#stored(id),
      part,
    );
  }

  result(id: string, part: number): Forms['result'] | undefined {
    const row = this.#db.prepare('SELECT result FROM chunk WHERE evaluation = ? AND position = ?').get(this.#stored(id), part);
    return row?.['result'] ? this.#unpacked(this.#kind.result, row['result']) : undefined;
  }

  /** Returns a part that has no result. Returns undefined for any other part. */
  part(id: string, part: number): Forms['body'] | undefined {
    const row = this.#db
      .prepare('SELECT body FROM chunk WHERE evaluation = ? AND position = ? AND result IS NULL')
      .get(this.#stored(id), part);
    return row?.['body'] ? this.#unpacked(this.#kind.body, row['body']) : undefined;
  }

  /** Stores the last note of a job, in place of an earlier one. */
  note(id: string, note: Forms['note']): void {
    this.#run('INSERT OR REPLACE INTO note (evaluation, note) VALUES (?, ?)', this.#stored(id), this.#packed(this.#kind.note, note));
  }

  noted(id: string): Forms['note'] | undefined {
    const row = this.#db.prepare('SELECT note FROM note WHERE evaluation = ?').get(this.#stored(id));
    return row?.['note'] ? this.#unpacked(this.#kind.note, row['note']) : undefined;
  }

  forget(id: string): void {
    for (const table of ['chunk', 'start', 'note']) this.#run(`DELETE FROM ${table} WHERE evaluation = ?`, this.#stored(id));
    this.#run('DELETE FROM evaluation WHERE id = ?', this.#stored(id));
  }

  /**
   * Returns all stored jobs of this kind, in the order in which they were added. Throws {@link UnusableJournal} if a job is encrypted under a
   * key that this process does not have. In this case, the journal is closed.
   */
  all(): JournaledJob<Forms>[] {
    try {
      return readable(() => this.#all());
    } catch (error) {
      this.#ports.close();
      throw error;
    }
  }

  #all(): JournaledJob<Forms>[] {
    return this.#db
      .prepare(
        'SELECT id, record, sealed, cancelled, total, idle FROM evaluation LEFT JOIN start ON evaluation = id ORDER BY evaluation.rowid',
      )
      .all()
      .filter(({ id }) => idOf(this.#kind, id as string) !== undefined)
      .map((row) => ({
        record: this.#unpacked(this.#kind.record, row['record']),
        sealed: row['sealed'] === 1,
        ended: ENDS.find((how) => CODES[how] === row['cancelled']),
        starts: Number(row['total'] ?? 0),
        startsWithoutResult: Number(row['idle'] ?? 0),
        parts: this.#parts(row['id'] as string),
      }));
  }

  #parts(storedId: string): JournaledJob<Forms>['parts'] {
    const { body: bodyForm, result: resultForm, bytesOf, chargeOf } = this.#kind;
    const rows = this.#db.prepare('SELECT body, result FROM chunk WHERE evaluation = ? ORDER BY position').iterate(storedId);
    return Array.from(rows, ({ body, result }) => ({
      bytes: body ? bytesOf(this.#unpacked(bodyForm, body)) : 0,
      charge: result ? chargeOf(this.#unpacked(resultForm, result)) : undefined,
    }));
  }

  #stored(id: string): string {
    return storedIdOf(this.#kind, id);
  }

  #run(statement: string, ...values: readonly (string | number | Uint8Array)[]): void {
    this.#db.prepare(statement).run(...values);
  }

  #packed<Value>({ content, pack }: StoredForm<Value>, value: Value): Uint8Array {
    return this.#ports.sealing.pack(content, pack(value));
  }

  #unpacked<Value>({ content, unpack }: StoredForm<Value>, stored: unknown): Value {
    return unpack(this.#ports.sealing.unpack(content, stored as Uint8Array) as object);
  }
}

/** Runs `read` on an open journal. Converts the error of unreadable content to {@link UnusableJournal}. */
export function readable<Answer>(read: () => Answer): Answer {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnreadableContent ? new UnusableJournal(error.message, { cause: error }) : error;
  }
}
