import { badRequestStatus, OBJECT_BUDGET, PER_CALL_LIMIT, tooLargeStatus } from '#kube';
import { MAX_POLICY_BYTES, tooLargeProblem, tooManyStatus } from '#documents';
import type { DocumentSlice, Envelope, EvaluationOptions } from '#documents';
import type { CallerLimits, ServiceLimits } from './ports.ts';
import { answered, refused } from './outcome.ts';
import type { Declined, Outcome } from './outcome.ts';

/** Cost limits of kube-apiserver. Callers may use lower limits. They may use higher limits only if the operator permits it. */
const SERVER_LIMITS = { perCall: PER_CALL_LIMIT, perObject: OBJECT_BUDGET } as const;

/**
 * Checks the cost limits in the options of a request. If the options contain no cost budget for the whole evaluation, the returned options
 * contain the caller's maximum. Returns a refusal with status 400 if the caller may not use the requested cost limits.
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

/** Sets the cost budget of the evaluation to the caller's limit, unless the options specify a lower budget. Refuses a higher budget. */
function withBudget(options: EvaluationOptions, { maxEvaluationCost }: CallerLimits): Outcome<EvaluationOptions> {
  const { perEvaluation } = options.costLimits;
  if (maxEvaluationCost === Infinity) return answered(options);
  if (perEvaluation === undefined) return answered({ ...options, costLimits: { ...options.costLimits, perEvaluation: maxEvaluationCost } });
  if (perEvaluation !== 'unlimited' && perEvaluation <= maxEvaluationCost) return answered(options);
  const why = `the operator permits at most ${maxEvaluationCost} (ASSAY_MAX_EVALUATION_COST, or maxEvaluationCost of a key)`;
  return refused(badRequestStatus(`options.costLimits.perEvaluation: ${perEvaluation}: ${why}`));
}

/**
 * Returns a refusal with status 413 if a request has more than `most` objects, otherwise undefined. Bodies that are read completely do not
 * need this check, because their objects are counted while the body is cut into documents.
 */
export function checkItemCount(items: number, most: number): Declined | undefined {
  return items > most ? refused(tooManyStatus('objects', most)) : undefined;
}

/**
 * Returns a refusal with status 413 if a definition is larger than a server accepts. `where` is the name of the definition in the error
 * text.
 */
export function checkDefinitionSize(where: string, { bytes }: DocumentSlice): Declined | undefined {
  const tooLarge = tooLargeProblem(where, bytes.length);
  return tooLarge && refused(tooLarge);
}

/** Returns a refusal with status 413 if there are too many definitions, or if one definition is too large. Returns undefined otherwise. */
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

/**
 * Returns a refusal with status 413 if policies, definitions and cluster objects are too large together. Definitions and cluster objects
 * count because policies may read them.
 */
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
