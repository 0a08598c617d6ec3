import { z } from 'zod';
import { additionsSchema, verdictCausesSchema } from '#documents';
import { MINORS } from '#kube';

const byMinor = <Value extends z.ZodType>(value: Value) => z.partialRecord(z.enum(MINORS), value);

const definitionRow = z
  .object({
    name: z.string(),
    composite: z.string().optional().describe('As in DefinitionReport'),
    accepted: byMinor(z.boolean()),
    messages: byMinor(z.string()),
    warnings: byMinor(z.array(z.string())),
    changingRules: z.array(
      z.object({
        version: z.string(),
        path: z.string(),
        rule: z.string(),
        cost: byMinor(z.string()).describe('Static cost, a uint64 as decimal text'),
      }),
    ),
    causes: z
      .array(verdictCausesSchema)
      .optional()
      .describe('For each two neighbouring versions with different verdicts, errors or warnings'),
    additions: additionsSchema.optional().describe('For definitions that only some of the versions accept'),
    changes: z.boolean(),
  })
  .meta({ id: 'DefinitionRow' });

const objectRow = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    outcome: byMinor(z.enum(['accepted', 'rejected', 'notEvaluated', 'cancelled'])),
    messages: byMinor(z.string()),
    warnings: byMinor(z.array(z.string())).describe('Versions without warnings are omitted'),
    celCost: byMinor(z.number()).describe('Rules and admission policies together; -1 when a limit stopped the rules'),
    causes: z.array(verdictCausesSchema).optional().describe('For neighbouring versions that differ, if a cause is known'),
    changes: z.boolean(),
  })
  .meta({ id: 'ObjectRow' });

const policyRow = z
  .object({
    kind: z.string(),
    name: z.string(),
    accepted: byMinor(z.boolean()),
    messages: byMinor(z.string()).describe(
      'Refusals. A Kubernetes version that does not know the kind in this API version judges objects without the policy; others as if it were stored',
    ),
    warnings: byMinor(z.array(z.string())),
    changes: z.boolean(),
  })
  .meta({ id: 'PolicyRow' });

/** Schema of the answer to `POST /matrix`. */
export const matrixAnswer = z
  .object({
    minors: z.array(z.enum(MINORS)),
    previews: byMinor(z.string())
      .optional()
      .describe('Versions that Kubernetes has not released yet, each with the pre-release whose behavior Assay reproduces'),
    definitions: z.array(definitionRow),
    policies: z.array(policyRow).optional(),
    objects: z.array(objectRow),
  })
  .meta({ id: 'MatrixAnswer' });
