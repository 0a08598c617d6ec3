import { timeoutStatus } from '#kube';
import type { Status } from '#kube';
import type { Outcome } from './verdict.ts';

/** The verdict line of an item that was not judged, as JSON text. */
export function unjudgedVerdict(
  index: number,
  outcome: Extract<Outcome, 'notEvaluated' | 'cancelled' | 'rejected'>,
  status: Status,
): string {
  return JSON.stringify({ index, outcome, status, warnings: [] });
}

/** What an item is told that nobody judged before its evaluation was stopped. */
export function stoppedStatus(): Status {
  return timeoutStatus('the evaluation was stopped before this object was judged', 0, 408);
}
