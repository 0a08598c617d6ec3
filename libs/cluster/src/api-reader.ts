import { request as httpRequest, Agent as HttpAgent } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { ClusterAddress } from './address.ts';
import { loadIdentity } from './credentials.ts';
import type { Identity } from './credentials.ts';
import { read, unread } from './reading.ts';
import type { ClusterReading, ClusterProblem } from './reading.ts';
import { X509Certificate } from 'node:crypto';

/** Response with an error code instead of the requested content. */
interface Refusal {
  readonly code: number;
  readonly body: Buffer;
}

/** Returns the problem to report if a cluster's API server answered a request for `path` with an HTTP error code. */
function statusProblem({ name, tls }: ClusterAddress, path: string, { code, body }: Refusal): ReturnType<typeof unread> {
  const text = messageOf(body);
  const what = path.split('?', 1)[0] ?? path;
  if (code === 401) {
    const expired = expiryOf(tls.cert);
    const why = expired === undefined ? 'the credentials of the kubeconfig are not valid' : `its client certificate expired on ${expired}`;
    return unread('unauthorized', `${name}: the server does not know who asks (401): ${why}`);
  }
  const kinds: Readonly<Record<number, ClusterProblem['kind']>> = { 403: 'forbidden', 404: 'missing', 409: 'conflict', 410: 'expired' };
  return unread(kinds[code] ?? 'failed', `${name}: ${what}: ${text ?? 'the server answered'} (${code})`);
}

/** Returns the problem for a request that no server answered. */
function networkProblem({ name, server }: ClusterAddress, error: Error): ReturnType<typeof unread> {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return unread('unreachable', `${name}: ${server.origin} ${SENTENCES[code] ?? `cannot be reached: ${error.message}`}`);
}

const UNKNOWN_AUTHORITY = 'shows a certificate of an authority that the kubeconfig does not name';
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'cannot be reached: nothing listens there',
  ENOTFOUND: 'cannot be reached: its name is not known',
  EAI_AGAIN: 'cannot be reached: its name cannot be looked up',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  CERT_NOT_YET_VALID: 'shows a certificate that is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'refuses the client certificate: it has expired',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'asks for a client certificate',
};

/** Returns the message of a Kubernetes Status, or undefined if the body is no Status with a message. */
function messageOf(body: Buffer): string | undefined {
  try {
    const { message } = JSON.parse(body.toString()) as { message?: unknown };
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the time at which a certificate expired, or undefined if the certificate is valid or absent. */
function expiryOf(cert: ClusterAddress['tls']['cert']): string | undefined {
  if (!Buffer.isBuffer(cert)) return undefined;
  try {
    const { validTo } = new X509Certificate(cert);
    return Date.parse(validTo) < Date.now() ? validTo : undefined;
  } catch {
    return undefined;
  }
}

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
type Attempt =
  | { readonly kind: 'answered'; readonly code: number; readonly retryAfter: string | undefined; readonly body: Buffer }
  | { readonly kind: 'broken'; readonly error: Error }
  | { readonly kind: 'tooLarge' };

/** Request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'PATCH';
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
      const identity = await this.#identify(signal);
      if (!identity.ok) return identity;
      const tried = await this.#send(request, identity.value, signal);
      if (signal?.aborted) return STOPPED;
      if (tried.kind === 'tooLarge') return unread('tooLarge', `${path}: the answer has more than ${this.#settings.maxBytes} bytes`);
      if (tried.kind === 'answered') {
        this.#reached = true;
        if (tried.code === 200) return read(tried.body);
        if (tried.code === 401 && !renewed && this.address.credentials.kind !== 'none') {
          // The token may have been replaced since it was read, so a second attempt reads it again.
          this.#forgetIdentity();
          renewed = true;
          continue;
        }
      }
      if (attempt >= this.#settings.attempts || !this.#isPassing(tried)) return this.#problemOf(path, tried);
      await sleep(this.#pause(attempt, tried), undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
  }

  /** Closes the connections to the server. */
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

  #problemOf(path: string, tried: Exclude<Attempt, { kind: 'tooLarge' }>): ClusterReading<Buffer> {
    return tried.kind === 'broken' ? networkProblem(this.address, tried.error) : statusProblem(this.address, path, tried);
  }

  async #identify(signal: AbortSignal | undefined): Promise<ClusterReading<Identity>> {
    const known = this.#identity;
    if (known !== undefined && Date.now() < known.until) return read(known);
    const identity = await loadIdentity(this.address, signal);
    if (!identity.ok) return identity;
    // A connection uses its certificate for good, so a new certificate needs a new agent.
    if (known?.tls.cert !== identity.value.tls.cert) this.#agent = undefined;
    this.#identity = identity.value;
    return identity;
  }

  #forgetIdentity(): void {
    this.#identity = undefined;
    this.close();
    this.#agent = undefined;
  }

  async #send({ method, path, type, body }: ApiRequest, { headers, tls }: Identity, signal: AbortSignal | undefined): Promise<Attempt> {
    const { server, impersonation } = this.address;
    const isEncrypted = server.protocol === 'https:';
    this.#agent ??= agentOf(this.address, tls);
    const options: RequestOptions = {
      method,
      agent: this.#agent,
      timeout: this.#settings.silenceMs,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': 'assay',
        ...(type !== undefined && { 'content-type': type }),
        ...headers,
        ...impersonation,
      },
      ...(signal && { signal }),
    };
    return new Promise((done) => {
      const request = (isEncrypted ? httpsRequest : httpRequest)(new URL(path.replace(/^\//, ''), server), options);
      request.on('timeout', () => request.destroy(new Error(`no answer for ${this.#settings.silenceMs / 1000} s`)));
      request.on('error', (error) => done({ kind: 'broken', error }));
      request.on('response', (response) => void this.#collect(response).then(done));
      request.end(body);
    });
  }

  async #collect(response: IncomingMessage): Promise<Attempt> {
    const { statusCode: code = 0, headers } = response;
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      const stream = headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
      // A pipe does not pass on errors, so this handler does.
      response.on('error', (error) => stream.destroy(error));
      for await (const part of stream) {
        bytes += (part as Buffer).length;
        if (bytes > this.#settings.maxBytes) {
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
}

function agentOf({ server, tls, proxy }: ClusterAddress, own: Identity['tls']): HttpAgent | HttpsAgent {
  const proxyEnv = proxy === undefined ? process.env : { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
  const options = { keepAlive: true, proxyEnv };
  return server.protocol === 'https:' ? new HttpsAgent({ ...options, ...tls, ...own }) : new HttpAgent(options);
}
