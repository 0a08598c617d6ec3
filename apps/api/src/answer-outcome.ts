import type { Outcome } from '#service';
import { StatusFailure } from './status.filter.ts';

/** Returns the answer of a use case. Throws the Status if it was declined. */
export function answerOf<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.kind === 'answered') return outcome.answer;
  throw new StatusFailure(outcome.status);
}

/** Throws the Status of a check that a request did not pass. */
export function requirePassed(problem: Exclude<Outcome<never>, { kind: 'answered' }> | undefined): void {
  if (problem) throw new StatusFailure(problem.status);
}
