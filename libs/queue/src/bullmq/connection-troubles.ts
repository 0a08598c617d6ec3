/** News about the connections of a process to Redis. */
export interface RedisTrouble {
  /** `away`: it does not answer, or not as it should; `back`: it does again. */
  readonly state: 'away' | 'back';
  /** The reason in the words of Redis or of the system. It holds no password and no part of a command. */
  readonly reason: string;
  /** Failures of any connection since it was last told, this one included. */
  readonly failures: number;
}

/** The first pause between two reports of one trouble, and the longest; each is twice the one before, ms. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Several connections fail again and again for one reason: it is told once, then after ever longer pauses, and once more when it is over. */
export class ConnectionTroubles {
  readonly #report: (trouble: RedisTrouble) => void;
  readonly #now: () => number;
  #pauseMs = 0;
  #nextAt = 0;
  #failures = 0;

  /** `now`: ms that never go back. */
  constructor(report: (trouble: RedisTrouble) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  failed(error: unknown): void {
    this.#failures++;
    const now = this.#now();
    if (now < this.#nextAt) return;
    this.#pauseMs = Math.min(Math.max(2 * this.#pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#nextAt = now + this.#pauseMs;
    this.#report({ state: 'away', reason: reasonOf(error), failures: this.#failures });
    this.#failures = 0;
  }

  /** A connection can be used. */
  recovered(): void {
    if (this.#pauseMs === 0) return;
    this.#pauseMs = 0;
    this.#nextAt = 0;
    this.#report({ state: 'back', reason: 'connected', failures: this.#failures });
    this.#failures = 0;
  }
}

/** Returns an error's words; of several (every address of a host was tried) the first one's. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const cause = 'lastNodeError' in error && error.lastNodeError instanceof Error ? `: ${error.lastNodeError.message}` : '';
  return `${error.message === '' ? error.name : error.message}${cause}`;
}
