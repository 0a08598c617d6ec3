import { ApiReader } from './api-reader.ts';
import type { ReaderSettings } from './api-reader.ts';
import type { ClusterAddress } from './address.ts';
import type { ClusterProblem, ClusterReading } from './reading.ts';
import { refusalOf } from './reading.ts';

/** Operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: string;
}

/** Write that is sent at most once ({@link ApiWriter.write}). */
export interface ClusterWrite {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Path and query, such as `/apis/example.com/v1/namespaces/default/pumps?dryRun=All`. */
  readonly path: string;
  /** JSON document to send. */
  readonly body?: Buffer;
}

/**
 * Outcome of a write that is sent at most once.
 *
 * - `answered`: the server answered with any HTTP code. `ms` is the time from sending to the end of the answer, in ms. `retryAfter` is the
 *   header of that name.
 * - `broken`: there is no complete answer. `reason` is a short text such as `ECONNRESET`. The server may have carried out the write.
 * - `tooLarge`: the answer exceeds the maximum size. The server may have carried out the write.
 * - `stopped`: the signal ended the write. The server may have carried out the write.
 * - `unsent`: the client has no credentials, so that nothing was sent.
 */
export type WriteOutcome =
  | {
      readonly kind: 'answered';
      readonly code: number;
      readonly body: Buffer;
      readonly ms: number;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'broken'; readonly reason: string; readonly problem: ClusterProblem }
  | { readonly kind: 'tooLarge'; readonly problem: ClusterProblem }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unsent'; readonly problem: ClusterProblem };

/** Limits of a write that is sent at most once. */
export interface WriteLimits {
  /** Longest time in ms that the writer waits while the server sends nothing. */
  readonly silenceMs: number;
  /** Longest time in ms of a write, from sending to the end of the answer. */
  readonly totalMs: number;
  /** Maximum size of an answer, in bytes. */
  readonly maxBytes: number;
}

const LIMITS: WriteLimits = { silenceMs: 30_000, totalMs: 120_000, maxBytes: 16 * 1024 * 1024 };

/**
 * Client that can also change objects. It is used only where writing is necessary: the webhook of `assay guard` registers its certificate
 * with API servers, and `assay load --cluster` sends dry runs.
 */
export class ApiWriter extends ApiReader {
  readonly #limits: WriteLimits;

  /**
   * Creates a client for one server.
   *
   * @param settings settings of reads and patches
   * @param limits limits of writes that are sent at most once
   */
  constructor(address: ClusterAddress, settings: Partial<ReaderSettings> = {}, limits: Partial<WriteLimits> = {}) {
    super(address, settings);
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Applies a JSON Patch to an object and returns the new object. If the server breaks the connection, the patch may be sent more than
   * once. Therefore the patch should contain the object's resource version, so that the server rejects a repeated patch.
   */
  patch(path: string, operations: readonly PatchOperation[]): Promise<ClusterReading<Buffer>> {
    return this.ask({ method: 'PATCH', path, type: 'application/json-patch+json', body: Buffer.from(JSON.stringify(operations)) });
  }

  /**
   * Sends a write at most once: no answer and no broken connection makes this method send it again. An aborted `signal` ends the write.
   * Credentials that are out of date are renewed before the write is sent.
   */
  async write(write: ClusterWrite, signal?: AbortSignal): Promise<WriteOutcome> {
    const identity = await this.identify(signal);
    if (signal?.aborted) return { kind: 'stopped' };
    if (!identity.ok) return { kind: 'unsent', problem: identity.problem };
    const { path, body } = write;
    const request = { ...write, ...(body && { type: 'application/json' }) };
    const { totalMs, maxBytes } = this.#limits;
    const ending = new AbortController();
    const stop = (): void => ending.abort();
    const timer = setTimeout(stop, totalMs);
    signal?.addEventListener('abort', stop, { once: true });
    const sentAt = performance.now();
    const tried = await this.attempt(request, identity.value, this.#limits, ending.signal);
    const ms = performance.now() - sentAt;
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    if (tried.kind === 'answered') return { ...tried, ms };
    if (signal?.aborted) return { kind: 'stopped' };
    if (tried.kind === 'tooLarge')
      return { kind: 'tooLarge', problem: { kind: 'tooLarge', sentence: `${path}: the answer has more than ${maxBytes} bytes` } };
    const error = ending.signal.aborted ? new Error(`no complete answer for ${totalMs / 1000} s`) : tried.error;
    const code = (error as NodeJS.ErrnoException).code;
    return { kind: 'broken', reason: code ?? error.message, problem: this.problemOf(path, { kind: 'broken', error }) };
  }

  /**
   * Returns the problem that an answer with an error code reports. It quotes the message of the server without the client's credentials
   * and without values of the object.
   */
  refusal(path: string, { code, body }: Pick<Extract<WriteOutcome, { kind: 'answered' }>, 'code' | 'body'>): ClusterProblem {
    return this.problemOf(path, { kind: 'answered', code, body, retryAfter: undefined }, refusalOf);
  }
}
