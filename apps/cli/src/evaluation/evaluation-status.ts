import { typeFindings } from '#source';
import type { EvaluationOutcome } from './evaluate.ts';
import { FAILURES, foundByThreshold } from '../options/fail-on.ts';
import type { Failure } from '../options/fail-on.ts';
import { EXIT } from '../usage.ts';

/**
 * Returns the exit status of an evaluation. The status is 1 if the evaluation has a finding listed in `failOn`, or a worse finding. An
 * evaluation without objects, definitions and policies counts as `not-evaluated`. If `mustReject` is set, the evaluation succeeds only if
 * every object (at least one) is rejected, and no definition or policy is refused.
 */
export function evaluationStatus(
  { failOn, mustReject }: { readonly failOn: readonly Failure[]; readonly mustReject: boolean },
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
