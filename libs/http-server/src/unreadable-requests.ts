import { STATUS_CODES } from 'node:http';
import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badRequestStatus, protocolErrorStatus, timeoutStatus } from '#kube';
import type { Status } from '#kube';
import { linger } from './early-answers.ts';
import { once } from 'node:events';

/** Error that Node reports about a connection: an error of its HTTP parser, of TLS, or of the network. */
type ClientError = Error & { readonly code?: string };

/**
 * Answers bytes that Node's parser rejects as a request, and requests that arrive too slowly, with a Status and the given headers. The
 * answer waits until complete earlier requests on the same connection are answered. A connection with any other error is destroyed: its
 * client cannot read an answer, for example because the TLS handshake did not end in time.
 */
export function answerUnreadable(server: Server, givenHeaders: Readonly<Record<string, string>>): void {
  const owed = new OwedAnswers();
  owed.watch(server);
  const headers = headerLines(givenHeaders);
  /**
   * Connections on which an unreadable request arrived. They receive no answer after the answer to that request, because the bytes after
   * the request cannot be read as requests.
   */
  const ending = new WeakSet<Socket>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const status = statusOf(error);
    if (status === undefined || socket.destroyed) return void socket.destroy();
    if (ending.has(socket)) return;
    ending.add(socket);
    void owed.given(socket).then(() => {
      if (socket.writable) socket.write(answerText(status, headers));
      linger(socket);
    });
  });
}

/** Answers 417 to requests with an `Expect` header other than `100-continue`, because the service supports no other expectation. */
export function refuseExpectations(server: Server, headers: Readonly<Record<string, string>>): void {
  server.on('checkExpectation', (_, response) => {
    const status = protocolErrorStatus(417, 'the only expectation that is met is 100-continue');
    const body = JSON.stringify(status);
    response
      .writeHead(417, {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      })
      .end(body);
  });
}

/** Returns the Status for a request that the parser rejects, or undefined for any other error. */
function statusOf({ code = '' }: ClientError): Status | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return timeoutStatus('the request did not come in time', 0, 408);
  if (code === 'HPE_HEADER_OVERFLOW') return protocolErrorStatus(431, 'the request line and the headers together are too long');
  return code.startsWith('HPE_') ? badRequestStatus('the request is not HTTP/1.1 as RFC 9112 defines it') : undefined;
}

function answerText(status: Status, headers: string): string {
  const body = JSON.stringify(status);
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status.code} ${STATUS_CODES[status.code]}\r\n${headers}content-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/**
 * Answers that are still to be sent on each HTTP/1.1 connection. A connection may owe several answers, because a client may send a request
 * before its earlier requests are answered.
 */
class OwedAnswers {
  readonly #owed = new WeakMap<Socket, Set<ServerResponse>>();

  /** Starts to track the requests of a server. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.httpVersionMajor !== 1) return;
      const owed = this.#owed.get(request.socket) ?? new Set();
      this.#owed.set(request.socket, owed.add(response));
      response.once('close', () => owed.delete(response));
    });
  }

  /**
   * Resolves when the answers to all complete requests of a connection are finished. A request whose body was interrupted is not waited
   * for, because it is not answered separately.
   */
  async given(socket: Socket): Promise<void> {
    const owed = [...(this.#owed.get(socket) ?? [])].filter(({ req, closed }) => req.complete && !closed);
    await Promise.all(owed.map((response) => once(response, 'close')));
  }
}
