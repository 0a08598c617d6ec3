import { z } from 'zod';
import { durationMs, evaluationOptions } from '#evaluation';

/** The shortest budget of a study, ms. */
const LEAST_BUDGET_MS = 100;
/** Characters of a choice of rules, and of the name of a revision. */
const MOST_CHARACTERS = 10_000;

const documents = z.array(z.looseObject({}));
const words = z.string().min(1).max(MOST_CHARACTERS);

/** Settings of a study beside its documents. */
export const studySettings = z.strictObject({
  budget: z
    .string()
    .refine((text) => (durationMs(text) ?? 0) >= LEAST_BUDGET_MS, `must be a duration of at least ${LEAST_BUDGET_MS}ms, such as 30s`)
    .default('30s')
    .describe('Time for all rules, such as 30s; at most the longest deadline of the service'),
  seed: z.int().min(0).default(1).describe('The same seed and enough time give the same costs'),
  times: z.boolean().default(false).describe('Take times, too. Other work of the service disturbs them'),
  rule: words.optional().describe('Study these rules only: a path, a version and a path, or a part of the text'),
});

/** Settings of the older revision. */
export const baseSettings = z.strictObject({ name: words.default('base').describe('Its name in the report') });

/** The body of `POST /benchmarks`, as the description shows it; documents are cut as bytes. */
export const studyEnvelope = studySettings
  .extend({
    definitions: documents.optional(),
    definitionRefs: z.array(z.string()).optional().describe('Digests of definitions that are kept (PUT /definitions/{digest})'),
    objects: documents.optional().describe('Objects from which searches begin'),
    base: baseSettings.extend({ definitions: documents }).optional().describe('An older revision, with which rules are compared'),
    options: evaluationOptions.optional(),
  })
  .meta({ id: 'StudyEnvelope' });
