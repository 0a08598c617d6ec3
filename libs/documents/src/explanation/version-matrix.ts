import { z } from 'zod';
import { MINORS } from '#kube';
import { additionsSchema } from './bounds.ts';
import { verdictCausesSchema } from '../verdict/verdict-causes.ts';
import { outcome } from '../verdict/verdict.ts';

const byMinor = <Value extends z.ZodType>(value: Value) => z.partialRecord(z.enum(MINORS), value);

const definitionRow = z
  .object({
    name: z.string(),
    composite: z.string().optional().describe('Name of the CompositeResourceDefinition from which Assay made the definition'),
    accepted: byMinor(z.boolean()),
    messages: byMinor(z.string()).describe('Messages of the refusals'),
    warnings: byMinor(z.array(z.string())),
    changingRules: z
      .array(
        z.object({
          version: z.string(),
          path: z.string(),
          rule: z.string(),
          cost: byMinor(z.string()).describe('Estimated cost, a uint64 as decimal text, or `does not compile`'),
        }),
      )
      .describe('Rules whose estimated total cost differs between the versions'),
    causes: z
      .array(verdictCausesSchema)
      .optional()
      .describe('Causes for each two successive versions with different verdicts, errors or warnings. Absent if all versions agree'),
    additions: additionsSchema
      .optional()
      .describe('Smallest additions with which all compared versions accept the definition. Absent if their verdicts agree'),
    changes: z.boolean().describe('True if something differs between the versions'),
  })
  .meta({
    id: 'DefinitionRow',
    description: 'Verdicts of several Kubernetes versions on the creation of one definition, with the rules whose estimated cost differs',
  });

const objectRow = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    outcome: byMinor(outcome),
    messages: byMinor(z.string()).describe('Messages of the refusals'),
    warnings: byMinor(z.array(z.string())).describe('Versions without warnings are omitted'),
    celCost: byMinor(z.number()).describe('CEL cost units of rules and admission policies together; -1 if a cost limit ended the rules'),
    causes: z.array(verdictCausesSchema).optional().describe('Causes for successive versions that differ. Absent if no cause is known'),
    changes: z.boolean().describe('True if outcome, message, warnings or cost differ between the versions'),
  })
  .meta({ id: 'ObjectRow', description: 'Verdicts of several Kubernetes versions on one object, with its cost on each of them' });

const policyRow = z
  .object({
    kind: z.string(),
    name: z.string(),
    accepted: byMinor(z.boolean()),
    messages: byMinor(z.string()).describe(
      'Messages of the refusals. A Kubernetes version that does not know the kind in this API version judges objects without the policy. Other versions judge them with the policy, even if they refuse it',
    ),
    warnings: byMinor(z.array(z.string())),
    changes: z.boolean().describe('True if something differs between the versions'),
  })
  .meta({ id: 'PolicyRow', description: 'Verdicts of several Kubernetes versions on the creation of one policy or binding' });

/** Response body of `POST /matrix`. */
export const matrixAnswer = z
  .object({
    minors: z.array(z.enum(MINORS)),
    previews: byMinor(z.string())
      .optional()
      .describe('Versions that Kubernetes has not released yet, each with the pre-release whose behavior Assay reproduces'),
    definitions: z.array(definitionRow),
    policies: z.array(policyRow).optional().describe('Verdicts on policies and bindings, in input order. Absent if there are none'),
    objects: z.array(objectRow),
  })
  .meta({ id: 'MatrixAnswer', description: 'Verdicts of several Kubernetes versions on the same documents' });
