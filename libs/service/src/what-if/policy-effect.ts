import type { DocumentSlice, EvaluationOptions, PolicySide, Verdict } from '#documents';
import { cutRuns, runsInOrder } from '../evaluate/cut-runs.ts';
import { judgeRun, prepareBatch } from '../judge/prepared-batch.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/** Effects that a change of admission policies can have on a write. */
export const POLICY_EFFECTS = ['denied', 'warned', 'storedDifferently', 'allowed', 'deniedBefore', 'unaffected', 'notJudged'] as const;

/**
 * Effect of a change of admission policies on one write.
 *
 * - `denied`: the write was admitted before the change and is denied after it.
 * - `warned`: the write is admitted after the change, with warnings that it did not have before.
 * - `storedDifferently`: the write is admitted, and after the change mutations store a different object.
 * - `allowed`: the write was denied before the change and is admitted after it.
 * - `deniedBefore`: the write is denied before and after the change.
 * - `unaffected`: the change has no effect on the write.
 * - `notJudged`: a verdict is missing.
 */
export type PolicyEffect = (typeof POLICY_EFFECTS)[number];

/**
 * Effect of a policy change on the create or update of one object. It has the messages under the new policies, and the cost before and
 * after the change.
 */
export interface PolicyImpact {
  /** Position of the object among the evaluated objects, from 0. */
  readonly index: number;
  readonly name?: string;
  readonly effect: PolicyEffect;
  /** Message of the denial, or new warnings, under the new policies. */
  readonly messages: readonly string[];
  /**
   * CEL cost units of rules and policies in the write, before and after the change. A cost is absent if no rules or policies were
   * evaluated, and -1 if a cost limit stopped the rules.
   */
  readonly cost: { readonly before?: number; readonly after?: number };
}

/**
 * Totals of the effects of changed admission policies on many create or update requests: the number of requests with each effect, and the
 * total costs.
 */
export interface PolicyImpactSum {
  readonly effects: Record<PolicyEffect, number>;
  objects: number;
  /** Total CEL cost units of all writes under the old policies. `costAfter` is the total under the new policies. */
  costBefore: number;
  costAfter: number;
}

/**
 * Compares two verdicts on one create or update request: the verdict under the old policies (`before`) and under the new policies
 * (`after`). Returns the effect of the change and both costs. Each verdict must contain the object that would be stored.
 */
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

/**
 * Returns the cost of rules and policies in a write, in cost units. Returns undefined if no rules or policies were evaluated, and -1 if a
 * cost limit stopped the rules.
 */
export function writeCost({ cost, admission }: Verdict): number | undefined {
  const rules = cost?.cel;
  return rules === undefined || rules < 0 ? (rules ?? admission?.cost) : rules + (admission?.cost ?? 0);
}

/**
 * Returns a sum of effects and costs with all counts at zero. The caller adds the effect on each write request with {@link
 * countPolicyImpact}.
 */
export function emptyPolicyImpact(): PolicyImpactSum {
  const effects = Object.fromEntries(POLICY_EFFECTS.map((effect) => [effect, 0])) as Record<PolicyEffect, number>;
  return { effects, objects: 0, costBefore: 0, costAfter: 0 };
}

/**
 * Adds one write request to the sums of a policy change. Counts the effect of the change on the request, and adds the costs before and
 * after the change. If a cost limit stopped the request, no cost is added.
 */
export function countPolicyImpact(sum: PolicyImpactSum, { effect, cost }: PolicyImpact): void {
  sum.objects++;
  sum.effects[effect]++;
  sum.costBefore += Math.max(0, cost.before ?? 0);
  sum.costAfter += Math.max(0, cost.after ?? 0);
}

/** Old and new admission policies, and the options for evaluating writes of objects under both. */
export interface PolicyChange {
  readonly from: PolicySide;
  readonly to: PolicySide;
  readonly options: EvaluationOptions;
}

/** Old and new admission policies with their definitions, prepared for evaluating objects. */
export interface PreparedChange {
  readonly from: PreparedBatch;
  readonly to: PreparedBatch;
}

/**
 * Prepares the evaluation of objects under the old and under the new admission policies of a change. Validates the definitions that belong
 * to the old policies and to the new policies. Returns one prepared batch for each of the two.
 */
export async function preparePolicyChange(
  engine: Engine,
  { from, to, options }: PolicyChange,
  signal?: AbortSignal,
): Promise<PreparedChange> {
  // The comparison needs the objects, to see whether a mutation changes them differently.
  const wanted = { ...options, returnObjects: true, explain: false };
  const prepare = (side: PolicySide): Promise<PreparedBatch> => prepareBatch(engine, { ...side, options: wanted }, { signal });
  return { from: await prepare(from), to: await prepare(to) };
}

/**
 * Yields the effect of a policy change on the write request of every object, in order and in bounded memory. Each group of consecutive
 * objects is evaluated under the old and under the new policies. If `signal` stops the evaluation of an object, the effect on this object
 * is `notJudged`.
 */
export function policyEffects(
  engine: Engine,
  { from, to }: PreparedChange,
  objects: AsyncIterable<readonly DocumentSlice[]>,
  signal?: AbortSignal,
): AsyncGenerator<readonly PolicyImpact[]> {
  return runsInOrder(cutRuns(objects), engine.threads, async (run) => {
    const [before, after] = await Promise.all([from, to].map((side) => judgeRun(engine, side, run, signal)));
    return (after ?? []).map((verdict, i) => policyImpact(before?.[i], verdict));
  });
}
