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

/** The certificates of a guard: from files, or its own. */
export type CertificateChoice =
  | ({ readonly kind: 'files' } & CertificateFiles)
  | {
      readonly kind: 'selfMade';
      /** DNS names and addresses. */
      readonly names: readonly string[];
      /** The ValidatingWebhookConfiguration whose `caBundle` is to hold the authority; undefined: it is printed. */
      readonly injectInto: string | undefined;
    };

/** The address of a guard. */
export interface GuardAddress {
  readonly host: string;
  readonly port: number;
  /** Undefined: it does not encrypt, and only something in front of it can be asked by an API server. */
  readonly certificate: CertificateChoice | undefined;
}

/** A definition and its old state, as large as a server takes them, and the words around them. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Answers an AdmissionReview of an object, given as it came. */
export type JudgeObject = (review: Buffer, deadline: AbortSignal) => Promise<ReviewAnswer>;

/** What decides. */
export interface Deciding {
  readonly guard: Guard;
  /** Undefined: objects are not judged. */
  readonly judgeObject: JudgeObject | undefined;
}

/** The webhook: AdmissionReviews in, decisions out, a line a decision on standard output. */
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

  /** Resolves with the port. */
  async listen({ host, port }: Omit<GuardAddress, 'certificate'>): Promise<number> {
    await new Promise<void>((done, failed) => {
      this.#server.once('error', (error) => failed(new UsageError(`${host}:${port} cannot be listened on: ${error.message}`)));
      this.#server.listen(port, host, done);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more requests, and resolves when all open requests have been answered. */
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
