import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  answerUnreadable,
  closeAfterEarlyAnswer,
  HeldBodies,
  nodeTimes,
  OpenConnections,
  refuseExpectations,
  SERVER_TIMES,
} from '#http-server';
import type { HeldBody, HeldBodyLimits, ServerTimes } from '#http-server';
import { MAX_REVIEW_BYTES, MAX_REVIEW_MS, readReview, answeredReview, reviewTimeout } from '#service';
import type { ReviewAnswer, ReviewedRequest } from '#service';
import { reportOnStderr } from '../../report/print.ts';
import { UsageError } from '../../usage.ts';
import type { CertificateFiles, ServingCertificate } from './certificate/serving-certificate.ts';
import { GUARDED_PARTS } from './guard.ts';
import type { GuardDecision, Guard } from './guard.ts';

/** Source of a guard's certificate: files, or certificates that the guard creates itself. */
export type CertificateChoice =
  | ({ readonly kind: 'files' } & CertificateFiles)
  | {
      readonly kind: 'selfMade';
      /** DNS names and IP addresses of the server. */
      readonly names: readonly string[];
      /** Name of the ValidatingWebhookConfiguration whose `caBundle` is set to the authority. If undefined, the authority is printed. */
      readonly injectInto: string | undefined;
    };

/** Address and certificate of a guard, the admission webhook that `assay guard` serves. */
export interface GuardAddress {
  readonly host: string;
  readonly port: number;
  /**
   * Certificate of the guard. If undefined, the guard serves without encryption, so API servers can reach it only through a proxy that adds
   * TLS.
   */
  readonly certificate: CertificateChoice | undefined;
}

/** Limits of the guard's server: times in ms, and the memory for the bodies of open requests in bytes. */
export interface GuardServerLimits extends ServerTimes, HeldBodyLimits {
  readonly connections: number;
  readonly openRequests: number;
  /** Time in which a whole review must arrive. */
  readonly requestMs: number;
  /** Time that open requests have to end after the guard was asked to end. */
  readonly graceMs: number;
}

/** Limits of every guard. With these limits, a pod with 2 GiB of memory suffices. */
export const GUARD_SERVER_LIMITS: GuardServerLimits = {
  ...SERVER_TIMES,
  connections: 1000,
  openRequests: 100,
  bodyBytes: 128 * 1024 * 1024,
  flowBodyBytes: 64 * 1024 * 1024,
  requestMs: MAX_REVIEW_MS,
  graceMs: 25_000,
};

/** Function that answers an AdmissionReview about an object. `review` contains the unparsed bytes. */
export type JudgeObject = (review: Buffer, deadline: AbortSignal) => Promise<ReviewAnswer>;

/** Functions that compute the answers to AdmissionReviews. */
export interface ReviewHandlers {
  readonly guard: Guard;
  /** Function that validates objects; undefined if the guard does not validate objects. */
  readonly judgeObject: JudgeObject | undefined;
}

/** Webhook server. It receives AdmissionReviews, answers with decisions, and prints one line per decision to standard output. */
export class GuardServer {
  readonly #guard: Guard;
  readonly #judgeObject: JudgeObject | undefined;
  readonly #server: Server | TlsServer;
  readonly #certificate: ServingCertificate | undefined;
  readonly #log: (line: string) => void;
  readonly #limits: GuardServerLimits;
  readonly #bodies: HeldBodies;
  readonly #connections: OpenConnections;
  #open = 0;
  #isEnding = false;

