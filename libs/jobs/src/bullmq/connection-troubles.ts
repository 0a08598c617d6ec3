/** Report that the connections of a process to Redis fail or work again. */
export interface RedisTrouble {
  /** `away`: Redis does not answer or answers with errors. `back`: Redis answers again. */
  readonly state: 'away' | 'back';
  /** Reason in the words of Redis or of the operating system. The text contains no password and no part of a command. */
  readonly reason: string;
  /** Number of failures of all connections since the last report, including the current failure. */
  readonly failures: number;
}

/** First and longest pause between two reports while connections keep failing, in ms. Each pause is twice as long as the previous pause. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/**
 * Summary of connection failures. They are summarized because several connections may fail repeatedly for the same reason. The first
 * failure is reported at once. Further reports follow after increasing pauses, and a final report when a connection is usable again.
 */
export class ConnectionTroubles {
  readonly #report: (trouble: RedisTrouble) => void;
  readonly #now: () => number;
  #pauseMs = 0;
  #nextAt = 0;
  #failures = 0;

  /** Creates the summary. `now` returns a time in ms that never decreases. */
  constructor(report: (trouble: RedisTrouble) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  failed(error: unknown): void {
    this.#failures++;
    const now = this.#now();
    if (now < this.#nextAt) return;
    this.#pauseMs = Math.min(Math.max(2 * this.#pauseMs, FIRST_PAUSE_MS), MAX_PAUSE_MS);
    this.#nextAt = now + this.#pauseMs;
    this.#report({ state: 'away', reason: errorMessage(error), failures: this.#failures });
    this.#failures = 0;
  }

  /** Records that a connection is usable again. Reports this if failures were reported before. */
  recovered(): void {
    if (this.#pauseMs === 0) return;
    this.#pauseMs = 0;
    this.#nextAt = 0;
    this.#report({ state: 'back', reason: 'connected', failures: this.#failures });
    this.#failures = 0;
  }
}

/**
 * Returns the message of an error. For an `AggregateError`, returns the message of its first error. Such an error results if every address
 * of a host was tried.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorMessage(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const cause = 'lastNodeError' in error && error.lastNodeError instanceof Error ? `: ${error.lastNodeError.message}` : '';
  return `${error.message === '' ? error.name : error.message}${cause}`;
}
