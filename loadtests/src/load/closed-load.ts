import autocannon from 'autocannon';
import { latencySummary } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';

/** Figures of a closed load, in which each connection sends its next request after the previous answer. */
export interface ClosedLoad {
  readonly requests: number;
  /** Number of requests without a 2xx answer or with an unexpected answer. */
  readonly failures: number;
  readonly requestsPerSecond: number;
  /** Latencies from the sending of a request to its answer. They do not include the time for which a stall delays the sending. */
  readonly latencies: LatencySummary;
}

/** The options of a closed load. */
export interface ClosedLoadOptions {
  readonly connections: number;
  /** Duration of the load in seconds. Requests that are unanswered at the end are aborted. */
  readonly seconds?: number;
  /** Number of requests, as an alternative to `seconds`. All these requests are answered. */
  readonly requests?: number;
  /** Returns true if the text of a 2xx answer is as expected. */
  readonly expected?: (answer: string) => boolean;
  /** Signal that ends the load early. */
  readonly signal?: AbortSignal;
}

/** Interval in ms at which autocannon checks whether the load has ended. */
const LOOK_MS = 50;

/**
 * Posts one body repeatedly with autocannon. All latencies are recorded separately, because autocannon's histogram has a resolution of
 * whole ms.
 */
export async function closedLoad(
  url: string,
  body: string | Buffer,
  { connections, seconds, requests, expected, signal }: ClosedLoadOptions,
): Promise<ClosedLoad> {
  const latencies: number[] = [];
  const started = performance.now();
  let answered = 0;
  let last = started;
  const load = autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections,
    ...(requests === undefined ? { duration: seconds ?? 1 } : { amount: Math.max(connections, requests) }),
    timeout: 120,
    sampleInt: LOOK_MS,
    ...(expected && { verifyBody: (answer) => expected(answer.toString()) }),
  });
  load.on('response', (_, statusCode, __, responseMs) => {
    answered += 1;
    last = performance.now();
    if (statusCode >= 200 && statusCode < 300) latencies.push(responseMs);
  });
  const stop = (): void => load.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (signal?.aborted === true) stop();
    const result = await load;
    return {
      requests: answered,
      // If there is an expected text, an error response counts as a mismatch, so `non2xx` would count it twice.
      failures: (expected ? result.mismatches : result.non2xx) + result.errors + result.timeouts,
      requestsPerSecond: answered === 0 ? 0 : (answered / (last - started)) * 1000,
      latencies: latencySummary(latencies),
    };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
