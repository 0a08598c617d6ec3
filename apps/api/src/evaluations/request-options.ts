import { z } from 'zod';
import { badRequestStatus, OBJECT_BUDGET, PER_CALL_LIMIT, readFeatureGates, tooLargeStatus } from '#kube';
import { checkOptions, durationMs, problemsOf, tooLargeProblem } from '#evaluation';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { ClientLimits } from '../access/client.ts';
import type { ApiConfig } from '../config.ts';
import { StatusFailure } from '../status.filter.ts';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const limit = z.union([z.literal('unlimited'), z.coerce.number()]);

/** Options as query parameters: the only way for YAML bodies, and for the others a way to override the envelope's. */
export const optionsQuery = z
  .strictObject({
    wait: z.enum(['0', '1']).describe('0: answer 202 at once and evaluate in the background'),
    kubernetesVersion: z.string(),
    featureGates: z.string().describe('As the flag of kube-apiserver: CRDValidationRatcheting=false,…'),
    fieldValidation: z.string(),
    deadline: z.string(),
    explain: flag,
    returnObjects: flag,
    timings: flag,
    costPerCall: limit,
    costPerObject: limit,
    costPerEvaluation: limit,
  })
  .partial()
  .meta({ id: 'EvaluateQuery' });

/** Reads the query; throws the 400 that names an unknown or malformed parameter. */
export function readQuery(query: unknown): z.infer<typeof optionsQuery> {
  const result = optionsQuery.safeParse(query);
  if (result.success) return result.data;
  throw new StatusFailure(badRequestStatus(problemsOf(result.error, 'query').join('; ')));
}

/** The envelope's options with the query's laid over them. */
export function overridden(options: EvaluationOptions, query: z.infer<typeof optionsQuery>): EvaluationOptions {
  const { wait: _, costPerCall, costPerObject, costPerEvaluation, featureGates, ...plain } = query;
  const gates = featureGates === undefined ? undefined : readFeatureGates(featureGates);
  if (gates?.ok === false) throw new StatusFailure(badRequestStatus(`featureGates: ${gates.error}`));
  const costLimits = {
    ...options.costLimits,
    ...(costPerCall !== undefined && { perCall: costPerCall }),
    ...(costPerObject !== undefined && { perObject: costPerObject }),
    ...(costPerEvaluation !== undefined && { perEvaluation: costPerEvaluation }),
  };
  const checked = checkOptions({ ...options, ...plain, ...(gates && { featureGates: gates.gates }), costLimits });
  if (!checked.ok) throw new StatusFailure(checked.status);
  return checked.value;
}

/** Limits of kube-apiserver; clients may lower them, and raise them only where the operator permits experiments. */
const SERVER_LIMITS = { perCall: PER_CALL_LIMIT, perObject: OBJECT_BUDGET } as const;

/** Throws the 400 of cost limits that the client is not permitted. */
export function refuseUnpermitted({ costLimits }: EvaluationOptions, { allowUnlimited }: ClientLimits): void {
  if (allowUnlimited) return;
  for (const key of ['perCall', 'perObject'] as const) {
    const wanted = costLimits[key];
    if (wanted === undefined || (wanted !== 'unlimited' && wanted <= SERVER_LIMITS[key])) continue;
    const why = `the operator permits at most ${SERVER_LIMITS[key]} (ASSAY_ALLOW_UNLIMITED lifts that)`;
    throw new StatusFailure(badRequestStatus(`options.costLimits.${key}: ${wanted}: ${why}`));
  }
}

/** The options with the budget of the whole evaluation: the client's own, or a lower one it asks for. Throws the 400 of a higher one. */
export function budgeted(options: EvaluationOptions, { maxEvaluationCost }: ClientLimits): EvaluationOptions {
  const { perEvaluation } = options.costLimits;
  if (maxEvaluationCost === Infinity) return options;
  if (perEvaluation === undefined) return { ...options, costLimits: { ...options.costLimits, perEvaluation: maxEvaluationCost } };
  if (perEvaluation !== 'unlimited' && perEvaluation <= maxEvaluationCost) return options;
  const why = `the operator permits at most ${maxEvaluationCost} (ASSAY_MAX_EVALUATION_COST, or maxEvaluationCost of a key)`;
  throw new StatusFailure(badRequestStatus(`options.costLimits.perEvaluation: ${perEvaluation}: ${why}`));
}

/** Throws the 413 of a request with more objects than its client may send. */
export function refuseTooMany(items: number, { maxItems }: Pick<ClientLimits, 'maxItems'>): void {
  if (items > maxItems) throw new StatusFailure(tooLargeStatus(`at most ${maxItems} objects a request`));
}

/** Throws the 413 of a definition that is larger than a server takes; `where` names it. */
export function refuseLargeDefinition(where: string, { bytes }: DocumentSlice): void {
  const tooLarge = tooLargeProblem(where, bytes.length);
  if (tooLarge) throw new StatusFailure(tooLarge);
}

/** Throws the 413 of too many definitions, or of a large one among them. */
export function refuseLargeDefinitions(definitions: readonly DocumentSlice[], { maxDefinitions }: Pick<ApiConfig, 'maxDefinitions'>): void {
  if (definitions.length > maxDefinitions) throw new StatusFailure(tooLargeStatus(`at most ${maxDefinitions} definitions a request`));
  for (const [i, definition] of definitions.entries()) refuseLargeDefinition(`definitions[${i}]`, definition);
}

/** Epoch ms by which the evaluation must be done. */
export function deadlineAt(options: EvaluationOptions, config: ApiConfig): number {
  const wanted = options.deadline === undefined ? config.deadlineMs : (durationMs(options.deadline) ?? config.deadlineMs);
  return Date.now() + Math.min(wanted, config.maxDeadlineMs);
}

/** A signal that is raised with the given one, or at a deadline (epoch ms). */
export function untilDeadline(signal: AbortSignal, deadline: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, deadline - Date.now()))]);
}
