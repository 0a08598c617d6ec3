import { z } from 'zod';
import { statusSchema } from '#documents';
import { STUDY_PHASES } from '#service';

const place = { definition: z.string(), version: z.string(), path: z.string() };

/**
 * Schema of the short form of a study's findings about one rule. It contains the rule's location, its highest cost, and the field with
 * which its cost grows most.
 */
const foundRule = z
  .object({
    ...place,
    growsWith: z.string().optional().describe('The field with which the cost grows most'),
    costExponent: z.number().optional(),
    cost: z.number().optional().describe('Cost units of the most expensive write found'),
    isPartial: z.boolean(),
    notStudied: z.string().optional(),
  })
  .meta({ id: 'FoundRule' });

/** Schema of a study as `GET /benchmarks/{id}` returns it. */
export const studyState = z
  .object({
    id: z.string(),
    state: z.enum(STUDY_PHASES),
    createdAt: z.string(),
    budgetMs: z.number(),
    seed: z.int(),
    restarts: z.int().describe('Number of times that the study began again because the service ended'),
    threadMs: z.number().describe('Thread time of the study since its last start'),
    progress: z
      .object({
        phase: z.enum(['costs', 'times', 'comparison']),
        known: z.int().describe('Rules with results'),
        rules: z.int(),
        leftMs: z.number(),
      })
      .optional()
      .describe('Absent until a rule has results'),
    latest: foundRule.optional().describe('The rule with the latest result'),
    rules: z.array(foundRule).optional().describe('The results so far, shortened. The report has the full results'),
    definitions: z
      .array(
        z.object({
          definition: z.string(),
          rules: z.int().describe('Number of studied rules'),
          limitShare: z.number().optional().describe('Largest estimate of a rule ÷ its limit'),
          costliest: z
            .object({ version: z.string(), path: z.string(), cost: z.number() })
            .optional()
            .describe('The most expensive write that was found, with its rule'),
          isPartial: z.boolean(),
        }),
      )
      .optional()
      .describe('Figures about the definitions; absent until the study has ended'),
    status: statusSchema.optional().describe('Why the study failed'),
    traceId: z.string().optional(),
  })
  .meta({ id: 'StudyState' });

/** Schema of a list of studies, newest first. Each entry has the state of a study without its findings. */
export const studyList = z.object({ benchmarks: z.array(studyState.omit({ rules: true, latest: true })) }).meta({ id: 'StudyList' });

/** Schema of the report of a study. The types of the library describe each field (docs/reference/library.md). */
export const studyReport = z
  .looseObject({
    schema: z.literal('assay.dev/study/v1'),
    kubernetesVersion: z.string(),
    seed: z.int(),
    node: z.string(),
    cpu: z.string(),
    budgetMs: z.number(),
    isPartial: z.boolean().describe('True while the study runs, and if it ended early'),
    base: z.string().optional(),
    definitions: z.array(z.looseObject({ source: z.string(), rules: z.int() })),
    rules: z.array(z.looseObject({ ...place, rule: z.string(), isPartial: z.boolean() })),
    notStudied: z.array(z.object({ reason: z.string(), rules: z.int() })),
    slowestCells: z
      .array(z.looseObject({ kind: z.string(), ms: z.number() }))
      .optional()
      .describe('The slowest pieces of work, the slowest first'),
    traceId: z.string().optional(),
    trace: z.string().optional().describe('The address of the trace, if ASSAY_TRACE_PAGE is set'),
  })
  .meta({ id: 'StudyReport' });
