import { latencySummary } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { hrMilliseconds } from './hr-milliseconds.ts';
import type { LoadAnswer, LoadRequest } from './load-request.ts';

/** A request that begins a trace of its own. */
export interface TracedRequest extends LoadRequest {
  /** 32 digits, hexadecimal. */
  readonly traceId: string;
}

/** An answered request among the slowest. */
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

/** The tally of a load. */
export interface TallyFindings {
  readonly answered: number;
  /** Answered with a 2xx. */
  readonly succeeded: number;
  /** Latencies of answers with a 2xx. */
  readonly latencies: LatencySummary;
  /** Answers by status, the most frequent first. */
  readonly statuses: readonly { readonly code: number; readonly requests: number }[];
  /** The Retry-After of answers with 429, seconds; absent if none had one. */
  readonly retryAfter?: { readonly least: number; readonly most: number };
  /** Requests without an answer by reason, the most frequent first. */
  readonly errors: readonly { readonly reason: string; readonly requests: number }[];
  readonly verdicts: VerdictCounts;
  readonly slowest: readonly SlowRequest[];
  /** True if answers named their traces: the service records them. */
  readonly isTraced: boolean;
  /** Time at which the last request was answered or broke, on the clock of `hrMilliseconds`; undefined if there is none. */
  readonly lastAt: number | undefined;
}

/** Slow requests that are told. */
const SLOWEST = 5;

/** Counts what becomes of requests. */
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

  /** Answered requests so far, and requests that broke. */
  get soFar(): { readonly answered: number; readonly broken: number } {
    return { answered: this.#answered, broken: this.#broken };
  }

  /** Counts an answer. */
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
    if (ms > (this.#slowest[SLOWEST - 1]?.ms ?? -Infinity)) {
      const one = { ms, status, traceId: typeof traced === 'string' ? traced : sent };
      this.#slowest = [...this.#slowest, one].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
    }
  }

  /** Counts a request without an answer. */
  broken(reason: string): void {
    this.#broken += 1;
    this.#lastAt = hrMilliseconds();
    count(this.#errors, reason);
  }

  /** Returns all counts. */
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

  /** Keeps each wait once: there are few. */
  #noteRetryAfter(header: unknown): void {
    const seconds = Number(header);
    if (header !== undefined && Number.isFinite(seconds) && !this.#retryAfter.includes(seconds)) this.#retryAfter.push(seconds);
  }

  /** The summary stands at the end of an answer. */
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
