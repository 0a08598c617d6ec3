import { writeJson } from '#go';
import { fieldErrorText } from '#kube';
import type { ObjectVerdict } from '../verdict.ts';

/** Returns a text with everything in a verdict except the times of its steps. The keys of the stored object keep their order. */
export function verdictText(verdict: ObjectVerdict): string {
  if ('cancelled' in verdict) return 'cancelled';
  const { accepted, warnings, cost, sent, takenOff } = verdict;
  const outcome = accepted
    ? writeJson(verdict.object, { escapeHtml: false, keys: 'own' })
    : [verdict.status, verdict.errors.map(fieldErrorText)];
  return JSON.stringify([accepted, outcome, warnings, cost, sent, takenOff]);
}
