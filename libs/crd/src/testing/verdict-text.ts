import { writeJson } from '#go';
import { fieldErrorText } from '#kube';
import type { ObjectVerdict } from '../verdict.ts';

/** Returns all that a verdict tells but the times of its steps, with the keys of the stored object in their order. */
export function verdictText(verdict: ObjectVerdict): string {
  if ('cancelled' in verdict) return 'cancelled';
  const { accepted, warnings, cost, sent, takenOff } = verdict;
  const outcome = accepted
    ? writeJson(verdict.object, { escapeHtml: false, keys: 'own' })
    : [verdict.status, verdict.errors.map(fieldErrorText)];
  return JSON.stringify([accepted, outcome, warnings, cost, sent, takenOff]);
}
