import type { DatabaseSync } from 'node:sqlite';
import type { Sealing } from '../at-rest/sealing.ts';
import type { StoredStudy, StudyForms, StudyStore } from '../study-store.ts';

/**
 * SQL that creates the tables of studies (searches for expensive objects) in the journal. The journal is the SQLite file in which one
 * process stores its evaluations and studies.
 */
export const STUDY_TABLES = `
  CREATE TABLE IF NOT EXISTS study (id TEXT PRIMARY KEY, record BLOB NOT NULL, work BLOB, begun INTEGER NOT NULL DEFAULT 0, ending BLOB, report BLOB);
  CREATE TABLE IF NOT EXISTS study_time (day TEXT NOT NULL, client TEXT NOT NULL, ms REAL NOT NULL, PRIMARY KEY (day, client));
`;

/**
 * Store of studies (searches for expensive objects) in the journal, the SQLite file of one process. The file must contain the tables of
 * {@link STUDY_TABLES}.
 */
export class EmbeddedStudies<Forms extends StudyForms> implements StudyStore<Forms> {
  readonly #db: DatabaseSync;
  readonly #sealing: Sealing;

  constructor(db: DatabaseSync, sealing: Sealing) {
    this.#db = db;
    this.#sealing = sealing;
  }

  put(id: string, record: Forms['record'], order: Forms['order']): Promise<void> {
    this.#run(
      'INSERT INTO study (id, record, work) VALUES (?, ?, ?)',
      id,
      this.#sealing.pack('study', record),
      this.#sealing.pack('study', order),
    );
    return Promise.resolve();
  }

  begin(id: string): Promise<Forms['order'] | undefined> {
    this.#run('UPDATE study SET begun = begun + 1 WHERE id = ? AND work IS NOT NULL', id);
    return Promise.resolve(this.#part('work', id));
  }

  finish(id: string, end: Forms['end'], report: Forms['report']): Promise<void> {
    this.#run(
      'UPDATE study SET ending = ?, report = ?, work = NULL WHERE id = ?',
      this.#sealing.pack('study', end),
      this.#sealing.pack('study', report),
      id,
    );
    return Promise.resolve();
  }

  report(id: string): Promise<Forms['report'] | undefined> {
    return Promise.resolve(this.#part('report', id));
  }

  forget(id: string): Promise<void> {
    this.#run('DELETE FROM study WHERE id = ?', id);
    return Promise.resolve();
  }

  list(): Promise<readonly StoredStudy<Forms>[]> {
    return Promise.resolve(this.stored());
  }

  /** Returns all studies (searches for expensive objects) in the journal. Throws if a study cannot be read. */
  stored(): readonly StoredStudy<Forms>[] {
    const rows = this.#db.prepare('SELECT id, record, begun, ending FROM study').all();
    return rows.map(({ id, record, begun, ending }) => ({
      id: id as string,
      record: this.#unpacked(record),
      begun: begun as number,
      end: ending ? this.#unpacked(ending) : undefined,
    }));
  }

  charge(day: string, client: string, ms: number): Promise<void> {
    this.#run('DELETE FROM study_time WHERE day <> ?', day);
    this.#run('INSERT INTO study_time (day, client, ms) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ms = ms + excluded.ms', day, client, ms);
    return Promise.resolve();
  }

  charged(day: string, client: string): Promise<number> {
    const row = this.#db.prepare('SELECT ms FROM study_time WHERE day = ? AND client = ?').get(day, client);
    return Promise.resolve(Number(row?.['ms'] ?? 0));
  }

  #run(statement: string, ...values: readonly (string | number | Uint8Array)[]): void {
    this.#db.prepare(statement).run(...values);
  }

  #part(column: 'work' | 'report', id: string): unknown {
    const row = this.#db.prepare(`SELECT ${column} AS part FROM study WHERE id = ?`).get(id);
    return row?.['part'] ? this.#unpacked(row['part']) : undefined;
  }

  #unpacked(stored: unknown): unknown {
    return this.#sealing.unpack('study', stored as Uint8Array);
  }
}
