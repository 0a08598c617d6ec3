import { tooManyRequestsStatus } from '#kube';
import { LEVELS, RetryAfter } from '#queue';
import type { Level, Refusal } from '#queue';
import { counters } from '#telemetry';
import { StatusFailure } from '../status.filter.ts';

const nowSeconds = (): number => Math.floor(performance.now() / 1000);

/** Refusals of this process by priority level, as the API server counts them: each level has its own Retry-After. */
export class Refusals {
  readonly #waits = new Map<Level, RetryAfter>(LEVELS.map((level) => [level, new RetryAfter(nowSeconds())]));

  /** The 429 of an evaluation that the queue did not take. */
  refuse(level: Level, reason: Refusal): StatusFailure {
    counters.rejected.add(1, { level, reason });
    const wait = this.#waits.get(level);
    wait?.refused(nowSeconds());
    return new StatusFailure(tooManyRequestsStatus(`${MESSAGES[reason]}, please try again later`, wait?.seconds ?? 1));
  }
}

const MESSAGES: Readonly<Record<Refusal, string>> = {
  evaluations: 'too many evaluations are waiting',
  bytes: 'too many bytes are waiting',
  'flow-evaluations': 'too many evaluations of this client are waiting',
  'flow-chunks': 'too many objects of this client are waiting',
  'flow-bytes': 'too many bytes of this client are waiting',
};
