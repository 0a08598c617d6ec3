import type { QueuedEngine } from '#runner';
import type { Outcome } from '#service';
import { StatusFailure } from './status.filter.ts';

/**
 * Returns the answer in the outcome of a use case (an operation of the service). If the use case declined the request, throws a {@link
 * StatusFailure} with the Status of the outcome.
 */
export function answerOrThrow<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.kind === 'answered') return outcome.answer;
  throw new StatusFailure(outcome.status);
}

/** Admits a request to the admission queue. Throws the 429 failure if the queue is full, or if the flow's share of it is full. */
export function enterQueueOrThrow(engine: QueuedEngine): void {
  const full = engine.enterQueue();
  if (full) throw new StatusFailure(full);
}

/** Throws the Status of `problem` if a check of the request failed; does nothing if `problem` is undefined. */
export function throwIfDeclined(problem: Exclude<Outcome<never>, { kind: 'answered' }> | undefined): void {
  if (problem) throw new StatusFailure(problem.status);
}
