import type { EvaluationOutcome } from './evaluate.ts';
import type { EvaluateCommand } from './commands.ts';
import { EXIT } from './usage.ts';

/** What of an evaluation ends with exit status 1. */
export const FAILURES = ['rejected', 'not-evaluated', 'warning'] as const;

/** One of {@link FAILURES}. */
export type Failure = (typeof FAILURES)[number];

/**
 * The exit status of an evaluation. Where not one document was judged there is no good news to tell; with `mustReject` it is good news that every object is rejected.
 */
export function evaluationStatus(
  { failOn, mustReject }: EvaluateCommand,
  { definitions, policyReports = [], summary }: EvaluationOutcome,
): number {
  const refused = definitions.some(({ accepted }) => !accepted);
  if (mustReject) return summary.items > 0 && summary.rejected === summary.items && !refused ? EXIT.ok : EXIT.rejected;
  // Policies are judged by as stored: that a server would refuse to store one is no verdict on an object.
  const ofPolicies = policyReports.some(({ accepted, warnings }) => !accepted || warnings.length > 0);
  const warned = ofPolicies || summary.warnings > 0 || definitions.some(({ warnings }) => warnings.length > 0);
  const found: Readonly<Record<Failure, boolean>> = {
    rejected: refused || summary.rejected > 0,
    'not-evaluated': summary.items + definitions.length === 0 || summary.notEvaluated + summary.cancelled > 0,
    warning: warned,
  };
  return failOn.some((failure) => found[failure]) ? EXIT.rejected : EXIT.ok;
}
