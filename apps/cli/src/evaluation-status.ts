import { typeFindings } from '#editing';
import type { EvaluationOutcome } from './evaluate.ts';
import type { EvaluateCommand } from './commands.ts';
import { foundByThreshold } from './fail-on.ts';
import { EXIT } from './usage.ts';

/** Findings of an evaluation that can cause exit status 1, the worst first. */
export const FAILURES = ['rejected', 'not-evaluated', 'warning'] as const;

/** Kind of finding for which the user can request exit status 1 of an evaluation, one of {@link FAILURES}. */
export type Failure = (typeof FAILURES)[number];

/**
 * Returns the exit status of an evaluation. The status is 1 if the evaluation has a finding listed in `failOn`, or a worse finding. An
 * evaluation without objects, definitions and policies counts as `not-evaluated`. If `mustReject` is set, the evaluation succeeds only if
 * every object (at least one) is rejected, and no definition or policy is refused.
 */
export function evaluationStatus(
  { failOn, mustReject }: EvaluateCommand,
  { definitions, policyReports = [], summary }: EvaluationOutcome,
): number {
  const written = [...definitions, ...policyReports];
  const refused = written.some(({ accepted }) => !accepted);
  if (mustReject) return summary.items > 0 && summary.rejected === summary.items && !refused ? EXIT.ok : EXIT.rejected;
  // Notes of type checking about policies count if they say that a field is misspelt.
  const misspelt = policyReports.some(({ typeChecking = [] }) =>
    typeChecking.flatMap((one) => typeFindings(one)).some(({ severity }) => severity === 'warning'),
  );
  const found: Readonly<Record<Failure, boolean>> = {
    rejected: refused || summary.rejected > 0,
    'not-evaluated': summary.items + written.length === 0 || summary.notEvaluated + summary.cancelled > 0,
    warning: misspelt || summary.warnings > 0 || written.some(({ warnings }) => warnings.length > 0),
  };
  return foundByThreshold(FAILURES, failOn, (failure) => found[failure]) ? EXIT.rejected : EXIT.ok;
}
