import type { Verdict } from '#evaluation';

/** What a change of admission policies does to a write. */
export const POLICY_EFFECTS = ['denied', 'warned', 'storedDifferently', 'allowed', 'deniedBefore', 'unaffected', 'notJudged'] as const;

/**
 * What a change of admission policies does to one write.
 *
 * - `denied`: it was admitted and is not any more.
 * - `warned`: it is admitted with warnings that it did not have.
 * - `storedDifferently`: it is admitted, and mutations make something else of it.
 * - `allowed`: it was denied and is no longer.
 * - `deniedBefore`: it is denied, as before.
 * - `notJudged`: one of the two verdicts is missing.
 */
export type PolicyEffect = (typeof POLICY_EFFECTS)[number];

/** The effect of a change on one write, and what is said of it now. */
export interface PolicyImpact {
  readonly effect: PolicyEffect;
  /** The refusal, or what is newly warned of. */
  readonly messages: readonly string[];
}

/** Compares the verdicts on one write under the old policies and under the new ones; both with the stored object. */
export function policyImpact(before: Verdict | undefined, after: Verdict | undefined): PolicyImpact {
  const refusal = after?.status === undefined ? [] : [after.status.message];
  if (!isJudged(before) || !isJudged(after)) return { effect: 'notJudged', messages: refusal };
  if (after.outcome === 'rejected') return { effect: before.outcome === 'rejected' ? 'deniedBefore' : 'denied', messages: refusal };
  if (before.outcome === 'rejected') return { effect: 'allowed', messages: [] };
  const warnings = after.warnings.filter((text) => !before.warnings.includes(text));
  if (warnings.length > 0) return { effect: 'warned', messages: warnings };
  const changed = JSON.stringify(before.object) !== JSON.stringify(after.object);
  return { effect: changed ? 'storedDifferently' : 'unaffected', messages: [] };
}

function isJudged(verdict: Verdict | undefined): verdict is Verdict {
  return verdict?.outcome === 'accepted' || verdict?.outcome === 'rejected';
}
