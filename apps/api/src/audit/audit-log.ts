import { createStream } from 'rotating-file-stream';
import type { RotatingFileStream } from 'rotating-file-stream';
import { basename, dirname } from 'node:path';
import type { Log } from '#telemetry';
import type { AuditEvent, AuditLevel } from './audit-event.ts';

/** The destination of audit events, and the size of a file. */
export interface AuditSettings {
  readonly level: AuditLevel;
  /** A path, or `-` for standard output. */
  readonly file: string;
  /** Bytes after which a file is put aside as `<file>.1`, … */
  readonly maxBytes: number;
  /** Files that are kept beside the present one. */
  readonly maxFiles: number;
}

/** Lines that may wait for a slow disk; further ones are dropped and counted: requests do not wait for their audit. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** The time for which a file is left alone after a failure, ms. */
const REOPEN_MS = 5000;

/** Writes one JSON line an event. A disk that is full or slow stops no request: what could not be written is counted and told in the service's log. */
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

  /** Lines that could not be written. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Resolves when what was written is in the file, or can never be. */
  close(): Promise<void> {
    const file = this.#file;
    if (!file) return Promise.resolve();
    return new Promise((done) => {
      for (const event of ['finish', 'error', 'close'] as const) file.once(event, () => done());
      file.end();
    });
  }

  /** The file, opened again some time after it failed; undefined meanwhile. */
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
