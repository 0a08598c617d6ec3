import autocannon from 'autocannon';
import type { RepeatedRequest } from 'autocannon';
import { hrMilliseconds } from './hr-milliseconds.ts';
import { PATIENCE_MS, reasonOf } from './load-request.ts';
import type { LoadRequest, LoadSubject } from './load-request.ts';

/** Pace of a closed load, in which each connection sends its next request after the previous answer. */
export interface ClosedPace {
  readonly connections: number;
  readonly seconds: number;
  /** Signal that ends the load early. */
  readonly signal?: AbortSignal;
}

/** Counts of a closed load in addition to the outcomes of its requests. */
export interface ClosedCounts {
  /** Time of the first request, on the clock of `hrMilliseconds`. */
  readonly startedAt: number;
  /** Number of requests that were sent and then aborted at the end of the load. */
  readonly unanswered: number;
}

/** Interval in ms at which autocannon checks whether the load has ended. */
const LOOK_MS = 50;

/**
 * Reason that is reported for requests whose connection the service closed. autocannon then opens a new connection without reporting an
 * error.
 */
const CLOSED = 'closed by the service';

/**
 * Context of a connection. `sent` is the request that the connection sent most recently. It is recorded because autocannon's times refer to
 * a different request after a connection was closed.
 */
interface ConnectionContext<Request> {
  sent?: { readonly request: Request; readonly at: number };
}

/**
 * Posts requests over a number of connections with autocannon. Latencies begin at the sending of a request, so delays before sending are
 * not included. The tool autocannon corrects latencies for such delays only at a fixed rate.
 */
export async function closedRequests<Request extends LoadRequest>(
  url: string,
  { connections, seconds, signal }: ClosedPace,
  { next, answered, broken }: LoadSubject<Request>,
): Promise<ClosedCounts> {
  const startedAt = hrMilliseconds();
  let [begun, ended] = [0, 0];
  const requests: RepeatedRequest<ConnectionContext<Request>>[] = [
    {
      setupRequest: (plain, context) => {
        const request = next();
        begun += 1;
        context.sent = { request, at: hrMilliseconds() };
        return { ...plain, headers: { ...request.headers }, body: request.body };
      },
      onResponse: (status, text, { sent }, headers) => {
        if (sent === undefined) return;
        ended += 1;
        answered(sent.request, { status, headers: inSmallLetters(headers), text, ms: hrMilliseconds() - sent.at });
      },
    },
  ];
  const load = autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    timeout: PATIENCE_MS / 1000,
    sampleInt: LOOK_MS,
    requests,
  });
  load.on('reqError', (error) => {
    ended += 1;
    broken(reasonOf(error));
  });
  const stop = (): void => load.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (signal?.aborted === true) stop();
    await load;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  // At the end, each connection has one open request. All other requests without a response were lost.
  const unanswered = Math.min(connections, begun - ended);
  for (let lost = begun - ended - unanswered; lost > 0; lost--) broken(CLOSED);
  return { startedAt, unanswered };
}

const inSmallLetters = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
