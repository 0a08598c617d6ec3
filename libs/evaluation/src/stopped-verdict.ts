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
