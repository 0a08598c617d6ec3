import { latencySummary } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { OutcomeCounts } from './outcome-counts.ts';
import type { OutcomeFindings } from './outcome-counts.ts';
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
export interface TallyFindings extends OutcomeFindings {
  /** Number of requests answered with a 2xx. */
  readonly succeeded: number;
  /** Latencies of answers with a 2xx. */
  readonly latencies: LatencySummary;
  readonly verdicts: VerdictCounts;
  readonly slowest: readonly SlowRequest[];
  /** True if answers contained trace ids, which means that the service records traces. */
  readonly isTraced: boolean;
}

/** Number of slowest requests that are reported. */
const MAX_SLOW_REQUESTS = 5;

/** Counter of the outcomes of requests. */
export class LoadTally {
  readonly #outcomes = new OutcomeCounts();
  readonly #latencies: number[] = [];
  readonly #verdicts = { accepted: 0, rejected: 0, notEvaluated: 0, cancelled: 0 };
  #slowest: readonly SlowRequest[] = [];
  #isTraced = false;

  /** Number of requests that were answered so far (`answered`), and number of requests that ended without an answer (`broken`). */
  get soFar(): { readonly answered: number; readonly broken: number } {
    return this.#outcomes.soFar;
  }

  /** Counts an answer and the verdicts in its body. */
  answered({ traceId: sent }: TracedRequest, { status, headers, text, ms }: LoadAnswer): void {
    this.#outcomes.answered(status, headers['retry-after']);
    const traced = headers['x-trace-id'];
    if (typeof traced === 'string') this.#isTraced = true;
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
    this.#outcomes.broken(reason);
  }

  /** Statistics of all requests so far. */
  get findings(): TallyFindings {
    return {
      ...this.#outcomes.findings,
      succeeded: this.#latencies.length,
      latencies: latencySummary(this.#latencies),
      verdicts: { ...this.#verdicts },
      slowest: this.#slowest,
      isTraced: this.#isTraced,
    };
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
