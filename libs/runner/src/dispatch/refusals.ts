import { tooManyRequestsStatus } from '#kube';
import type { Status } from '#kube';
import type { Telemetry } from '#telemetry';
import { LEVELS } from '../flow/index.ts';
import type { Level, Refusal } from '../flow/index.ts';

/**
 * Kind of a refused request. `request` is any request that needs the engine and is not an evaluation (`/definitions`, `/explain`,
 * `/advise`, `/matrix`, `/what-if`).
 */
export type RequestKind = 'evaluation' | 'request';

const nowSeconds = (): number => Math.floor(performance.now() / 1000);

/** Refusals of this process with status 429. As in the API server, each priority level has its own Retry-After time. */
export class Refusals {
  readonly #telemetry: Telemetry;
  readonly #waits = new Map<Level, RetryAfter>(LEVELS.map((level) => [level, new RetryAfter(nowSeconds())]));

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  /**
   * Counts a refusal, and returns its Status with code 429. `reason` is the limit that the request exceeded, in the queue of chunks or in the
   * queue of requests before the engine.
   */
  refuse(level: Level, reason: Refusal, kind: RequestKind): Status {
    const { rejected, rejectedRequests } = this.#telemetry.metrics.counters;
    (kind === 'evaluation' ? rejected : rejectedRequests).add(1, { level, reason });
    const wait = this.#waits.get(level);
    wait?.refused(nowSeconds());
    return tooManyRequestsStatus(`too many ${FULL[reason](kind)}, please try again later`, wait?.seconds ?? 1);
  }
}

const FULL: Readonly<Record<Refusal, (kind: RequestKind) => string>> = {
  evaluations: (kind) => `${kind}s are waiting`,
  bytes: () => 'bytes are waiting',
  'flow-evaluations': (kind) => `${kind}s of this client are waiting`,
  'flow-chunks': (kind) => `${kind === 'evaluation' ? 'objects' : 'requests'} of this client are waiting`,
  'flow-bytes': () => 'bytes of this client are waiting',
  results: () => 'bytes of results are kept',
  definitions: () => 'bytes of definitions are kept',
  'flow-definitions': () => 'bytes of definitions of this client are kept',
  'flow-results': () => 'bytes of results of this client are kept (DELETE an evaluation that is over to free its results)',
};

/** Shortest and longest time, in seconds, for which a refused client is asked to wait. */
const MIN_SECONDS = 1;
const MAX_SECONDS = 32;

/**
 * Waiting time that refused clients of one priority level are asked to observe. If at least 3n clients are refused during a waiting time of
 * n seconds, the waiting time doubles. If fewer than n clients are refused, it falls by one second. It changes only after it has elapsed.
 * The API server's `droppedRequestsStats` (apiserver `pkg/util/flowcontrol/dropped_requests_tracker.go`, 1.37) has the same rules.
 */
export class RetryAfter {
  /** Numbers of refusals in recent epoch seconds, including the current second. */
  readonly #refusals: { readonly second: number; count: number }[] = [];
  #seconds = MIN_SECONDS;
  #changedAt: number;

  constructor(nowSeconds: number) {
    this.#changedAt = nowSeconds;
  }

  /** Current waiting time in seconds. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Counts a refusal. `nowSeconds` is the current time in whole seconds and must never decrease. */
  refused(nowSeconds: number): void {
    const last = this.#refusals.at(-1);
    if (last?.second === nowSeconds) {
      last.count++;
      return;
    }
    this.#adapt(nowSeconds);
    this.#refusals.push({ second: nowSeconds, count: 1 });
    while ((this.#refusals[0]?.second ?? nowSeconds) < nowSeconds - MAX_SECONDS) this.#refusals.shift();
  }

  #adapt(now: number): void {
    const wait = this.#seconds;
    if (now - this.#changedAt < wait) return;
    const recent = this.#refusals.filter(({ second }) => now - second <= wait).reduce((sum, { count }) => sum + count, 0);
    if (recent < wait && wait > MIN_SECONDS) this.#seconds = wait - 1;
    else if (recent >= 3 * wait && wait < MAX_SECONDS) this.#seconds = Math.min(2 * wait, MAX_SECONDS);
    else return;
    this.#changedAt = now;
  }
}
