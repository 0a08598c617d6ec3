import { z } from 'zod';
import { MINORS } from '#kube';

const byMinor = <Value extends z.ZodType>(value: Value) => z.partialRecord(z.enum(MINORS), value);

const definitionRow = z
  .object({
    name: z.string(),
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
    changes: z.boolean(),
  })
  .meta({ id: 'DefinitionRow' });

const objectRow = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    outcome: byMinor(z.enum(['accepted', 'rejected', 'notEvaluated', 'cancelled'])),
    messages: byMinor(z.string()),
    warnings: byMinor(z.array(z.string())).describe('Minors that warn of nothing are left out'),
    celCost: byMinor(z.number()).describe('Rules and admission policies together; -1 when a limit stopped the rules'),
    changes: z.boolean(),
  })
  .meta({ id: 'ObjectRow' });

/** The answer to `POST /matrix`. */
export const matrixAnswer = z
  .object({ minors: z.array(z.enum(MINORS)), definitions: z.array(definitionRow), objects: z.array(objectRow) })
  .meta({ id: 'MatrixAnswer' });
