import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/**
 * Returns true if all of a request has arrived. Node marks a request without a body as complete only after the first listeners have run, and
 * over HTTP/2 only after it was read.
 */
export function isWhole(request: IncomingMessage | Http2ServerRequest): boolean {
  if (request.complete) return true;
  if ('stream' in request) return request.stream.endAfterHeaders;
  // A request of HTTP/1.1 has a body only if one of these two headers announces it (RFC 9112, section 6.3).
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  return coding === undefined && length === '0';
}

/**
 * Prepares for an answer that may be complete before its request. If the rest of the request has not arrived when the answer is sent, the
 * connection is closed, or the stream of HTTP/2. Bytes that still arrive are discarded. Must be called before the answer is sent.
 */
export function closeAfterEarlyAnswer(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
  if (isWhole(request)) return;
  // In HTTP/2, a response finishes only when its stream closes, so this line waits for the stream.
  if ('stream' in request) return void request.stream.once('finish', () => endStream(request));
  if (response.statusCode >= 400) {
    // A client that is rejected before its body arrives must not send its next request over this connection. Node destroys the connection
    // after the last response at once, but {@link endConnection} waits for the client.
    const { socket } = request;
    socket.destroySoon = () => socket.end();
  }
  response.once('finish', () => endConnection(request));
}

/** Closes the stream of an answered request, unless the whole request has arrived by now. Source: RFC 9113, section 8.1. */
function endStream(request: Http2ServerRequest): void {
  if (!request.complete) request.stream.close(constants.NGHTTP2_NO_ERROR);
}

/** Closes the connection of an answered request, unless the whole request has arrived by now. */
function endConnection(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  request.resume();
  linger(socket);
}

/**
 * Longest time in ms for which a connection stays open after its last answer if the client still sends. During this time, the server
 * discards what arrives. An immediate reset could destroy an answer that the client has not read yet.
 */
const LINGER_MS = 10_000;
/** Longest time in ms for which such a client may send nothing. */
const SILENCE_MS = 500;

/** Closes a connection after its last answer: as soon as the client has closed it, or sends nothing for a while. */
export function linger(socket: Socket): void {
  socket.end();
  // The HTTP server changes the socket's own timeout, so this function has separate timers.
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const silent = setTimeout(() => socket.destroy(), SILENCE_MS).unref();
  socket.on('data', () => silent.refresh());
  socket.once('close', () => {
    clearTimeout(late);
    clearTimeout(silent);
  });
}
