import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { Http2ServerResponse, ServerHttp2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { Expirations } from './expirations.ts';

/** Answer that is being sent, over HTTP/1.1 or HTTP/2. */
type Answer = ServerResponse | Http2ServerResponse;

/** Progress of a client that reads an answer. */
interface Reading {
  /** Number of bytes that waited for the client at the last look. */
  waiting: number;
  /** Time at which the client last read something, by `performance.now()`. */
  since: number;
}

/** Number of looks at an answer within the time for which a client may read nothing. */
const LOOKS = 4;

/**
 * All connections of a server. It closes the connections of clients that are late in a way that Node itself does not limit: HTTP/2 sessions
 * without a request, and answers that the client does not read. At the end of the server, all connections are closed, and so are
 * connections without a finished TLS handshake.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();
  readonly #answers = new Map<Answer, Reading>();
  readonly #firstStream: Expirations;
  readonly #nextStream: Expirations;
  readonly #unreadMs: number;
  readonly #looking: NodeJS.Timeout;
  #isClosed = false;

  /** Starts to watch a server of `node:http`, `node:https` or `node:http2`. It must be called before the server listens. */
  constructor(server: Server, { headersMs, keepAliveMs, unreadMs }: ServerTimes) {
    this.#firstStream = new Expirations(headersMs);
    this.#nextStream = new Expirations(keepAliveMs);
    this.#unreadMs = unreadMs;
    this.#looking = setInterval(() => this.#endUnread(), unreadMs / LOOKS).unref();
    server.on('connection', (socket) => this.#add(socket));
    server.on('session', (session: ServerHttp2Session) => this.#time(session));
    server.on('request', (_: unknown, answer: Answer) => this.#watch(answer));
  }

  /** Destroys all connections, and each later one. The caller stops the server itself. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#looking);
    for (const socket of this.#sockets) socket.destroy();
  }

  #add(socket: Socket): void {
    if (this.#isClosed) return void socket.destroy();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /**
   * Closes an HTTP/2 session in which no request is open for too long. Node has no such limit. The time does not depend on what arrives, so
   * neither pings nor incomplete headers extend it.
   */
  #time(session: ServerHttp2Session): void {
    let open = 0;
    let end = this.#firstStream.begin(() => session.destroy());
    session.on('stream', (stream) => {
      if (open++ === 0) end();
      stream.once('close', () => {
        if (--open === 0) end = this.#nextStream.begin(() => session.destroy());
      });
    });
    session.once('close', () => end());
  }

  #watch(answer: Answer): void {
    const reading: Reading = { waiting: 0, since: performance.now() };
    this.#answers.set(answer, reading);
    answer.on('drain', () => (reading.waiting = 0));
    answer.once('close', () => this.#answers.delete(answer));
  }

  #endUnread(): void {
    const now = performance.now();
    for (const [answer, reading] of this.#answers) {
      const waiting = waitingBytes(answer);
      // The client has read something in two cases: fewer bytes wait than at the last look, or no bytes waited at some time since then.
      if (waiting === 0 || reading.waiting === 0 || waiting < reading.waiting) reading.since = now;
      reading.waiting = waiting;
      if (now - reading.since > this.#unreadMs) breakOff(answer);
    }
  }
}

/**
 * Returns the number of bytes of an answer that the client has not taken yet. Returns 0 for an answer that waits for an earlier answer on
 * the same connection.
 */
function waitingBytes(answer: Answer): number {
  return answer.socket ? answer.writableLength : 0;
}

/** Ends an answer that the client does not read: the HTTP/2 stream, or the whole connection of HTTP/1.1. */
function breakOff(answer: Answer): void {
  if (!('stream' in answer)) return void answer.socket?.destroy();
  answer.stream.close(constants.NGHTTP2_CANCEL);
  answer.stream.destroy();
}

/** Times after which a server closes a connection whose client does not act, in ms. */
export interface ServerTimes {
  /** Time in which the TLS handshake must end, and the time in which all headers of a request must arrive. */
  readonly headersMs: number;
  /** Time for which a connection without an open request stays open. */
  readonly keepAliveMs: number;
  /** Time for which the client may read nothing while an answer waits. */
  readonly unreadMs: number;
}

/** Times of every server of Assay, unless its settings say otherwise. */
export const SERVER_TIMES: ServerTimes = { headersMs: 15_000, keepAliveMs: 72_000, unreadMs: 60_000 };

/** Interval in ms in which Node looks for requests that are late. An honest client waits at most this long for the place of a late one. */
const CHECK_MS = 500;

/** Times of a server in the form that `createServer` of `node:http`, `node:https` and `node:http2` takes. */
interface NodeTimes {
  readonly handshakeTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/**
 * Returns the times of a server as options of Node's servers. Node's own default for a TLS handshake is 120 s. `requestMs` is the time in
 * ms in which a whole request must arrive.
 */
export function nodeTimes({ headersMs, keepAliveMs }: ServerTimes, requestMs: number): NodeTimes {
  return {
    handshakeTimeout: headersMs,
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: CHECK_MS,
  };
}
