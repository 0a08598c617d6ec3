import { z } from 'zod';

/** Schema of a metav1.Status, with the fields that Kubernetes clients expect. */
export const statusSchema = z
  .looseObject({
    kind: z.literal('Status'),
    apiVersion: z.literal('v1'),
    status: z.enum(['Success', 'Failure']),
    message: z.string(),
    reason: z.string().optional(),
    details: z.looseObject({}).optional(),
    code: z.int(),
  })
  .meta({ id: 'Status' });

/** Schema of {@link ItemOutcome}. */
export const outcome = z.enum(['accepted', 'rejected', 'notEvaluated', 'cancelled']).meta({
  id: 'ItemOutcome',
  description:
    'Outcome of one object. `notEvaluated` means that no verdict was possible: the definition is missing or rejected, or the object made the engine fail.',
});

const phases = z
  .object({ parse: z.number(), schema: z.number(), cel: z.number(), total: z.number() })
  .partial()
  .meta({ id: 'Phases', description: 'Duration of each phase of validating one object, in ms' });

const admissionReport = z
  .object({
    cost: z.number().describe('CEL cost units of all expressions of policies, variables included, and of the matchConditions of webhooks'),
    auditAnnotations: z.record(z.string(), z.string()).optional().describe('Annotations of the audit event'),
    policies: z
      .array(
        z.object({
          policy: z.string(),
          binding: z.string().optional(),
          param: z.string().optional(),
          cost: z.number(),
          expressions: z.array(z.object({ part: z.string(), index: z.int(), name: z.string().optional(), cost: z.number() })).readonly(),
        }),
      )
      .readonly()
      .optional()
      .describe('Each evaluation of a policy that applied; with explain'),
    webhooks: z
      .array(
        z.object({
          configuration: z.string(),
          webhook: z.string(),
          called: z.boolean().describe('true if a server would call it; Assay never calls it'),
          cost: z.number().describe('CEL cost units of its matchConditions'),
          error: z.string().optional().describe('Why it cannot be decided, which refuses the request'),
        }),
      )
      .readonly()
      .optional()
      .describe(
        'Webhooks that a server would call for the write, in its order, until the write ends. Their answers are not known. With explain',
      ),
  })
  .meta({ id: 'AdmissionReport', description: 'Report on the admission policies that were evaluated for a write' });

const evaluatedRule = z.object({
  path: z.string().describe('Field of the object to which the rule belongs'),
  rule: z.string(),
  cost: z.number().describe('Cost units of this evaluation'),
  failed: z.literal(true).optional().describe('Set if the result was not true'),
});

/** Schema of {@link Verdict}. */
export const verdictSchema = z
  .object({
    index: z.int().describe('Position among the objects of the request, from 0'),
    apiVersion: z.string().optional().describe('The value in the object, if it is readable; the same for kind'),
    kind: z.string().optional(),
    name: z.string().optional(),
    namespace: z.string().optional(),
    definition: z.string().optional().describe('Name of the CustomResourceDefinition, such as httproutes.gateway.networking.k8s.io'),
    outcome,
    status: statusSchema.optional().describe("The server's answer to a write that is not accepted"),
    warnings: z.array(z.string()),
    hints: z
      .array(z.string())
      .optional()
      .describe("Notes in Assay's words about what a server passes over without a word, such as a messageExpression that fails"),
    takenOff: z.boolean().optional().describe('Set if the object was a create whose resourceVersion was removed; see asSent'),
    missing: z.boolean().optional().describe('Set if no definition of the object was given'),
    object: z
      .looseObject({})
      .optional()
      .describe('Object as the server would store it, pruned and with defaults; present with returnObjects'),
    cost: z
      .object({
        cel: z.number().describe('CEL cost units of the write; -1 when a limit stopped it'),
        rules: z.array(evaluatedRule).optional(),
      })
      .optional(),
    admission: admissionReport.optional().describe('Set if admission policies were evaluated'),
    timings: phases.optional(),
  })
  .meta({ id: 'Verdict', description: 'Verdict on one object' });

const definitionCondition = z
  .object({ type: z.string(), status: z.string(), reason: z.string(), message: z.string() })
  .meta({ id: 'DefinitionCondition', description: "Condition in a definition's status" });

const resourceNames = z
  .object({
    plural: z.string(),
    singular: z.string(),
    shortNames: z.array(z.string()).readonly(),
    kind: z.string(),
    listKind: z.string(),
  })
  .meta({ id: 'ResourceNames', description: 'Names that an accepted definition requests' });

/** Schema of {@link DefinitionReport}. */
export const definitionReportSchema = z
  .object({
    name: z.string().describe('metadata.name of the definition; empty if it cannot be read'),
    group: z.string().optional(),
    kind: z.string().optional(),
    versions: z.array(z.string()).optional(),
    digest: z.string().describe('Digest of the text of the definition, the Kubernetes version and the feature gates'),
    accepted: z.boolean(),
    status: statusSchema.optional(),
    warnings: z.array(z.string()),
    takenOff: z.boolean().optional().describe('Set if uid and resourceVersion were removed; see asSent'),
    composite: z
      .string()
      .optional()
      .describe('Name of the CompositeResourceDefinition of which this definition was made, as Crossplane makes it; absent otherwise'),
    updateOf: z
      .int()
      .optional()
      .describe('Position of the earlier definition of the same name, from 0. This definition was judged as its update'),
    names: resourceNames.optional(),
    conditions: z
      .array(definitionCondition)
      .optional()
      .describe('The status that controllers would write, after the definitions before it'),
  })
  .meta({ id: 'DefinitionReport', description: 'Report on one definition of the request' });

