import { z } from 'zod';
import { badRequestStatus, minorRange, readFeatureGates } from '#kube';
import { checkOptions, defaultOptions, problemsOf } from '#documents';
import type { EvaluationOptions } from '#documents';
import { StatusFailure } from '../status.filter.ts';

/** Evaluation options for a request that sets none. */
export const DEFAULT_OPTIONS: EvaluationOptions = defaultOptions();

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const limit = z.union([
  z.literal('unlimited'),
  z
    .string()
    .regex(/^\d+(?:\.\d+)?$/, 'must be a decimal number or unlimited')
    .transform(Number),
]);

/** Description of the query parameter `kubernetesVersion`. */
export const KUBERNETES_VERSION = `Minor version of the Kubernetes server whose verdicts you want, ${minorRange('to')}`;

/**
 * Schema of evaluation options as query parameters. For YAML bodies they are the only way to set options. For other bodies they override
 * the `options` in the JSON body, or in the first line of an NDJSON body.
 */
export const optionsQuery = z
  .strictObject({
    wait: z.enum(['0', '1']).describe('0: the answer is a 202, and the evaluation runs in the background'),
    kubernetesVersion: z.string().describe(KUBERNETES_VERSION),
    featureGates: z
      .string()
      .describe('Feature gates of the server, written as in the flag of kube-apiserver: CRDValidationRatcheting=false,…'),
    fieldValidation: z
      .string()
      .describe('Treatment of unknown and duplicate fields: `Strict` rejects them, `Warn` warns, `Ignore` accepts them silently'),
    deadline: z.string().describe('Time limit of the whole evaluation, such as 30s'),
    explain: flag.describe('true: each verdict contains the cost of each rule'),
    returnObjects: flag.describe('true: each verdict contains the object as the server would store it'),
    asSent: flag.describe(
      'true: Assay judges creates and definitions with the resourceVersion that you sent. Otherwise Assay removes it first',
    ),
    locations: flag.describe('true: each error contains its line and column in the body'),
    timings: flag.describe('true: the answer contains the time of each phase of the work'),
    costPerCall: limit.describe('Cost limit of one evaluation of a rule, in cost units, or `unlimited`'),
    costPerObject: limit.describe('Cost limit of all rules of one object, in cost units, or `unlimited`'),
    costPerEvaluation: limit.describe('Cost limit of the whole evaluation, in cost units, or `unlimited`'),
  })
  .partial()
  .meta({ id: 'EvaluateQuery' });

/** Reads the query parameters. Throws the 400 failure that names an unknown or malformed parameter. */
export function readQuery(query: unknown): z.infer<typeof optionsQuery> {
  if (isEmpty(query)) return NO_OVERRIDES;
  const result = optionsQuery.safeParse(query);
  if (result.success) return result.data;
  throw new StatusFailure(badRequestStatus(problemsOf(result.error, 'query').join('; ')));
}

/** Result for a query without parameters, which is the usual case. */
const NO_OVERRIDES: z.infer<typeof optionsQuery> = {};

const isEmpty = (query: unknown): boolean => typeof query === 'object' && query !== null && Object.keys(query).length === 0;

/**
 * Returns the options of the envelope (JSON body, or first line of an NDJSON body) and of the query together. If both set an option, the
 * value of the query applies.
 */
export function overridden(options: EvaluationOptions, query: z.infer<typeof optionsQuery>): EvaluationOptions {
  if (query === NO_OVERRIDES) return options;
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
