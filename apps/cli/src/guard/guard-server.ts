import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { reportOnStderr } from '../print.ts';
import { UsageError } from '../usage.ts';
import { readReview, reviewOf, reviewTimeout } from '#service';
import type { ReviewAnswer, ReviewedRequest } from '#service';
import type { CertificateFiles, ServingCertificate } from './certificate/serving-certificate.ts';
import type { Decision, Guard } from './guard.ts';

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

/**
 * Maximum size of a request body in bytes. The limit is enough for a definition of the largest size that a server accepts, its old state,
 * and the rest of the review.
 */
const MOST_BYTES = 8 * 1024 * 1024;

/** Function that answers an AdmissionReview about an object. `review` contains the unparsed bytes. */
export type JudgeObject = (review: Buffer, deadline: AbortSignal) => Promise<ReviewAnswer>;

/** Functions that compute the answers to AdmissionReviews. */
export interface Deciding {
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

  constructor({ guard, judgeObject }: Deciding, certificate: ServingCertificate | undefined, log: (line: string) => void) {
    this.#guard = guard;
    this.#judgeObject = judgeObject;
    this.#certificate = certificate;
    this.#log = log;
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#answer(request, response).catch((error: unknown) => {
        // The client may have gone while it sent; else the server's failurePolicy decides.
        reportOnStderr(`a request was not answered: ${error instanceof Error ? error.message : String(error)}`);
        if (!response.headersSent) refuse(response, 500, 'internal error');
        else response.destroy();
      });
    if (certificate === undefined) {
      this.#server = createServer(answer);
      return;
    }
    const server = createTlsServer({ ...certificate.pair, minVersion: 'TLSv1.2' }, answer);
    certificate.onReplaced = (pair) => server.setSecureContext(pair);
    this.#server = server;
  }

  /** Starts to listen. Resolves with the port. */
  async listen({ host, port }: Omit<GuardAddress, 'certificate'>): Promise<number> {
    await new Promise<void>((done, failed) => {
      this.#server.once('error', (error) => failed(new UsageError(`${host}:${port} cannot be listened on: ${error.message}`)));
      this.#server.listen(port, host, done);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops accepting requests. Resolves when all open requests are answered. */
  async close(): Promise<void> {
    this.#certificate?.close();
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeIdleConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://guard');
    if (request.method === 'GET' && (pathname === '/livez' || pathname === '/readyz')) return void response.end('ok\n');
    const judgeObject = pathname === '/admission/objects' ? this.#judgeObject : undefined;
    if (pathname !== '/guard' && judgeObject === undefined)
      return refuse(response, 404, 'no such path: AdmissionReviews are posted to /guard, and with --definitions to /admission/objects');
    if (request.method !== 'POST') return refuse(response, 405, 'AdmissionReviews are posted');
    const body = await bodyOf(request);
    if (typeof body === 'string') return refuse(response, 413, body);
    const review = readReview(body);
    if (typeof review === 'string') return refuse(response, 400, review);
    const left = reviewTimeout(searchParams.get('timeout'), performance.now() - started);
    if (judgeObject !== undefined) {
      const answer = await judgeObject(body, AbortSignal.timeout(left));
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reviewOf(review.uid, answer)));
      return;
    }
    const decision = await this.#guard.decide(review, AbortSignal.timeout(left));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(reviewOf(review.uid, decision.answer)));
    this.#log(lineOf(review, decision, performance.now() - started));
  }
}

function lineOf({ kind, name, operation, userInfo }: ReviewedRequest, decision: Decision, tookMs: number): string {
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

async function bodyOf(request: IncomingMessage): Promise<Buffer | string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > MOST_BYTES) return `the body has more than ${MOST_BYTES} bytes`;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

function refuse(response: ServerResponse, code: number, message: string): void {
  response.writeHead(code, { 'content-type': 'text/plain', connection: 'close' }).end(`${message}\n`);
}
