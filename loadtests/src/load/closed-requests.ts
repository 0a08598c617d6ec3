import autocannon from 'autocannon';
import type { RepeatedRequest } from 'autocannon';
import { hrMilliseconds } from './hr-milliseconds.ts';
import { PATIENCE_MS, reasonOf } from './load-request.ts';
import type { LoadRequest, LoadSubject } from './load-request.ts';

/** The pace of a closed load: each connection sends its next request when its last one was answered. */
export interface ClosedPace {
  readonly connections: number;
  readonly seconds: number;
  /** Ends the load early. */
  readonly signal?: AbortSignal;
}

/** The counts of a closed load beside the outcomes of its requests. */
export interface ClosedCounts {
  /** Time of the first request, on the clock of `hrMilliseconds`. */
  readonly startedAt: number;
  /** Sent, and broken off when the time was over. */
  readonly unanswered: number;
}

/** The interval at which autocannon looks whether its time is over, ms. */
const LOOK_MS = 50;

/** The reason of requests whose connection the service closed: autocannon opens another one, and says nothing. */
const CLOSED = 'closed by the service';

/** The request that a connection sent last. autocannon's own times are of another request after a connection was closed. */
interface ConnectionContext<Request> {
  sent?: { readonly request: Request; readonly at: number };
}

/**
 * Posts requests over so many connections, by autocannon. Times are from sending: what waits behind a stall is not in them. autocannon corrects latencies of
 * a fixed rate only.
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
  // Each connection has one request under way at the end; what else has no answer was lost.
  const unanswered = Math.min(connections, begun - ended);
  for (let lost = begun - ended - unanswered; lost > 0; lost--) broken(CLOSED);
  return { startedAt, unanswered };
}

const inSmallLetters = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
