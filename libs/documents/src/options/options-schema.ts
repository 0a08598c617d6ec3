import { z } from 'zod';
import { badRequestStatus, featureGates, LATEST_MINOR, MINORS, withPreviewNotice } from '#kube';
import type { Status } from '#kube';
import { DURATION_PATTERN } from './options.ts';

// The schemas take long to create, so this module is loaded only where options are checked (`scripts/bundle.mjs`).

const costLimit = z
  .union([z.int().min(0), z.literal('unlimited')])
  .describe('Cost units, or "unlimited" if the operator permits experiments');

/** Cost limits of one evaluation. Default: the API server's limits (1,000,000 per call, 10,000,000 per object). */
const costLimits = z
  .strictObject({
    perCall: costLimit
      .optional()
      .describe('Cost limit of one evaluation of a rule or messageExpression, in cost units. The limit of a server is 1,000,000'),
    perObject: costLimit
      .optional()
      .describe('Cost limit of all rules of one object together, in cost units. The limit of a server is 10,000,000'),
    perEvaluation: costLimit
      .optional()
      .describe(
        'Cost limit of all rules of all objects of the evaluation together, in cost units. A server has no such limit. After the limit is reached, Assay evaluates no more objects',
      ),
  })
  .meta({ id: 'CostLimits' });

/** Treatment of unknown and duplicate fields, as in the server's `fieldValidation` parameter. */
export const fieldValidation = z.enum(['Strict', 'Warn', 'Ignore']);
export type FieldValidation = z.infer<typeof fieldValidation>;

/** User who sends the request. */
export const userInfo = z
  .strictObject({
    username: z.string().default(''),
    uid: z.string().default(''),
    groups: z.array(z.string()).default([]),
    extra: z.record(z.string(), z.array(z.string())).default({}),
  })
  .meta({ id: 'UserInfo' });

/** One line of the table that determines the results of authorizer checks in CEL expressions. */
const authorizationRule = z
  .strictObject({
    user: z.string().optional(),
    group: z.string().optional(),
    verb: z.string().optional(),
    apiGroup: z.string().optional(),
    resource: z.string().optional(),
    subresource: z.string().optional(),
    namespace: z.string().optional(),
    name: z.string().optional(),
    path: z.string().optional().describe('Matches only checks of paths'),
    fieldSelector: z.string().optional(),
    labelSelector: z.string().optional(),
    decision: z.enum(['allow', 'deny', 'noOpinion']),
    reason: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'AuthorizationRule' });

/** Schema of the options that only admission policies use: the requesting user, and the answers to authorizer checks. */
export const admissionOptions = z
  .strictObject({
    userInfo: userInfo.optional().describe('The user who sends the writes of all items without `userInfo`. Default: an administrator'),
    authorizer: z
      .array(authorizationRule)
      .default([])
      .describe(
        'Answers to authorizer checks of policies. The first line that matches a check decides. A field that a line does not have matches every value. If no line matches, the authorizer has no opinion',
      ),
  })
  .meta({ id: 'AdmissionOptions' });

/** Options that a client sets for a whole evaluation. */
export const evaluationOptions = z
  .strictObject({
    kubernetesVersion: z
      .enum(MINORS)
      .default(LATEST_MINOR)
      .describe(withPreviewNotice('Minor version of the Kubernetes server whose verdicts you want')),
    featureGates: z
      .record(z.string(), z.boolean())
      .default({})
      .describe(
        'Feature gates of the server that differ from the defaults of its version, such as {"CRDValidationRatcheting": false} before 1.33',
      ),
    fieldValidation: fieldValidation.default('Warn'),
    costLimits: costLimits.default({}),
    asSent: z
      .boolean()
      .default(false)
      .describe(
        'Judge creates and definitions with the resourceVersion that they have. Without this option, Assay removes the resourceVersion, which objects from a cluster have. Default: false',
      ),
    oldestVersion: z
      .enum(MINORS)
      .optional()
      .describe(
        'The oldest Kubernetes version that must accept the definitions. Assay then gives advice on parts of the definitions that this version does not know',
      ),
    deadline: z
      .string()
      .regex(DURATION_PATTERN)
      .optional()
      .describe(
        'Time limit of the whole evaluation, such as "30s". Objects that Assay does not judge in this time are reported as cancelled',
      ),
    admission: admissionOptions.default({ authorizer: [] }),
    explain: z
      .boolean()
      .default(false)
      .describe('If true, the answer lists the cost of each rule, and the trace of the request contains a span for each rule'),
    returnObjects: z.boolean().default(false).describe('Return accepted objects as the server would store them'),
    locations: z
      .boolean()
      .optional()
      .describe(
        'Return line and column in the body for each document and each error. Only for JSON and YAML bodies, and not in the background',
      ),
    timings: z.boolean().default(false).describe('Return the milliseconds of each phase of each object'),
  })
  .superRefine(({ kubernetesVersion, featureGates: chosen }, context) => {
    const result = featureGates(kubernetesVersion, chosen);
    if (!result.ok) context.addIssue({ code: 'custom', path: ['featureGates'], message: result.error });
  })
  .meta({ id: 'EvaluationOptions' });
export type EvaluationOptions = z.infer<typeof evaluationOptions>;

/**
 * Validates evaluation options that are already parsed, such as query parameters or command-line options. Returns the options, or a Status
 * 400 that lists all problems.
 */
export function checkOptions(raw: unknown): CutResult<EvaluationOptions> {
  const result = evaluationOptions.safeParse(raw);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues.map((issue) => `options${issue.path.map((step) => `.${String(step)}`).join('')}: ${issue.message}`);
  return { ok: false, status: badRequestStatus(problems.join('; ')) };
}

/** Result of cutting the bytes of a request into documents: the parts of the request, or the Status with which the whole request fails. */
export type CutResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly status: Status };
