import { latencySummary } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { HttpSender } from './http-sender.ts';
import type { LoadAnswer, LoadRequest } from './load-request.ts';
import { LATE_MS, openRequests } from './open-requests.ts';
import type { OpenCounts, OpenPace } from './open-requests.ts';

/** An open load of one body. */
export interface OpenLoadOptions extends OpenPace {
  readonly url: string;
  readonly body: string | Buffer;
  /** Returns true if the text of a 2xx answer is as expected. */
  readonly expected?: (answer: string) => boolean;
  /** Highest share of requests that may start late. If more requests start late, latencies are not reported. */
  readonly lateShare?: number;
}

/** Reason why latencies are not reported. */
export interface NoLatencies {
  readonly refused: string;
}

/** The findings of an open load. */
export interface OpenLoad extends Omit<OpenCounts, 'startedAt' | 'unanswered'> {
  /** Requested number of requests per second. */
  readonly rate: number;
  /** Number of requests answered with a 2xx and the expected text. */
  readonly answered: number;
  /** Number of requests answered with 429, because the service accepted no more requests from this client. */
  readonly throttled: number;
  /** Number of requests answered with a status other than 2xx and 429. */
  readonly non2xx: number;
  /** Number of requests answered with a 2xx but an unexpected text. */
  readonly unexpected: number;
  /** Number of requests whose connections broke. */
  readonly errors: number;
  /** Latencies from the time when each request was due, or the reason why they are not reported. */
  readonly latencies: LatencySummary | NoLatencies;
}

/**
 * Highest share of requests that may start late. Above it, the client was too busy, so that the latencies would measure the client itself.
 */
const LATE_SHARE = 0.01;

/** Posts a body at a fixed rate. Latencies begin when a request was due. */
export async function openLoad({ url, body, expected = () => true, lateShare = LATE_SHARE, ...pace }: OpenLoadOptions): Promise<OpenLoad> {
  const latencies: number[] = [];
  const counts = { answered: 0, throttled: 0, non2xx: 0, unexpected: 0, errors: 0 };
  const request: LoadRequest = { body: Buffer.from(body), headers: { 'content-type': 'application/json' } };
  const answered = (_: LoadRequest, { status, text, ms }: LoadAnswer): void => {
    if (status === 429) counts.throttled += 1;
    else if (status < 200 || status > 299) counts.non2xx += 1;
    else if (!expected(text)) counts.unexpected += 1;
    else {
      counts.answered += 1;
      latencies.push(ms);
    }
  };
  const broken = (): void => void (counts.errors += 1);
  const { due, dropped, late } = await openRequests(new HttpSender(url), pace, { next: () => request, answered, broken });
  const refused = refusal({ due, dropped, late }, lateShare);
  return { rate: pace.rate, due, dropped, late, ...counts, latencies: refused === undefined ? latencySummary(latencies) : { refused } };
}

/** Returns why the latencies would differ from what users experience; undefined if they are reliable. */
function refusal({ due, late, dropped }: Pick<OpenLoad, 'due' | 'late' | 'dropped'>, lateShare: number): string | undefined {
  if (dropped > 0) return `the service does not keep up: ${dropped} of ${due} requests were not sent, since too many were under way`;
  if (late > lateShare * due) return `the client was too busy to be believed: ${late} of ${due} requests started over ${LATE_MS} ms late`;
  return undefined;
}
