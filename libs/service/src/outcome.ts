import type { Status } from '#kube';

/**
 * The reason why a use case has no answer, with its Status.
 *
 * - `refused`: the request is malformed, too large, not permitted, or there is no room for it (429).
 * - `late`: its deadline passed first.
 * - `lost`: the storage lost a part of it.
 * - `tooLarge`: there is no room for its results.
 * - `broken`: it ended the engine.
 */
export interface Declined {
  readonly kind: 'refused' | 'late' | 'lost' | 'tooLarge' | 'broken';
  readonly status: Status;
}

/** A use case's answer. */
export interface Answered<Answer> {
  readonly kind: 'answered';
  readonly answer: Answer;
}

/** The outcome of a use case. Exceptions are bugs, or a storage that does not answer. */
export type Outcome<Answer> = Answered<Answer> | Declined;

/** Returns an answer. */
export const answered = <Answer>(answer: Answer): Answered<Answer> => ({ kind: 'answered', answer });

/** Returns a request that is not served, with the reason. */
export const declined = (kind: Declined['kind'], status: Status): Declined => ({ kind, status });

/** Returns the request's own fault, or no room. */
export const refused = (status: Status): Declined => declined('refused', status);
