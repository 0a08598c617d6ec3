import type { Outcome } from '#service';
import { StatusFailure } from './status.filter.ts';

/** Returns the answer of a use case. If the use case declined the request, throws the Status of the outcome as a failure. */
export function answerOf<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.kind === 'answered') return outcome.answer;
  throw new StatusFailure(outcome.status);
}

/** Throws the Status of `problem` if a check of the request failed; does nothing if `problem` is undefined. */
export function requirePassed(problem: Exclude<Outcome<never>, { kind: 'answered' }> | undefined): void {
  if (problem) throw new StatusFailure(problem.status);
}
