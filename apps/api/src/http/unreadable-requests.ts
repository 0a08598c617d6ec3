import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { badRequestStatus, protocolErrorStatus, timeoutStatus } from '#kube';
import type { Status } from '#kube';
import type { SecurityHeaders } from '../security-headers.ts';
import type { OwedAnswers } from './owed-answers.ts';

/** Error of Node's HTTP parser about bytes that are not a valid request. */
type ParseError = Error & { readonly code?: string };

/**
 * Returns a handler for bytes that Node's parser rejects as a request, and for requests that arrive too slowly. The handler answers with a
 * Status that has the same headers as all answers of the service. Fastify hooks do not run for such a request, because Fastify does not
 * receive it. The handler waits until complete earlier requests on the same connection (`owed`) are answered.
 */
export function answerUnreadable(securityHeaders: SecurityHeaders, owed: OwedAnswers): (error: ParseError, socket: Socket) => void {
  const headers = headerLines(securityHeaders());
  /**
   * Connections on which an unreadable request arrived. They receive no answer after the answer to that request, because the bytes after
   * the request cannot be read as requests.
   */
  const ending = new WeakSet<Socket>();
  return (error, socket) => {
    // Of a connection that was reset nobody reads an answer.
    if (error.code === 'ECONNRESET' || socket.destroyed || ending.has(socket)) return;
    ending.add(socket);
    void owed.given(socket).then(() => {
      if (socket.writable) socket.write(answerText(statusOf(error), headers));
      socket.destroySoon();
    });
  };
}

/** Answers 417 to requests with an `Expect` header other than `100-continue`, because the service supports no other expectation. */
export function refuseExpectations(server: Server, securityHeaders: SecurityHeaders): void {
  server.on('checkExpectation', (_, response) => {
    const status = protocolErrorStatus(417, 'the only expectation that is met is 100-continue');
    const body = JSON.stringify(status);
    response
      .writeHead(417, {
        ...securityHeaders(),
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      })
      .end(body);
  });
}

function statusOf({ code }: ParseError): Status {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return timeoutStatus('the request did not come in time', 0, 408);
  if (code === 'HPE_HEADER_OVERFLOW') return protocolErrorStatus(431, 'the request line and the headers together are too long');
  return badRequestStatus('the request is not HTTP/1.1 as RFC 9112 defines it');
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
