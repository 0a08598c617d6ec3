import type { Outcome } from '#service';
import { StatusFailure } from './status.filter.ts';

/** The answer of a use case; throws the Status of one that was declined. */
export function answerOf<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.kind === 'answered') return outcome.answer;
  throw new StatusFailure(outcome.status);
}

/** Throws the Status of a check that a request did not pass. */
export function requirePassed(problem: Exclude<Outcome<never>, { kind: 'answered' }> | undefined): void {
  if (problem) throw new StatusFailure(problem.status);
}
