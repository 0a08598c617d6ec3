import { request as httpRequest, Agent as HttpAgent } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { ClusterAddress } from './address.ts';
import { loadIdentity } from './credentials.ts';
import type { Identity } from './credentials.ts';
import { read, unread, networkProblem, statusProblem } from './reading.ts';
import type { ClusterProblem, ClusterReading } from './reading.ts';

/** Timeouts, retries and limits of the client that reads from an API server ({@link ApiReader}). */
export interface ReaderSettings {
  /** Longest time in ms that the reader waits while the server sends nothing. */
  readonly silenceMs: number;
  /** Maximum number of attempts for a request. A request is repeated if the server is busy (429, 5xx) or breaks the connection. */
  readonly attempts: number;
  /**
   * Pause in ms before the second attempt. Each later pause is twice as long as the previous pause. A Retry-After header of the server
   * takes precedence.
   */
  readonly pauseMs: number;
  /** Maximum size of a response, in bytes. */
  readonly maxBytes: number;
}

const SETTINGS: ReaderSettings = { silenceMs: 30_000, attempts: 6, pauseMs: 250, maxBytes: 128 * 1024 * 1024 };
/** Longest pause between two attempts in ms, even if the server requests a longer one. */
const MAX_PAUSE_MS = 30_000;

/** Answer for a request that its signal stopped. */
const STOPPED = unread('stopped', 'reading was stopped');

/** Outcome of one attempt of a request: a response with any code, a broken connection, or a response beyond the maximum size. */
export type Attempt =
  | { readonly kind: 'answered'; readonly code: number; readonly retryAfter: string | undefined; readonly body: Buffer }
  | { readonly kind: 'broken'; readonly error: Error }
  | { readonly kind: 'tooLarge' };

/** Request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Media type of `body`. */
  readonly type?: string;
  readonly body?: Buffer;
}

/** Client that reads from an API server. This class itself sends only GET requests. */
export class ApiReader {
  readonly address: ClusterAddress;
  readonly #settings: ReaderSettings;
  #identity: Identity | undefined;
  /** Running renewal of the identity, which requests at the same time share. */
  #renewal: Promise<ClusterReading<Identity>> | undefined;
  #agent: HttpAgent | HttpsAgent | undefined;
  #reached = false;

  constructor(address: ClusterAddress, settings: Partial<ReaderSettings> = {}) {
    this.address = address;
    this.#settings = { ...SETTINGS, ...settings };
  }

  /**
   * Returns the body of a response with code 200. Failed requests are repeated up to the maximum number of attempts. If `signal` is
   * aborted, the running request is broken off, and the problem is `stopped`.
   */
  get(path: string, signal?: AbortSignal): Promise<ClusterReading<Buffer>> {
    return this.ask({ method: 'GET', path }, signal);
  }

