import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import type { Chunk, ChunkResult, DefinitionText } from '#evaluation';
import { UNKNOWN_ITEM_MS } from '../flow/chunk-cost.ts';
import { DEFAULT_FLOW_LIMITS } from '../limits.ts';
import type { EvaluationRecord } from '../ports.ts';

/** An evaluation found in the journal at the start. */
export interface JournaledEvaluation {
  readonly record: EvaluationRecord;
  readonly sealed: boolean;
  readonly cancelled: boolean;
  readonly chunks: readonly { readonly index: number; readonly result: ChunkResult | undefined }[];
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS evaluation (id TEXT PRIMARY KEY, record BLOB NOT NULL, sealed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS chunk (evaluation TEXT NOT NULL, position INTEGER NOT NULL, body BLOB, result BLOB, PRIMARY KEY (evaluation, position));
  CREATE TABLE IF NOT EXISTS definition (digest TEXT PRIMARY KEY, text BLOB NOT NULL);
`;

/**
 * What must survive a restart of the embedded service: detached evaluations, their chunks and results, and definition texts, in one SQLite
 * file. A result is written with its chunk's body cleared, in one statement, and only where none is: so it is stored once.
 */
export class Journal {
  readonly #db: DatabaseSync;

  /** Opens or makes the file; `:memory:` for none. */
  constructor(file: string) {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    this.#db = new DatabaseSync(file);
    this.#db.exec(SCHEMA);
  }

  addEvaluation(record: EvaluationRecord): void {
    this.#db.prepare('INSERT INTO evaluation (id, record) VALUES (?, ?) ON CONFLICT DO NOTHING').run(record.id, serialize(record));
  }

  addChunk(chunk: Chunk): void {
    this.#db
      .prepare('INSERT INTO chunk (evaluation, position, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(chunk.evaluation, chunk.index, serialize(chunk));
  }

  seal(id: string): void {
    this.#db.prepare('UPDATE evaluation SET sealed = 1 WHERE id = ?').run(id);
  }

  cancel(id: string): void {
    this.#db.prepare('UPDATE evaluation SET cancelled = 1 WHERE id = ?').run(id);
    this.#db.prepare('UPDATE chunk SET body = NULL WHERE evaluation = ?').run(id);
  }

  /** True when this was the first result of the chunk. */
  storeResult(id: string, index: number, result: ChunkResult): boolean {
    const { changes } = this.#db
      .prepare('UPDATE chunk SET result = ?, body = NULL WHERE evaluation = ? AND position = ? AND result IS NULL')
      .run(serialize(result), id, index);
    return changes === 1;
  }

  result(id: string, index: number): ChunkResult | undefined {
    const row = this.#db.prepare('SELECT result FROM chunk WHERE evaluation = ? AND position = ?').get(id, index);
    return row?.['result'] ? (deserialize(row['result'] as Uint8Array) as ChunkResult) : undefined;
  }

  /** The body of a chunk that has no result yet. */
  body(id: string, index: number): Chunk | undefined {
    const row = this.#db.prepare('SELECT body FROM chunk WHERE evaluation = ? AND position = ? AND result IS NULL').get(id, index);
    return row?.['body'] ? (deserialize(row['body'] as Uint8Array) as Chunk) : undefined;
  }

  forget(id: string): void {
    this.#db.prepare('DELETE FROM chunk WHERE evaluation = ?').run(id);
    this.#db.prepare('DELETE FROM evaluation WHERE id = ?').run(id);
  }

  evaluations(): JournaledEvaluation[] {
    return this.#db
      .prepare('SELECT id, record, sealed, cancelled FROM evaluation')
      .all()
      .map((row) => ({
        record: withFlow(deserialize(row['record'] as Uint8Array) as EvaluationRecord),
        sealed: row['sealed'] === 1,
        cancelled: row['cancelled'] === 1,
        chunks: this.#db
          .prepare('SELECT position, result FROM chunk WHERE evaluation = ? ORDER BY position')
          .all(row['id'] as string)
          .map((chunk) => ({
            index: chunk['position'] as number,
            result: chunk['result'] ? (deserialize(chunk['result'] as Uint8Array) as ChunkResult) : undefined,
          })),
      }));
  }

  putDefinition(text: DefinitionText): void {
    this.#db.prepare('INSERT INTO definition (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING').run(text.digest, serialize(text));
  }

  definition(digest: string): DefinitionText | undefined {
    const row = this.#db.prepare('SELECT text FROM definition WHERE digest = ?').get(digest);
    return row ? (deserialize(row['text'] as Uint8Array) as DefinitionText) : undefined;
  }

  close(): void {
    this.#db.close();
  }
}

/** Journals of before flow control name a flow, or none. */
function withFlow(record: EvaluationRecord): EvaluationRecord {
  const flow: unknown = record.flow;
  if (typeof flow === 'object') return record;
  const name = typeof flow === 'string' ? flow : '';
  return { ...record, itemMs: UNKNOWN_ITEM_MS, flow: { level: 'normal', name, division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } };
}
