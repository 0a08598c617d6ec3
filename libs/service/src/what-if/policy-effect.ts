import type { Verdict } from '#evaluation';

/** The effects that a change of admission policies can have on a write. */
export const POLICY_EFFECTS = ['denied', 'warned', 'storedDifferently', 'allowed', 'deniedBefore', 'unaffected', 'notJudged'] as const;

/**
 * The effect of a change of admission policies on one write.
 *
 * - `denied`: it was admitted, and now it is denied.
 * - `warned`: it is admitted with warnings that it did not have.
 * - `storedDifferently`: it is admitted, and mutations make something else of it.
 * - `allowed`: it was denied, and now it is admitted.
 * - `deniedBefore`: it is denied, as before.
 * - `notJudged`: a verdict is missing.
 */
export type PolicyEffect = (typeof POLICY_EFFECTS)[number];

/** The effect of a change on one write, and what is said of it now. */
export interface PolicyImpact {
  /** Position of the object among the judged objects, from 0. */
  readonly index: number;
  readonly name?: string;
  readonly effect: PolicyEffect;
  /** The refusal, or the new warnings. */
  readonly messages: readonly string[];
  /** CEL cost units of rules and policies in the write, before and after; absent where neither was asked, -1 if a limit stopped the rules. */
  readonly cost: { readonly before?: number; readonly after?: number };
}

/** Effects of a change of admission policies, summed up. */
export interface PolicyImpactSum {
  readonly effects: Record<PolicyEffect, number>;
  objects: number;
  /** CEL cost units of all writes, under the old and the new policies. */
  costBefore: number;
  costAfter: number;
}

/** Compares the verdicts on one write under the old policies and under the new ones; both with the stored object. */
export function policyImpact(before: Verdict | undefined, after: Verdict): PolicyImpact {
  const [costBefore, costAfter] = [before && writeCost(before), writeCost(after)];
  return {
    index: after.index,
    ...(after.name !== undefined && { name: after.name }),
    ...effectOf(before, after),
    cost: { ...(costBefore !== undefined && { before: costBefore }), ...(costAfter !== undefined && { after: costAfter }) },
  };
}

function effectOf(before: Verdict | undefined, after: Verdict): Pick<PolicyImpact, 'effect' | 'messages'> {
  const refusal = after.status === undefined ? [] : [after.status.message];
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

/** Returns the cost of rules and policies in a write; undefined if neither was asked, -1 if a limit stopped the rules. */
export function writeCost({ cost, admission }: Verdict): number | undefined {
  const rules = cost?.cel;
  return rules === undefined || rules < 0 ? (rules ?? admission?.cost) : rules + (admission?.cost ?? 0);
}

/** Nothing yet. */
export function emptyPolicyImpact(): PolicyImpactSum {
  const effects = Object.fromEntries(POLICY_EFFECTS.map((effect) => [effect, 0])) as Record<PolicyEffect, number>;
  return { effects, objects: 0, costBefore: 0, costAfter: 0 };
}

/** Adds the effect on one write. A write that a limit stopped adds no cost. */
export function countPolicyImpact(sum: PolicyImpactSum, { effect, cost }: PolicyImpact): void {
  sum.objects++;
  sum.effects[effect]++;
  sum.costBefore += Math.max(0, cost.before ?? 0);
  sum.costAfter += Math.max(0, cost.after ?? 0);
}