  /** Sends any request and returns the body, with the same retries as {@link ApiReader.get}. */
  protected async ask(request: ApiRequest, signal?: AbortSignal): Promise<ClusterReading<Buffer>> {
    const { path } = request;
    for (let attempt = 1, renewed = false; ; attempt++) {
      if (signal?.aborted) return STOPPED;
      const identity = await this.identify(signal);
      if (!identity.ok) return identity;
      const tried = await this.attempt(request, identity.value, this.#settings, signal);
      if (signal?.aborted) return STOPPED;
      if (tried.kind === 'tooLarge') return unread('tooLarge', `${path}: the answer has more than ${this.#settings.maxBytes} bytes`);
      if (tried.kind === 'answered') {
        this.#reached = true;
        if (tried.code === 200) return read(tried.body);
        if (tried.code === 401 && !renewed && this.address.credentials.kind !== 'none') {
          // The credentials may have changed since this reader loaded them, so a second attempt loads them again.
          this.#forgetIdentity();
          renewed = true;
          continue;
        }
      }
      if (attempt >= this.#settings.attempts || !this.#isPassing(tried)) return { ok: false, problem: this.problemOf(path, tried) };
      await sleep(this.#pause(attempt, tried), undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
  }

  /** Closes the connections to the server. Later requests open new ones. */
  close(): void {
    this.#agent?.destroy();
  }

  /**
   * Returns true if a failure may be temporary (429, 5xx or a broken connection), so that another attempt is useful. A broken connection
   * counts only if the server was reached before.
   */
  #isPassing(tried: Exclude<Attempt, { kind: 'tooLarge' }>): boolean {
    return tried.kind === 'broken' ? this.#reached : tried.code === 429 || tried.code >= 500;
  }

  #pause(attempt: number, tried: Exclude<Attempt, { kind: 'tooLarge' }>): number {
    const retryAfterMs = tried.kind === 'answered' ? Number(tried.retryAfter) * 1000 : NaN;
    return Math.min(
      MAX_PAUSE_MS,
      Number.isFinite(retryAfterMs) && retryAfterMs >= 0 ? retryAfterMs : this.#settings.pauseMs * 2 ** (attempt - 1),
    );
  }

  /**
   * Returns the problem for a request that failed. It quotes the server without the credentials of the client. `textOf` returns the text of
   * a response that the problem quotes.
   */
  protected problemOf(
    path: string,
    tried: Exclude<Attempt, { kind: 'tooLarge' }>,
    textOf?: (body: Buffer) => string | undefined,
  ): ClusterProblem {
    const { problem } =
      tried.kind === 'broken' ? networkProblem(this.address, tried.error) : statusProblem(this.address, path, tried, textOf);
    return { ...problem, sentence: this.withoutSecrets(problem.sentence) };
  }

  /** Returns a text with each occurrence of the client's token or password replaced by `…`. */
  protected withoutSecrets(text: string): string {
    const { credentials } = this.address;
    const sent = this.#identity?.headers['authorization']?.replace(/^\w+ /, '');
    const secrets = [sent, credentials.kind === 'password' ? credentials.password : undefined];
    return secrets.reduce<string>((hidden, secret) => (secret ? hidden.replaceAll(secret, '…') : hidden), text);
  }

  /**
   * Returns the credentials for a request, and renews them if they are out of date. Requests at the same time share one renewal, which ends
   * with the signal of the first of them.
   */
  protected async identify(signal: AbortSignal | undefined): Promise<ClusterReading<Identity>> {
    const known = this.#identity;
    if (known !== undefined && Date.now() < known.until) return read(known);
    this.#renewal ??= this.#renew(known, signal).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #renew(known: Identity | undefined, signal: AbortSignal | undefined): Promise<ClusterReading<Identity>> {
    const identity = await loadIdentity(this.address, signal);
    if (!identity.ok) return identity;
    // A connection never changes its certificate, so a new certificate needs a new agent.
    if (known?.tls.cert !== identity.value.tls.cert) this.#agent = undefined;
    this.#identity = identity.value;
    return identity;
  }

  #forgetIdentity(): void {
    this.#identity = undefined;
    this.close();
    this.#agent = undefined;
  }

  /** Sends a request once, and returns whatever comes of it. An aborted `signal` ends the request as a broken connection. */
  protected async attempt(
    { method, path, type, body }: ApiRequest,
    { headers, tls }: Identity,
    { silenceMs, maxBytes }: Pick<ReaderSettings, 'silenceMs' | 'maxBytes'>,
    signal: AbortSignal | undefined,
  ): Promise<Attempt> {
    const { server, impersonation } = this.address;
    const isEncrypted = server.protocol === 'https:';
    this.#agent ??= agentOf(this.address, tls);
    const options: RequestOptions = {
      method,
      agent: this.#agent,
      timeout: silenceMs,
      headers: {
        accept: 'application/json',
        ...(method === 'GET' && { 'accept-encoding': 'gzip' }),
        'user-agent': 'assay',
        ...(type !== undefined && { 'content-type': type }),
        // For DELETE, Node does not set the length by itself. Without a length, a server would take the body for the next request.
        ...(body && { 'content-length': String(body.length) }),
        ...headers,
        ...impersonation,
      },
      ...(signal && { signal }),
    };
    return new Promise((done) => {
      const request = (isEncrypted ? httpsRequest : httpRequest)(new URL(path.replace(/^\//, ''), server), options);
      request.on('timeout', () => request.destroy(new Error(`no answer for ${silenceMs / 1000} s`)));
      request.on('error', (error) => done({ kind: 'broken', error }));
      request.on('response', (response) => void collect(response, maxBytes).then(done));
      request.end(body);
    });
  }
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<Attempt> {
  const { statusCode: code = 0, headers } = response;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    const stream = headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
    // `pipe` does not pass on errors of the response, so this handler passes them on.
    response.on('error', (error) => stream.destroy(error));
    for await (const part of stream) {
      bytes += (part as Buffer).length;
      if (bytes > maxBytes) {
        response.destroy();
        return { kind: 'tooLarge' };
      }
      parts.push(part as Buffer);
    }
  } catch (error) {
    return { kind: 'broken', error: error instanceof Error ? error : new Error(String(error)) };
  }
  if (!response.complete) return { kind: 'broken', error: new Error('the answer broke off') };
  return { kind: 'answered', code, retryAfter: headers['retry-after'], body: Buffer.concat(parts) };
}

function agentOf({ server, tls, proxy }: ClusterAddress, own: Identity['tls']): HttpAgent | HttpsAgent {
  const proxyEnv = proxy === undefined ? process.env : { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
  const options = { keepAlive: true, proxyEnv };
  return server.protocol === 'https:' ? new HttpsAgent({ ...options, ...tls, ...own }) : new HttpAgent(options);
}
