import { latencySummary } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { hrMilliseconds } from './hr-milliseconds.ts';
import type { LoadAnswer, LoadRequest } from './load-request.ts';

/** A request that begins a new trace. */
export interface TracedRequest extends LoadRequest {
  /** Trace id with 32 hexadecimal digits. */
  readonly traceId: string;
}

/** One of the slowest answered requests. */
export interface SlowRequest {
  readonly ms: number;
  readonly status: number;
  readonly traceId: string;
}

/** Verdicts in answers, by outcome. */
export interface VerdictCounts {
  readonly accepted: number;
  readonly rejected: number;
  readonly notEvaluated: number;
  readonly cancelled: number;
}

/** Statistics of a load's requests. */
export interface TallyFindings {
  readonly answered: number;
  /** Number of requests answered with a 2xx. */
  readonly succeeded: number;
  /** Latencies of answers with a 2xx. */
  readonly latencies: LatencySummary;
  /** Numbers of requests by status code of the answer, the most frequent code first. */
  readonly statuses: readonly { readonly code: number; readonly requests: number }[];
  /** Range of the Retry-After headers of 429 answers, in seconds; absent if no answer had one. */
  readonly retryAfter?: { readonly least: number; readonly most: number };
  /** Numbers of requests without an answer by reason, the most frequent reason first. */
  readonly errors: readonly { readonly reason: string; readonly requests: number }[];
  readonly verdicts: VerdictCounts;
  readonly slowest: readonly SlowRequest[];
  /** True if answers contained trace ids, which means that the service records traces. */
  readonly isTraced: boolean;
  /**
   * Time at which the last request ended, with or without an answer, on the clock of `hrMilliseconds`; undefined if no request has ended.
   */
  readonly lastAt: number | undefined;
}

/** Number of slowest requests that are reported. */
const MAX_SLOW_REQUESTS = 5;

/** Counter of the outcomes of requests. */
export class LoadTally {
  readonly #latencies: number[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #errors = new Map<string, number>();
  readonly #verdicts = { accepted: 0, rejected: 0, notEvaluated: 0, cancelled: 0 };
  readonly #retryAfter: number[] = [];
  #slowest: readonly SlowRequest[] = [];
  #answered = 0;
  #broken = 0;
  #isTraced = false;
  #lastAt: number | undefined;

  /** Number of requests that were answered so far (`answered`), and number of requests that ended without an answer (`broken`). */
  get soFar(): { readonly answered: number; readonly broken: number } {
    return { answered: this.#answered, broken: this.#broken };
  }

  /** Counts an answer and the verdicts in its body. */
  answered({ traceId: sent }: TracedRequest, { status, headers, text, ms }: LoadAnswer): void {
    this.#answered += 1;
    this.#lastAt = hrMilliseconds();
    count(this.#statuses, status);
    const traced = headers['x-trace-id'];
    if (typeof traced === 'string') this.#isTraced = true;
    if (status === 429) this.#noteRetryAfter(headers['retry-after']);
    if (isSuccess(status)) {
      this.#latencies.push(ms);
      this.#countVerdicts(text);
    }
    if (ms > (this.#slowest[MAX_SLOW_REQUESTS - 1]?.ms ?? -Infinity)) {
      const one = { ms, status, traceId: typeof traced === 'string' ? traced : sent };
      this.#slowest = [...this.#slowest, one].sort((a, b) => b.ms - a.ms).slice(0, MAX_SLOW_REQUESTS);
    }
  }

  /** Counts a request without an answer. */
  broken(reason: string): void {
    this.#broken += 1;
    this.#lastAt = hrMilliseconds();
    count(this.#errors, reason);
  }

  /** Statistics of all requests so far. */
  get findings(): TallyFindings {
    const waits = this.#retryAfter;
    return {
      answered: this.#answered,
      succeeded: this.#latencies.length,
      latencies: latencySummary(this.#latencies),
      statuses: byFrequency(this.#statuses).map(([code, requests]) => ({ code, requests })),
      ...(waits.length > 0 && { retryAfter: { least: Math.min(...waits), most: Math.max(...waits) } }),
      errors: byFrequency(this.#errors).map(([reason, requests]) => ({ reason, requests })),
      verdicts: { ...this.#verdicts },
      slowest: this.#slowest,
      isTraced: this.#isTraced,
      lastAt: this.#lastAt,
    };
  }

  /** Records the seconds of a Retry-After header. Each value is stored only once, because only the range of the values is reported. */
  #noteRetryAfter(header: unknown): void {
    const seconds = Number(header);
    if (header !== undefined && Number.isFinite(seconds) && !this.#retryAfter.includes(seconds)) this.#retryAfter.push(seconds);
  }

  /** Adds the verdicts of an answer. The counts are read from the summary at the end of the answer. */
  #countVerdicts(text: string): void {
    const summary = text.slice(text.lastIndexOf(SUMMARY));
    for (const outcome of OUTCOMES) this.#verdicts[outcome] += Number(COUNTED[outcome].exec(summary)?.[1] ?? 0);
  }
}

const SUMMARY = '"summary":{';
const OUTCOMES = ['accepted', 'rejected', 'notEvaluated', 'cancelled'] as const;
const COUNTED = {
  accepted: /"accepted":(\d+)/,
  rejected: /"rejected":(\d+)/,
  notEvaluated: /"notEvaluated":(\d+)/,
  cancelled: /"cancelled":(\d+)/,
} as const;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const byFrequency = <Key>(counts: ReadonlyMap<Key, number>): [Key, number][] => [...counts].sort(([, a], [, b]) => b - a);
