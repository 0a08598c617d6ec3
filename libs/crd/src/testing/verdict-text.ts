import { writeJson } from '#go';
import { fieldErrorText } from '#kube';
import type { ObjectVerdict } from '../verdict.ts';

/**
 * Returns a verdict as text, so that verdicts can be compared. The text omits the times of the steps. The keys of the stored object keep
 * their order.
 */
export function verdictText(verdict: ObjectVerdict): string {
  if ('cancelled' in verdict) return 'cancelled';
  const { accepted, warnings, cost, sent, takenOff } = verdict;
  const outcome = accepted
    ? writeJson(verdict.object, { escapeHtml: false, keys: 'own' })
    : [verdict.status, verdict.errors.map(fieldErrorText)];
  return JSON.stringify([accepted, outcome, warnings, cost, sent, takenOff]);
}
