import { hrMilliseconds } from './hr-milliseconds.ts';

/** Counts of the outcomes of requests. */
export interface OutcomeFindings {
  readonly answered: number;
  /** Numbers of requests by status code of the answer, the most frequent code first. */
  readonly statuses: readonly { readonly code: number; readonly requests: number }[];
  /** Range of the Retry-After headers of 429 answers, in seconds; absent if no answer had one. */
  readonly retryAfter?: { readonly least: number; readonly most: number };
  /** Numbers of requests without an answer by reason, the most frequent reason first. */
  readonly errors: readonly { readonly reason: string; readonly requests: number }[];
  /**
   * Time at which the last request ended, with or without an answer, on the clock of `hrMilliseconds`; undefined if no request has ended.
   */
  readonly lastAt: number | undefined;
}

/** Counter of status codes and of reasons for requests without an answer. */
export class OutcomeCounts {
  readonly #statuses = new Map<number, number>();
  readonly #errors = new Map<string, number>();
  readonly #retryAfter: number[] = [];
  #answered = 0;
  #broken = 0;
  #lastAt: number | undefined;

  /** Number of requests that were answered so far (`answered`), and number of requests that ended without an answer (`broken`). */
  get soFar(): { readonly answered: number; readonly broken: number } {
    return { answered: this.#answered, broken: this.#broken };
  }

  /** Counts an answer. `retryAfter` is its header of that name. */
  answered(status: number, retryAfter: unknown): void {
    this.#answered += 1;
    this.#lastAt = hrMilliseconds();
    count(this.#statuses, status);
    if (status === 429) this.#noteRetryAfter(retryAfter);
  }

  /** Counts a request without an answer. */
  broken(reason: string): void {
    this.#broken += 1;
    this.#lastAt = hrMilliseconds();
    count(this.#errors, reason);
  }

  /** Counts of all requests so far. */
  get findings(): OutcomeFindings {
    const waits = this.#retryAfter;
    return {
      answered: this.#answered,
      statuses: byFrequency(this.#statuses).map(([code, requests]) => ({ code, requests })),
      ...(waits.length > 0 && { retryAfter: { least: Math.min(...waits), most: Math.max(...waits) } }),
      errors: byFrequency(this.#errors).map(([reason, requests]) => ({ reason, requests })),
      lastAt: this.#lastAt,
    };
  }

  /** Records the seconds of a Retry-After header. Each value is stored only once, because only the range of the values is reported. */
  #noteRetryAfter(header: unknown): void {
    const seconds = Number(header);
    if (header !== undefined && Number.isFinite(seconds) && !this.#retryAfter.includes(seconds)) this.#retryAfter.push(seconds);
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const byFrequency = <Key>(counts: ReadonlyMap<Key, number>): [Key, number][] => [...counts].sort(([, a], [, b]) => b - a);
