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
    'Outcome of one object. `notEvaluated` means that no verdict was possible: the definition is missing or rejected, or the engine failed at the object.',
});

const phases = z
  .object({ parse: z.number(), schema: z.number(), cel: z.number(), total: z.number() })
  .partial()
  .meta({ id: 'Phases', description: 'Duration of each phase of validating one object, in ms' });

const admissionReport = z
  .object({
    cost: z
      .number()
      .describe('CEL cost units of all expressions of policies, with their variables, and of the matchConditions of webhooks'),
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
      .describe('Each evaluation of a policy that applied. Only with explain'),
    webhooks: z
      .array(
        z.object({
          configuration: z.string(),
          webhook: z.string(),
          called: z.boolean().describe('True if a server would call the webhook. Assay never calls webhooks'),
          cost: z.number().describe('CEL cost units of the matchConditions of the webhook'),
          error: z.string().optional().describe('Error of the matchConditions, because of which a server refuses the request'),
        }),
      )
      .readonly()
      .optional()
      .describe(
        'Webhooks that a server would call for the write, in this order, until the write ends. Their answers are not known. Only with explain',
      ),
  })
  .meta({ id: 'AdmissionReport', description: 'Report on the admission policies that were evaluated for a write' });

const evaluatedRule = z.object({
  path: z.string().describe('Field of the object to which the rule belongs'),
  rule: z.string(),
  cost: z.number().describe('Cost units of this evaluation'),
  failed: z.literal(true).optional().describe('True if the result of the rule is not true'),
});

/** Schema of {@link Verdict}. */
export const verdictSchema = z
  .object({
    index: z.int().describe('Position among the objects of the request, from 0'),
    apiVersion: z.string().optional().describe('The apiVersion of the object. Absent if Assay cannot read it'),
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
      .describe('Notes of Assay about problems that a server does not report, such as a messageExpression that fails'),
    takenOff: z.boolean().optional().describe('True if Assay removed the resourceVersion of a create (see asSent)'),
    missing: z.boolean().optional().describe('True if the request has no definition of the object'),
    object: z.looseObject({}).optional().describe('Object as the server would store it, pruned and with defaults. Only with returnObjects'),
    cost: z
      .object({
        cel: z.number().describe('CEL cost units of the write; -1 if a cost limit ended it'),
        rules: z.array(evaluatedRule).optional(),
      })
      .optional(),
    admission: admissionReport.optional().describe('Present if admission policies were evaluated'),
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
    takenOff: z.boolean().optional().describe('True if Assay removed uid and resourceVersion (see asSent)'),
    composite: z
      .string()
      .optional()
      .describe(
        'Name of the CompositeResourceDefinition from which Assay made this definition, as Crossplane does. Absent for other definitions',
      ),
    updateOf: z
      .int()
      .optional()
      .describe('Position of the earlier definition of the same name, from 0. Assay judged this definition as an update of it'),
    names: resourceNames.optional(),
    conditions: z
      .array(definitionCondition)
      .optional()
      .describe('Conditions that controllers would write into the status, if the earlier definitions of the request exist'),
  })
  .meta({ id: 'DefinitionReport', description: 'Report on one definition of the request' });

/** Schema of {@link PolicyReport}. */
export const policyReportSchema = z
  .object({
    index: z.int().describe('Position among the policies of the request, from 0'),
    kind: z.string(),
    name: z.string(),
    accepted: z.boolean().describe('False if a server would refuse to store the policy'),
    status: statusSchema.optional().describe("The server's answer if the server refuses the policy"),
    warnings: z.array(z.string()),
    hints: z.array(z.string()).optional().describe('Reasons of Assay why the policy has no effect in this request'),
    typeChecking: z
      .array(
        z.object({
          fieldRef: z.string(),
          warning: z.string(),
          kinds: z
            .int()
            .optional()
            .describe('Number of kinds for which a server checks the expression. The warning names the kinds with errors'),
          suggestions: z
            .array(z.object({ field: z.string(), name: z.string() }))
            .readonly()
            .optional()
            .describe('Declared fields that Assay suggests in place of undefined fields of the expression'),
        }),
      )
      .optional()
      .describe('`status.typeChecking.expressionWarnings` of a ValidatingAdmissionPolicy. Only in POST /evaluate and POST /explain'),
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
    takenOff: z.int().describe('Number of creates whose resourceVersion Assay removed (see asSent)'),
    notice: z.string().optional().describe('Notes about the whole batch'),
    celCost: z.number().describe('Sum of the CEL cost of all objects'),
    phases: phases.describe('Sums over all objects. Threads work in parallel, so a sum may exceed the elapsed time'),
    elapsedMs: z.number().optional(),
  })
  .meta({ id: 'Summary', description: 'Counts for a whole evaluation' });

const line = z.int().describe('From 1');
const column = z.int().describe('From 1, in code points');

const bodyLocation = z
  .object({
    document: z.int().describe('Position among the definitions and objects of the body, from 0'),
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
  location: bodyLocation.describe('Place of the document in the body. Only with locations'),
  findings: bodyFindings.describe('Errors and warnings one by one, with their places in the body. Only with locations'),
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
      .describe("The server's answer to the creation of each admission policy. Absent if there are none"),
    items: z.array(locatedVerdict),
    summary: summarySchema.describe('Counts over the items of the answer'),
    status: statusSchema.optional().describe('Reason why the answer ended before its last item. Absent otherwise'),
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
    status: statusSchema.optional().describe('Reason of the state tooLarge. Absent in other states'),
    traceId: z.string().optional(),
  })
  .meta({ id: 'EvaluationState' });

/** List of asynchronous evaluations, newest first. The list omits reports about definitions and policies. */
export const evaluationList = z
  .object({ evaluations: z.array(evaluationState.omit({ definitions: true, policyReports: true })) })
  .meta({ id: 'EvaluationList' });
