import { z } from 'zod';
import { definitionReportSchema, EFFECTS, FOLLOWING_WRITES } from '#documents';
import { POLICY_EFFECTS } from '#service';

const fieldChange = z
  .object({
    path: z.string(),
    before: z.string().optional().describe('JSON text; absent if there was no value'),
    after: z.string().optional().describe('JSON text; absent if there is no value'),
  })
  .meta({ id: 'FieldChange' });

const cause = z
  .object({ field: z.string().describe('Without indexes and keys: spec.rules[*].port'), reason: z.string(), message: z.string() })
  .meta({ id: 'Cause' });

/** Schema of a line of the answer to `POST /what-if` about a changed definition: the effect on one object. */
const objectEffect = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    effect: z.enum(EFFECTS),
    write: z.enum(FOLLOWING_WRITES).optional().describe('The kind of write that the change makes invalid'),
    message: z.string().optional().describe("The server's answer to the write that is refused"),
    nextChange: fieldChange.optional().describe('The edit that is refused, if an object breaks on the next change'),
    causes: z.array(cause),
    fields: z.array(z.string()).optional().describe('The fields of the causes with their indexes, such as spec.rules[2].port'),
    changes: z.array(fieldChange).describe('Paths that would be stored differently'),
    frozen: z.array(z.string()).optional().describe('Fields with a new default that no update may change later'),
    cost: z.object({ before: z.number().optional(), after: z.number().optional() }).describe('CEL cost units of an unchanged write'),
  })
  .meta({ id: 'ObjectEffect' });

/** Schema of the last line of the answer to `POST /what-if` about a changed definition. */
const whatIfTotals = z
  .object({
    definition: definitionReportSchema,
    complete: z.boolean().describe('false if the deadline or the client ended it'),
    impact: z.object({
      objects: z.int(),
      effects: z.record(z.enum(EFFECTS), z.int()),
      costBefore: z.number(),
      costAfter: z.number(),
      causes: z.array(z.object({ cause, objects: z.int(), brokenOnUpdate: z.int(), breaksOnNextChange: z.int() })),
    }),
  })
  .meta({ id: 'WhatIfTotals' });

/** Schema of a line of the answer to `POST /what-if` about changed policies: the effect on the write of one object. */
const policyImpact = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    effect: z.enum(POLICY_EFFECTS),
    messages: z.array(z.string()).describe('The rejection, or the new warnings'),
    cost: z
      .object({ before: z.number().optional(), after: z.number().optional() })
      .describe('CEL cost units of rules and policies in the write; -1 if a limit stopped the rules'),
  })
  .meta({ id: 'PolicyImpact' });

/** Schema of the last line of the answer to `POST /what-if` about changed policies. */
const policyChangeTotals = z
  .object({
    definitions: z
      .object({ from: z.array(definitionReportSchema), to: z.array(definitionReportSchema) })
      .describe('Definitions of both sides'),
    complete: z.boolean().describe('false if the deadline or the client ended it'),
    impact: z.object({
      objects: z.int(),
      effects: z.record(z.enum(POLICY_EFFECTS), z.int()),
      costBefore: z.number(),
      costAfter: z.number(),
    }),
  })
  .meta({ id: 'PolicyChangeTotals' });

/** Schema of any line of the answer to `POST /what-if`. */
export const whatIfLine = z.union([objectEffect, whatIfTotals, policyImpact, policyChangeTotals]).meta({ id: 'WhatIfLine' });
