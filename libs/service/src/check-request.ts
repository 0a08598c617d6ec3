import { badRequestStatus, OBJECT_BUDGET, PER_CALL_LIMIT, tooLargeStatus } from '#kube';
import { MAX_POLICY_BYTES, tooLargeProblem, tooManyStatus } from '#evaluation';
import type { DocumentSlice, Envelope, EvaluationOptions } from '#evaluation';
import type { CallerLimits } from './caller.ts';
import { answered, refused } from './outcome.ts';
import type { Declined, Outcome } from './outcome.ts';
import type { ServiceLimits } from './ports.ts';

/** Limits of kube-apiserver; callers may lower them, and raise them only if the operator permits experiments. */
const SERVER_LIMITS = { perCall: PER_CALL_LIMIT, perObject: OBJECT_BUDGET } as const;

/**
 * Returns the options with the budget of the whole evaluation. Returns a refusal with status 400 if the caller may not use the requested
 * cost limits.
 */
export function permittedOptions(options: EvaluationOptions, limits: CallerLimits): Outcome<EvaluationOptions> {
  return checkCostLimits(options, limits) ?? withBudget(options, limits);
}

function checkCostLimits({ costLimits }: EvaluationOptions, { allowUnlimited }: CallerLimits): Declined | undefined {
  if (allowUnlimited) return undefined;
  for (const key of ['perCall', 'perObject'] as const) {
    const wanted = costLimits[key];
    if (wanted === undefined || (wanted !== 'unlimited' && wanted <= SERVER_LIMITS[key])) continue;
    const why = `the operator permits at most ${SERVER_LIMITS[key]} (ASSAY_ALLOW_UNLIMITED lifts that)`;
    return refused(badRequestStatus(`options.costLimits.${key}: ${wanted}: ${why}`));
  }
  return undefined;
}

/** Sets the budget: the caller's own, or a lower one in the options. */
function withBudget(options: EvaluationOptions, { maxEvaluationCost }: CallerLimits): Outcome<EvaluationOptions> {
  const { perEvaluation } = options.costLimits;
  if (maxEvaluationCost === Infinity) return answered(options);
  if (perEvaluation === undefined) return answered({ ...options, costLimits: { ...options.costLimits, perEvaluation: maxEvaluationCost } });
  if (perEvaluation !== 'unlimited' && perEvaluation <= maxEvaluationCost) return answered(options);
  const why = `the operator permits at most ${maxEvaluationCost} (ASSAY_MAX_EVALUATION_COST, or maxEvaluationCost of a key)`;
  return refused(badRequestStatus(`options.costLimits.perEvaluation: ${perEvaluation}: ${why}`));
}

/**
 * Returns a refusal with status 413 if a request has more objects than its caller may send. A body that is read completely is counted
 * earlier, while it is cut into documents.
 */
export function checkItemCount(items: number, most: number): Declined | undefined {
  return items > most ? refused(tooManyStatus('objects', most)) : undefined;
}

/** Returns the 413 of a definition that is larger than a server takes; `where` names it. */
export function checkDefinitionSize(where: string, { bytes }: DocumentSlice): Declined | undefined {
  const tooLarge = tooLargeProblem(where, bytes.length);
  return tooLarge && refused(tooLarge);
}

/** Returns the 413 of too many definitions, or of a large one among them. */
export function checkDefinitions(
  definitions: readonly DocumentSlice[],
  { maxDefinitions }: Pick<ServiceLimits, 'maxDefinitions'>,
): Declined | undefined {
  if (definitions.length > maxDefinitions) return refused(tooManyStatus('definitions', maxDefinitions));
  for (const [i, definition] of definitions.entries()) {
    const tooLarge = checkDefinitionSize(`definitions[${i}]`, definition);
    if (tooLarge) return tooLarge;
  }
  return undefined;
}

/** Returns the 413 of policies that are too large together with the definitions and cluster objects that they look at. */
export function checkPolicyBytes({
  policies,
  cluster,
  definitions,
}: Pick<Envelope, 'policies' | 'cluster' | 'definitions'>): Declined | undefined {
  if (policies.length === 0) return undefined;
  const bytes = [policies, cluster, definitions].flat().reduce((sum, slice) => sum + slice.bytes.length, 0);
  if (bytes <= MAX_POLICY_BYTES) return undefined;
  return refused(tooLargeStatus(`limit is ${MAX_POLICY_BYTES} (policies and what they look at have ${bytes} bytes)`));
}
