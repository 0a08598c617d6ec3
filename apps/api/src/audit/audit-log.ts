import { createStream } from 'rotating-file-stream';
import type { RotatingFileStream } from 'rotating-file-stream';
import { basename, dirname } from 'node:path';
import type { Log } from '#telemetry';
import type { AuditEvent, AuditLevel } from './audit-event.ts';

/** Settings of the audit log: level, destination, and the size and number of files. */
export interface AuditSettings {
  readonly level: AuditLevel;
  /** Path of the file, or `-` for standard output. */
  readonly file: string;
  /** Size in bytes after which the audit file is renamed to `<file>.1`, … and a new file is started. */
  readonly maxBytes: number;
  /** Maximum number of renamed, older audit files that are kept in addition to the present file. */
  readonly maxFiles: number;
}

/**
 * Maximum number of bytes of audit lines that may wait for a slow disk. Lines above this limit are dropped and counted, because requests
 * must not wait for the audit log.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Time after a failure during which the service does not reopen the file, in ms. */
const REOPEN_MS = 5000;

/**
 * Audit log that writes one JSON line per event. A full or slow disk delays no request. Lines that cannot be written are counted and
 * reported in the log of the service.
 */
export class AuditLog {
  readonly level: AuditLevel;
  readonly #settings: AuditSettings;
  readonly #log: Log;
  #file: RotatingFileStream | undefined;
  #openAgainAt = 0;
  #dropped = 0;

  constructor(settings: AuditSettings, log: Log) {
    this.level = settings.level;
    this.#settings = settings;
    this.#log = log;
  }

  write(event: AuditEvent): void {
    const out = this.#settings.file === '-' ? process.stdout : this.#opened();
    if (!out) return this.#drop('the file cannot be written');
    if (out.writableLength > MAX_WAITING_BYTES) return this.#drop('the disk is too slow');
    out.write(`${JSON.stringify(event)}\n`);
  }

  /** Number of lines that could not be written. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Closes the file. Resolves when all pending lines are written, or when writing them has failed. */
  close(): Promise<void> {
    const file = this.#file;
    if (!file) return Promise.resolve();
    return new Promise((done) => {
      for (const event of ['finish', 'error', 'close'] as const) file.once(event, () => done());
      file.end();
    });
  }

  /** Returns the open file. After a failure, returns undefined until `REOPEN_MS` has passed, and then opens the file again. */
  #opened(): RotatingFileStream | undefined {
    if (this.#file || Date.now() < this.#openAgainAt) return this.#file;
    const file = rotated(this.#settings);
    file.on('error', (error: Error) => {
      if (this.#file === file) this.#file = undefined;
      this.#openAgainAt = Date.now() + REOPEN_MS;
      this.#drop(error.message);
    });
    return (this.#file = file);
  }

  #drop(why: string): void {
    if (this.#dropped++ % 1000 === 0) this.#log.error({ why, dropped: this.#dropped }, 'audit events are lost');
  }
}

function rotated({ file, maxBytes, maxFiles }: AuditSettings): RotatingFileStream {
  const name = basename(file);
  return createStream((index) => (typeof index === 'number' ? `${name}.${index}` : name), {
    path: dirname(file),
    size: `${maxBytes}B`,
    rotate: maxFiles,
    mode: 0o600,
  });
}
