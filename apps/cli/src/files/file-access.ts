import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';
import { TimedOut, Timeout } from '../timeout.ts';
import { FILE_LIMITS, FileProblem, OUTSIDE, unreadableReason, tooLarge, whyNoFile } from './file-problem.ts';
import type { Repository } from './repository.ts';

/** Result of reading a file or a folder. If it cannot be read, `problem` is the reason in words, without the path. */
export type FileReading<Content> = { readonly ok: true; readonly content: Content } | { readonly ok: false; readonly problem: string };

/** Flags with which files are opened. Opening a pipe does not wait for its writer, and a terminal does not become the process' own. */
const OPENING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** Maximum number of bytes of one read, so that the timeout is polled often. */
const READ_BYTES = 4 * 1024 * 1024;
/** Smallest number of bytes by which the buffer for a file of unknown size grows. */
const GROWTH_BYTES = 64 * 1024;
/** Maximum time in ms for a pipe that is read before a command runs, and the pause between two readings of an empty pipe. */
const PIPE_MS = 30_000;
const SLEEP_MS = 5;

/**
 * Right to read files. All commands read through it. Without a repository, it reads what the command line names, wherever that is. With a
 * repository, it reads what a repository, a settings file, a suite or an archive names. These must be regular files inside the repository
 * after links are resolved, and must not have more bytes than their size. Each reading is bounded, and throws {@link TimedOut} if the
 * timeout is over.
 */
export class FileAccess {
  readonly #timeout: Timeout;
  readonly #repository: Repository | undefined;

  /** @param repository repository that bounds the readings; undefined if the command line names the paths */
  constructor(timeout = new Timeout(), repository?: Repository) {
    this.#timeout = timeout;
    this.#repository = repository;
  }

  /** Returns the right to read the files of a repository, with the same timeout. */
  inside(repository: Repository): FileAccess {
    return new FileAccess(this.#timeout, repository);
  }

  /** Returns the right to read any file that the command line names, with the same timeout. */
  anywhere(): FileAccess {
    return new FileAccess(this.#timeout);
  }

  /** Repository that bounds the readings; undefined if the command line names the paths. */
  get repository(): Repository | undefined {
    return this.#repository;
  }

  /** Returns true if a path may be read: it is inside the repository after links are resolved, or there is no repository. */
  reaches(path: string): boolean {
    return this.#repository?.holds(path) ?? true;
  }

  /** Throws {@link TimedOut} if the timeout is over. */
  poll(): void {
    this.#timeout.poll();
  }

  /** Remaining time in ms; Infinity without a timeout. */
  get leftMs(): number {
    return this.#timeout.leftMs;
  }

  /** Reads a regular file of at most `maxBytes` bytes. */
  read(path: string, maxBytes: number): FileReading<Buffer> {
    return this.#open(path, (descriptor, stats) => this.#wholeFile(descriptor, stats, maxBytes));
  }

  /** Reads the first bytes of a regular file, at most `maxBytes` of them. */
  readHead(path: string, maxBytes: number): FileReading<Buffer> {
    return this.#open(path, (descriptor, stats) => {
      const head = Buffer.allocUnsafeSlow(Math.min(maxBytes, stats.size));
      return head.subarray(0, readSync(descriptor, head));
    });
  }

