import { tooManyRequestsStatus } from '#kube';
import type { Status } from '#kube';
import { LEVELS, RetryAfter } from '../flow/index.ts';
import type { Level, Refusal } from '../flow/index.ts';
import type { Telemetry } from '#telemetry';

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
