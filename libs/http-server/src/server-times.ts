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
