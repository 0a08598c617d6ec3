import type { Minor } from '#kube';
import type { ObjectVerdict } from '../verdict.ts';
import { wordedErrors } from '../wording/error-wording.ts';
import type { VerdictCause } from './named-causes.ts';
import { reportedDifference } from './reported-causes.ts';
import type { MinorVerdict } from './reported-causes.ts';

/** Verdict of a server of one minor version on a write of an object. */
export interface JudgedWrite {
  readonly minor: Minor;
  readonly verdict: Exclude<ObjectVerdict, { cancelled: true }>;
}

/**
 * Returns the entries of ledgers that explain why two servers have different verdicts on a write of an object, or report different errors
 * about it. The result is empty if they report the same, or if no cause is known, such as for the values of rules.
 */
export function objectCauses(before: JudgedWrite, after: JudgedWrite): readonly VerdictCause[] {
  const { changes } = reportedDifference(minorVerdictOf(before), minorVerdictOf(after), wordedErrors);
  return changes.map(({ name, sentence, upstream }) => ({ name, sentence, upstream }));
}

function minorVerdictOf({ minor, verdict }: JudgedWrite): MinorVerdict {
  const refusal = verdict.accepted ? { status: undefined, errors: [] } : { status: verdict.status, errors: verdict.errors };
  return { minor, verdict: { accepted: verdict.accepted, warnings: verdict.warnings, ...refusal } };
}
