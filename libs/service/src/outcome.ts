import type { Status } from '#kube';

/**
 * Reason why the service cannot answer a request, with the Status for the client.
 *
 * - `refused`: the request is malformed, exceeds a limit or is not permitted, or a queue or storage is full (429).
 * - `late`: the deadline of the request passed before the answer was ready.
 * - `lost`: the storage lost a part of the evaluation.
 * - `gone`: the evaluation was deleted, or it expired.
 * - `tooLarge`: the results exceed the limit for stored results.
 * - `broken`: the request crashed or blocked the engine.
 */
export interface Declined {
  readonly kind: 'refused' | 'late' | 'lost' | 'gone' | 'tooLarge' | 'broken';
  readonly status: Status;
}

/** Successful outcome of a use case, with its answer. */
export interface Answered<Answer> {
  readonly kind: 'answered';
  readonly answer: Answer;
}

/** Outcome of a use case: an answer or the reason why there is none. Only bugs and an unavailable storage cause exceptions. */
export type Outcome<Answer> = Answered<Answer> | Declined;

/** Returns `answer` as the successful outcome of a use case. */
export const answered = <Answer>(answer: Answer): Answered<Answer> => ({ kind: 'answered', answer });

/** Returns the outcome of a use case that has no answer, with the reason and the Status. */
export const declined = (kind: Declined['kind'], status: Status): Declined => ({ kind, status });

/** Returns the outcome `refused` with a Status, for a request that is invalid or exceeds a limit. */
export const refused = (status: Status): Declined => declined('refused', status);
