import type { Minor } from '#kube';
import type { ObjectVerdict } from '../verdict.ts';
import { wordedErrors } from '../wording/error-wording.ts';
import type { VerdictCause } from './named-causes.ts';
import { toldDifference } from './told-causes.ts';
import type { MinorVerdict } from './told-causes.ts';

/** Verdict of a server of one minor version on a write of an object. */
export interface JudgedWrite {
  readonly minor: Minor;
  readonly verdict: Exclude<ObjectVerdict, { cancelled: true }>;
}

/**
 * Returns the entries of ledgers that explain why two servers have different verdicts on a write of an object, or tell different errors
 * about it. The result is empty if they tell the same, or if no cause is known, such as for the values of rules.
 */
export function objectCauses(before: JudgedWrite, after: JudgedWrite): readonly VerdictCause[] {
  const { changes } = toldDifference(toldOf(before), toldOf(after), wordedErrors);
  return changes.map(({ name, sentence, upstream }) => ({ name, sentence, upstream }));
}

function toldOf({ minor, verdict }: JudgedWrite): MinorVerdict {
  const refusal = verdict.accepted ? { status: undefined, errors: [] } : { status: verdict.status, errors: verdict.errors };
  return { minor, verdict: { accepted: verdict.accepted, warnings: verdict.warnings, ...refusal } };
}
