import { z } from 'zod';
import { durationMs, evaluationOptions } from '#documents';

/** Shortest permitted time budget of a study, in ms. */
const MIN_BUDGET_MS = 100;
/** Maximum number of characters of the text that selects the rules of a study, and of the name of a revision. */
const MAX_CHARACTERS = 10_000;

const documents = z.array(z.looseObject({}));
const words = z.string().min(1).max(MAX_CHARACTERS);

/** Schema of the settings of a study. The schema excludes the definitions and other documents of the request. */
export const studySettings = z.strictObject({
  budget: z
    .string()
    .refine((text) => (durationMs(text) ?? 0) >= MIN_BUDGET_MS, `must be a duration of at least ${MIN_BUDGET_MS}ms, such as 30s`)
    .default('30s')
    .describe('Time for all rules, such as 30s; at most the longest deadline of the service'),
  seed: z.int().min(0).default(1).describe('The same seed and enough time give the same costs'),
  times: z.boolean().default(false).describe('Also measure times. Other work of the service disturbs them'),
  rule: words.optional().describe('Study these rules only: a path, a version and a path, or a part of the text'),
});

/** Schema of the settings for the base of a comparison: an older revision of the rules, with which a study compares the present rules. */
export const baseSettings = z.strictObject({ name: words.default('base').describe('Name of the older revision in the report') });

/**
 * Schema of the body of `POST /benchmarks`, for the API description. The service does not parse the documents with this schema; it splits
 * the body into documents as bytes.
 */
export const studyEnvelope = studySettings
  .extend({
    definitions: documents.optional(),
    definitionRefs: z.array(z.string()).optional().describe('Digests of stored definitions (PUT /definitions/{digest})'),
    objects: documents.optional().describe('Objects with which the searches for expensive objects start'),
    base: baseSettings.extend({ definitions: documents }).optional().describe('An older revision, with which rules are compared'),
    options: evaluationOptions.optional(),
  })
  .meta({ id: 'StudyEnvelope' });
