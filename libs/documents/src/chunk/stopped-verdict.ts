import { forbiddenStatus, serviceUnavailableStatus, timeoutStatus, tooLargeStatus } from '#kube';
import type { Status } from '#kube';
import type { ItemOutcome } from '../answer-types.ts';

/**
 * Returns the verdict on an item that was not validated, as one line of JSON. `index` is the index of the item in the evaluation, and
 * `status` contains the reason.
 */
export function unjudgedVerdict(
  index: number,
  outcome: Extract<ItemOutcome, 'notEvaluated' | 'cancelled' | 'rejected'>,
  status: Status,
): string {
  return JSON.stringify({ index, outcome, status, warnings: [] });
}

/** Returns the Status for an item that was not validated because its evaluation was stopped. */
export function stoppedStatus(): Status {
  return timeoutStatus('the evaluation was stopped before this object was judged', 0, 408);
}

/** Returns the Status for an item that was not validated because the evaluation's cost budget was already spent. */
export function budgetSpentStatus(budget: number): Status {
  return forbiddenStatus(`the cost budget of the evaluation (${budget} units) was spent before this object was judged`);
}

/** Returns the Status for an object of an evaluation request that has no verdict, because the queue lost the object or its result. */
export function lostStatus(): Status {
  return serviceUnavailableStatus('the evaluation was lost: the queue does not have this object any more; please send it again');
}

/**
 * Returns the Status of an evaluation that was stopped because the client's stored results reached their size limit. The further verdicts
 * of this evaluation would exceed the limit.
 */
export function resultsTooLargeStatus(): Status {
  return tooLargeStatus(
    'the evaluation was ended: with its further verdicts the results kept for this client would exceed their limit; ' +
      'fetch and DELETE evaluations that are over, send smaller batches, or wait for the answer',
  );
}