/** Schema of {@link PolicyReport}. */
export const policyReportSchema = z
  .object({
    index: z.int().describe('Position among the policies of the request, from 0'),
    kind: z.string(),
    name: z.string(),
    accepted: z.boolean().describe('false if a server would refuse to store it'),
    status: statusSchema.optional().describe("The server's answer if it refuses"),
    warnings: z.array(z.string()),
    hints: z.array(z.string()).optional().describe("The reason why it does nothing in this request, in Assay's words"),
    typeChecking: z
      .array(
        z.object({
          fieldRef: z.string(),
          warning: z.string(),
          kinds: z.int().optional().describe('Number of kinds for which the expression was checked; the warning names those with errors'),
          suggestions: z
            .array(z.object({ field: z.string(), name: z.string() }))
            .readonly()
            .optional()
            .describe('Declared fields that undefined fields of the expression probably mean, in the words of Assay'),
        }),
      )
      .optional()
      .describe('`status.typeChecking.expressionWarnings` of a ValidatingAdmissionPolicy; of POST /evaluate and POST /explain'),
  })
  .meta({
    id: 'PolicyReport',
    description:
      "Server's answer to the creation of an admission policy or a binding in a request. Assay applies all policies of the request to the request's objects, even policies that a server would not store.",
  });

/** Schema of {@link Summary}. */
export const summarySchema = z
  .object({
    items: z.int(),
    accepted: z.int(),
    rejected: z.int(),
    notEvaluated: z.int(),
    cancelled: z.int(),
    warnings: z.int(),
    takenOff: z.int().describe('Creates with a resourceVersion, which was taken off; see asSent'),
    notice: z.string().optional().describe('Notes about the whole batch'),
    celCost: z.number().describe('Sum of the CEL cost of all objects'),
    phases: phases.describe('Sums over all objects; threads work side by side, so the sum may exceed the elapsed time'),
    elapsedMs: z.number().optional(),
  })
  .meta({ id: 'Summary', description: 'Counts for a whole evaluation' });

const line = z.int().describe('From 1');
const column = z.int().describe('From 1, in code points');

const bodyLocation = z
  .object({
    document: z.int().describe('Its number among the definitions and objects of the body, in their order, from 0'),
    line,
    column,
  })
  .optional()
  .meta({ id: 'BodyLocation', description: 'Position of a document in the request body. Present only with the option `locations`.' });

const bodyFindings = z
  .array(
    z
      .object({
        severity: z.enum(['error', 'warning', 'note']),
        field: z.string().optional(),
        message: z.string(),
        reason: z.string().optional(),
        location: z.object({ line, column, endLine: z.int(), endColumn: z.int() }).optional(),
      })
      .meta({ id: 'Finding' }),
  )
  .optional();

/** Fields that the option `locations` adds to a report. */
const placesInBody = {
  location: bodyLocation.describe('Its place in the body; with locations'),
  findings: bodyFindings.describe('Errors and warnings one by one, with their places in the body; with locations'),
};
const locatedVerdict = verdictSchema.extend(placesInBody).meta({ id: 'LocatedVerdict' });
const locatedDefinition = definitionReportSchema.extend(placesInBody).meta({ id: 'LocatedDefinition' });

/** Response body of `POST /evaluate`. */
export const evaluationAnswer = z
  .object({
    definitions: z.array(locatedDefinition),
    policyReports: z
      .array(policyReportSchema)
      .optional()
      .describe("Present if there are admission policies: the server's answer to the creation of each"),
    items: z.array(locatedVerdict),
    summary: summarySchema.describe('Counts over the items of the answer'),
    status: statusSchema.optional().describe('Present if the answer ended before its last item: the reason'),
  })
  .meta({ id: 'EvaluationAnswer' });

/** One line of an NDJSON answer: a verdict, or the summary in the last line. */
export const verdictLine = z.union([locatedVerdict, z.object({ summary: summarySchema })]).meta({ id: 'VerdictLine' });

/** State and progress of an asynchronous evaluation. */
export const evaluationState = z
  .object({
    id: z.string(),
    state: z.enum(['receiving', 'running', 'complete', 'cancelled', 'failed', 'tooLarge']),
    createdAt: z.string(),
    deadline: z.string(),
    chunks: z.object({ done: z.int(), total: z.int() }),
    definitions: z.array(definitionReportSchema),
    policyReports: z.array(policyReportSchema).optional(),
    summary: summarySchema,
    status: statusSchema.optional().describe('The reason of its end, if its state is tooLarge'),
    traceId: z.string().optional(),
  })
  .meta({ id: 'EvaluationState' });

/** List of asynchronous evaluations, newest first. The list omits reports about definitions and policies. */
export const evaluationList = z
  .object({ evaluations: z.array(evaluationState.omit({ definitions: true, policyReports: true })) })
  .meta({ id: 'EvaluationList' });
