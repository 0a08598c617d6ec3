import { randomBytes } from 'node:crypto';
import { closedRequests } from './closed-requests.ts';
import { HttpSender } from './http-sender.ts';
import type { LoadSubject } from './load-request.ts';
import { LoadTally } from './load-tally.ts';
import type { TallyFindings, TracedRequest } from './load-tally.ts';
import { openRequests } from './open-requests.ts';

export { sendWrites } from './send-writes.ts';

/** Pace of a load: a fixed rate (open), or a number of connections that each wait for their answer (closed). */
export type LoadPace =
  | {
      readonly kind: 'open';
      /** Number of requests per second. */
      readonly rate: number;
    }
  | { readonly kind: 'closed'; readonly connections: number };

/** Description of a load to send. */
export interface LoadOrder {
  /** The address that requests are posted to. */
  readonly url: string;
  /** Request bodies, at least one. They are sent in turn, and after the last body the first one is sent again. */
  readonly bodies: readonly Buffer[];
  /** Headers of all requests. */
  readonly headers: Readonly<Record<string, string>>;
  readonly pace: LoadPace;
  readonly seconds: number;
  /** Signal that ends the load early. */
  readonly signal: AbortSignal;
  /** Called every 200 ms with the progress of the load. */
  readonly onProgress: (progress: LoadProgress) => void;
}

/** Progress of a running load: seconds, and numbers of requests that were answered (`answered`) or ended without an answer (`broken`). */
export interface LoadProgress {
  readonly seconds: number;
  readonly answered: number;
  readonly broken: number;
}

/** The findings of a load. */
export interface LoadFindings extends Omit<TallyFindings, 'lastAt'> {
  /** Seconds from the first request to the last answer or broken connection. */
  readonly seconds: number;
  /** Number of requests that were sent. */
  readonly requests: number;
  /** Number of requests of an open load that were not sent because too many were unanswered. */
  readonly notSent: number;
  /**
   * Number of requests of an open load that started more than 1 ms late. Their latencies are measured from the time at which they were due.
   */
  readonly late: number;
  /** Number of requests that were aborted at the end of the load. */
  readonly unanswered: number;
  /** Number of requests per second that were answered with a 2xx. */
  readonly requestsPerSecond: number;
  /** Number of objects per second for which answers contained a verdict. */
  readonly objectsPerSecond: number;
}

/** Highest number of unanswered requests of an open load. */
const MAX_IN_FLIGHT = 1024;
const TELL_MS = 200;

/** Sends a load. Each request begins a trace and asks the service to record it, so that the service's logs contain the same trace id. */
export async function sendLoad({ url, bodies, headers, pace, seconds, signal, onProgress }: LoadOrder): Promise<LoadFindings> {
  const tally = new LoadTally();
  let turn = 0;
  const next = (): TracedRequest => {
    const body = bodies[turn++ % bodies.length] ?? Buffer.alloc(0);
    const traceId = randomBytes(16).toString('hex');
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    return { body, traceId, headers: { ...headers, traceparent, 'x-request-id': traceId } };
  };
  const subject: LoadSubject<TracedRequest> = {
    next,
    answered: (request, answer) => tally.answered(request, answer),
    broken: (reason) => tally.broken(reason),
  };
  const began = performance.now();
  const progressTimer = setInterval(() => onProgress({ seconds: (performance.now() - began) / 1000, ...tally.soFar }), TELL_MS);
  try {
    if (pace.kind === 'closed') {
      const { startedAt, unanswered } = await closedRequests(url, { connections: pace.connections, seconds, signal }, subject);
      return findingsOf(tally, { startedAt, unanswered, notSent: 0, late: 0 });
    }
    const open = { rate: pace.rate, seconds, maxInFlight: MAX_IN_FLIGHT, signal };
    const { startedAt, unanswered, dropped, late } = await openRequests(new HttpSender(url), open, subject);
    return findingsOf(tally, { startedAt, unanswered, notSent: dropped, late });
  } finally {
    clearInterval(progressTimer);
  }
}

function findingsOf(
  tally: LoadTally,
  { startedAt, ...sent }: Pick<LoadFindings, 'notSent' | 'late' | 'unanswered'> & { readonly startedAt: number },
): LoadFindings {
  const { lastAt = startedAt, ...counts } = tally.findings;
  const seconds = (lastAt - startedAt) / 1000;
  const perSecond = (count: number): number => (seconds > 0 ? count / seconds : 0);
  return {
    ...counts,
    ...sent,
    seconds,
    requests: tally.soFar.answered + tally.soFar.broken + sent.unanswered,
    requestsPerSecond: perSecond(counts.succeeded),
    objectsPerSecond: perSecond(counts.verdicts.accepted + counts.verdicts.rejected),
  };
}
