import type { Status } from '#kube';

/**
 * Reason why a use case has no answer, with the Status for the client.
 *
 * - `refused`: the request is malformed, too large or not permitted, or there is no room for it (429).
 * - `late`: the deadline of the request passed before the answer was ready.
 * - `lost`: the storage lost a part of the evaluation.
 * - `tooLarge`: there is no room for the results.
 * - `broken`: the request ended the engine.
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

/**
 * Outcome of a use case: an answer or the reason why there is none. Exceptions occur only for bugs and for a storage that does not respond.
 */
export type Outcome<Answer> = Answered<Answer> | Declined;

/** Wraps `answer` as the successful outcome of a use case. */
export const answered = <Answer>(answer: Answer): Answered<Answer> => ({ kind: 'answered', answer });

/** Returns the outcome of a request that gets no answer, with the reason and the Status. */
export const declined = (kind: Declined['kind'], status: Status): Declined => ({ kind, status });

/** Returns the outcome `refused`, for a request that is invalid or for which there is no room. */
export const refused = (status: Status): Declined => declined('refused', status);