  /**
   * Reads a regular file of at most `maxBytes` bytes. If the command line names the path, it may also be a pipe, a terminal or a device.
   * A pipe is read until its writers have closed it, and no thread waits for a writer.
   */
  async readAny(path: string, maxBytes: number): Promise<FileReading<Buffer>> {
    const stats = statsOf(path);
    if (this.#repository !== undefined || !stats.ok || stats.content.isFile() || stats.content.isDirectory())
      return this.read(path, maxBytes);
    try {
      const descriptor = openSync(path, OPENING);
      if (isatty(descriptor)) return await wholeStream(new ReadStream(descriptor), maxBytes);
      if (fstatSync(descriptor).isFIFO()) return await wholeStream(new Socket({ fd: descriptor, writable: false }), maxBytes);
      return await wholeStream(createReadStream('', { fd: descriptor }), Math.min(maxBytes, FILE_LIMITS.device));
    } catch (error) {
      return { ok: false, problem: unreadableReason(error) };
    }
  }

  /**
   * Reads a file or a pipe that the command line names, before any command runs. It waits for what a pipe gives, at most `PIPE_MS` ms. A
   * pipe without a writer is empty.
   */
  readAnyNow(path: string, maxBytes: number): FileReading<Buffer> {
    if (isFile(path)) return this.read(path, maxBytes);
    let descriptor: number | undefined;
    try {
      descriptor = openSync(path, OPENING);
      return { ok: true, content: pipeNow(descriptor, maxBytes) };
    } catch (error) {
      return { ok: false, problem: unreadableReason(error) };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** Returns the names of the entries of a folder, in order. */
  names(folder: string): FileReading<readonly string[]> {
    this.poll();
    if (!this.reaches(folder)) return { ok: false, problem: OUTSIDE };
    try {
      return { ok: true, content: readdirSync(folder).sort() };
    } catch (error) {
      return { ok: false, problem: unreadableReason(error) };
    }
  }

  #open(path: string, use: (descriptor: number, stats: Stats) => Buffer): FileReading<Buffer> {
    this.poll();
    let descriptor: number | undefined;
    try {
      descriptor = openSync(path, OPENING);
      const stats = fstatSync(descriptor);
      this.#check(path, stats);
      return { ok: true, content: use(descriptor, stats) };
    } catch (error) {
      if (error instanceof TimedOut) throw error;
      return { ok: false, problem: unreadableReason(error) };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** Throws {@link FileProblem} if an opened file is outside of the repository, or is no regular file. */
  #check(path: string, stats: Stats): void {
    if (this.#repository !== undefined) {
      const real = realpathSync.native(path);
      // Somebody may have changed a link since the file was opened. So `path` must still name the opened file.
      const { dev, ino } = statSync(real);
      if (!this.#repository.holdsReal(real) || dev !== stats.dev || ino !== stats.ino) throw new FileProblem(OUTSIDE);
    }
    const problem = whyNoFile(stats);
    if (problem !== undefined) throw new FileProblem(problem);
  }

  #wholeFile(descriptor: number, { size }: Stats, maxBytes: number): Buffer {
    if (size > maxBytes) throw tooLarge(maxBytes);
    // Files in /proc have more bytes than their size states. A repository contains no such files, so its files must keep to their size.
    const most = this.#repository === undefined ? maxBytes : size;
    let bytes = Buffer.allocUnsafeSlow(size + 1);
    for (let end = 0; ;) {
      if (end > most) throw most === size ? new FileProblem('has more bytes than its size') : tooLarge(most);
      if (end === bytes.length)
        bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(Math.min(Math.max(end, GROWTH_BYTES), most + 1 - end))]);
      const count = readSync(descriptor, bytes, end, Math.min(READ_BYTES, bytes.length - end), null);
      if (count === 0) return bytes.subarray(0, end);
      end += count;
      this.poll();
    }
  }
}

/** Reads a pipe until its writers have closed it. The thread sleeps while the pipe is empty. */
function pipeNow(descriptor: number, maxBytes: number): Buffer {
  const until = new Timeout(PIPE_MS);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const parts: Buffer[] = [];
  for (let length = 0; ;) {
    if (until.leftMs === 0) throw new FileProblem(`gave no end within ${PIPE_MS / 1000} s`);
    const part = Buffer.allocUnsafeSlow(GROWTH_BYTES);
    const count = readOrWait(descriptor, part);
    if (count === 0) return Buffer.concat(parts);
    if (count === undefined) Atomics.wait(sleeper, 0, 0, SLEEP_MS);
    else parts.push(part.subarray(0, count));
    length += count ?? 0;
    if (length > maxBytes) throw tooLarge(maxBytes);
  }
}

/** Reads what a pipe has. Returns undefined if it is empty and has a writer. */
function readOrWait(descriptor: number, part: Buffer): number | undefined {
  try {
    return readSync(descriptor, part);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** Reads a stream until its end. Gives up, and closes the stream, as soon as it has more than `maxBytes` bytes. */
export async function wholeStream(stream: AsyncIterable<unknown>, maxBytes: number): Promise<FileReading<Buffer>> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of stream) {
      length += (part as Buffer).length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      parts.push(part as Buffer);
    }
  } catch (error) {
    return { ok: false, problem: unreadableReason(error) };
  }
  return { ok: true, content: Buffer.concat(parts) };
}

/** Returns what is known about the file to which a path leads, after links are resolved. Opens nothing. */
export function statsOf(path: string): FileReading<Stats> {
  try {
    return { ok: true, content: statSync(path) };
  } catch (error) {
    return { ok: false, problem: unreadableReason(error) };
  }
}

/** Returns true if a path leads to a regular file, after links are resolved. Opens nothing. */
export function isFile(path: string): boolean {
  const stats = statsOf(path);
  return stats.ok && stats.content.isFile();
}

/** Returns true if there is a file or a folder at a path. Opens nothing. */
export const isThere = (path: string): boolean => existsSync(path);

/** Returns a text that is the same for all paths that lead to one file or pipe. Two paths that lead nowhere have different texts. */
export function identityOf(path: string): string {
  const stats = statsOf(path);
  return stats.ok ? `${stats.content.dev}:${stats.content.ino}` : path;
}
