import type { DocumentSlice, EvaluationOptions, PolicySide } from '#documents';
import { judgeRun, prepareBatch } from '../judge/prepared-batch.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import { cutRuns } from '../evaluate/cut-runs.ts';
import { runsInOrder } from '../run/runs-in-order.ts';
import { policyImpact } from './policy-effect.ts';
import type { PolicyImpact } from './policy-effect.ts';

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
  // The objects are needed to see whether a mutation changes them differently.
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
