import { Injectable } from '@nestjs/common';
import { tooManyRequestsStatus } from '#kube';
import { LEVELS, RetryAfter } from '#queue';
import type { Level, Refusal } from '#queue';
import { counters } from '#telemetry';
import { StatusFailure } from '../status.filter.ts';

/** What was not taken: an evaluation, or another question (`/definitions`, `/explain`, `/matrix`, `/what-if`). */
export type Refused = 'evaluation' | 'question';

/** What the description of the API says of that 429. */
export const FULL_LINE =
  'The line before the engine, or what the client may keep waiting in it, is full; Retry-After says when to come back';

const nowSeconds = (): number => Math.floor(performance.now() / 1000);

/** Refusals of this process by priority level, as the API server counts them: each level has its own Retry-After. */
@Injectable()
export class Refusals {
  readonly #waits = new Map<Level, RetryAfter>(LEVELS.map((level) => [level, new RetryAfter(nowSeconds())]));

  /** The 429 of a request for which there was no room: in the queue, or in the line before the engine. */
  refuse(level: Level, reason: Refusal, refused: Refused = 'evaluation'): StatusFailure {
    (refused === 'evaluation' ? counters.rejected : counters.rejectedQuestions).add(1, { level, reason });
    const wait = this.#waits.get(level);
    wait?.refused(nowSeconds());
    return new StatusFailure(tooManyRequestsStatus(`too many ${FULL[reason](refused)}, please try again later`, wait?.seconds ?? 1));
  }
}

const FULL: Readonly<Record<Refusal, (refused: Refused) => string>> = {
  evaluations: (refused) => `${refused}s are waiting`,
  bytes: () => 'bytes are waiting',
  'flow-evaluations': (refused) => `${refused}s of this client are waiting`,
  'flow-chunks': (refused) => `${refused === 'evaluation' ? 'objects' : 'questions'} of this client are waiting`,
  'flow-bytes': () => 'bytes of this client are waiting',
};