  constructor(
    { guard, judgeObject }: ReviewHandlers,
    certificate: ServingCertificate | undefined,
    log: (line: string) => void,
    limits: GuardServerLimits = GUARD_SERVER_LIMITS,
  ) {
    this.#guard = guard;
    this.#judgeObject = judgeObject;
    this.#certificate = certificate;
    this.#log = log;
    this.#limits = limits;
    this.#bodies = new HeldBodies(limits);
    this.#server = this.#create((request, response) => void this.#receive(request, response));
    this.#server.maxConnections = limits.connections;
    this.#connections = new OpenConnections(this.#server, limits);
    answerUnreadable(this.#server, {});
    refuseExpectations(this.#server, {});
  }

  /** Starts to listen. Resolves with the port. */
  async listen({ host, port }: Omit<GuardAddress, 'certificate'>): Promise<number> {
    await new Promise<void>((done, failed) => {
      this.#server.once('error', (error) => failed(new UsageError(`${host}:${port} cannot be listened on: ${error.message}`)));
      this.#server.listen(port, host, done);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Stops accepting requests. Resolves when all open requests are answered, or when the grace time is over. Then no connection is open any
   * more.
   */
  async close(): Promise<void> {
    this.#isEnding = true;
    this.#certificate?.close();
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => this.#connections.close(), this.#limits.graceMs);
    await closed;
    clearTimeout(cut);
    this.#connections.close();
  }

  #create(answer: RequestListener): Server | TlsServer {
    const times = nodeTimes(this.#limits, this.#limits.requestMs);
    if (this.#certificate === undefined) return createServer(times, answer);
    const server = createTlsServer({ ...times, ...this.#certificate.pair, minVersion: 'TLSv1.2' }, answer);
    this.#certificate.onReplaced = (pair) => server.setSecureContext(pair);
    return server;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isEnding) response.setHeader('connection', 'close');
    const { pathname, timeout } = targetOf(request);
    if (request.method === 'GET' && (pathname === '/livez' || pathname === '/readyz')) return void response.end('ok\n');
    if (this.#open >= this.#limits.openRequests) return refuse(response, 429, 'too many requests are open, please try again later');
    const body = this.#bodies.open(request.socket.remoteAddress ?? '');
    this.#open++;
    response.once('close', () => {
      this.#open--;
      body.release();
    });
    try {
      await this.#answer(request, response, { pathname, timeout, body });
    } catch (error) {
      // A client that disconnected gets no response. For a 500, the API server applies the failurePolicy of the webhook.
      if (request.socket.destroyed) return;
      reportOnStderr(`a request was not answered: ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) refuse(response, 500, 'internal error');
      else response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, { pathname, timeout, body }: Target & Held): Promise<void> {
    const started = performance.now();
    const judgeObject = pathname === '/admission/objects' ? this.#judgeObject : undefined;
    if (pathname !== '/guard' && judgeObject === undefined)
      return refuse(response, 404, 'no such path: AdmissionReviews are posted to /guard, and with --definitions to /admission/objects');
    if (request.method !== 'POST') return refuse(response, 405, 'AdmissionReviews are posted');
    const bytes = await bodyOf(request, body);
    if (!Buffer.isBuffer(bytes)) return refuse(response, bytes.code, bytes.message);
    const review = await readReview(bytes, GUARDED_PARTS);
    if (typeof review === 'string') return refuse(response, 400, review);
    const deadline = deadlineOf(response, reviewTimeout(timeout, performance.now() - started));
    if (judgeObject !== undefined) {
      const answer = await judgeObject(bytes, deadline);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answeredReview(review.uid, answer)));
      return;
    }
    const decision = await this.#guard.decide(review, deadline);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answeredReview(review.uid, decision.answer)));
    this.#log(lineOf(review, decision, performance.now() - started));
  }
}

/** Path of a request, and its parameter `timeout`. */
interface Target {
  readonly pathname: string;
  readonly timeout: string | null;
}

/** Memory account of the body of a request. */
interface Held {
  readonly body: HeldBody;
}

/** Returns the path and the timeout that a request names. Any request target is possible, such as `//` or `http://[`. */
function targetOf({ url = '/' }: IncomingMessage): Target {
  const [pathname = '', query = ''] = url.split('?', 2);
  return { pathname, timeout: new URLSearchParams(query).get('timeout') };
}

/** Returns a signal that is aborted after `ms` ms, or if the client closes the connection before the answer is complete. */
function deadlineOf(response: ServerResponse, ms: number): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  response.once('close', () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}

function lineOf({ kind, name, operation, userInfo }: ReviewedRequest, decision: GuardDecision, tookMs: number): string {
  const { outcome, findings, objects, policyCost, late } = decision;
  const what = { kind: kind.kind, name, operation, user: userInfo.username };
  return JSON.stringify({
    time: new Date().toISOString(),
    outcome,
    ...what,
    objects,
    policyCost,
    late,
    tookMs: Math.round(tookMs),
    findings,
  });
}

/**
 * Reads the body of an AdmissionReview request. If the body is too large, or if the memory for bodies is full, returns the HTTP status and
 * message that refuse the request.
 */
async function bodyOf(request: IncomingMessage, held: HeldBody): Promise<Buffer | { readonly code: number; readonly message: string }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // If the loop ends early, the connection must stay open for the response that rejects the request.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_REVIEW_BYTES) return { code: 413, message: `the body has more than ${MAX_REVIEW_BYTES} bytes` };
    const full = held.hold((part as Buffer).length);
    if (full !== undefined) return { code: 429, message: full };
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

function refuse(response: ServerResponse, code: number, message: string): void {
  response.statusCode = code;
  closeAfterEarlyAnswer(response.req, response);
  response.writeHead(code, { 'content-type': 'text/plain', connection: 'close' }).end(`${message}\n`);
}
