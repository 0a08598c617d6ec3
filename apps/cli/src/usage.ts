import type { Outcome } from '#service';

/** Exit statuses of `assay`. Source of the numbers: kubectl-validate's convention. */
export const EXIT = { ok: 0, rejected: 1, usage: 2, internal: 3 } as const;

/** Error about wrong usage. Its message is printed to stderr, and the command ends with exit status 2. */
export class UsageError extends Error {}

/**
 * Returns the answer in the outcome of a use case (an operation of the service). Throws {@link UsageError} if the use case refused the
 * request, and an internal error for any other failure.
 */
export function answerOrUsageError<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.kind === 'answered') return outcome.answer;
  throw outcome.kind === 'refused' ? new UsageError(outcome.status.message) : new Error(outcome.status.message);
}
