import { z } from 'zod';
import type { StudyReport } from '#benchmark';

const list = z.array(z.looseObject({}));

/** Schema of the parts of a report that every output format of the report needs. */
const studyReport = z.looseObject({
  schema: z.literal('assay.dev/study/v1'),
  kubernetesVersion: z.string(),
  seed: z.number(),
  budgetMs: z.number(),
  isPartial: z.boolean(),
  node: z.string(),
  cpu: z.string(),
  definitions: z.array(z.looseObject({ source: z.string(), rules: z.number() })),
  rules: z.array(
    z.looseObject({
      source: z.string(),
      definition: z.string(),
      version: z.string(),
      path: z.string(),
      rule: z.string(),
      growsWith: list,
      suggestedBounds: list,
      times: list,
      claims: list,
    }),
  ),
  notStudied: z.array(z.object({ reason: z.string(), rules: z.number() })),
});

/** Returns the study report that a service sent as JSON; undefined if `value` is not a study report. */
export function readStudyReport(value: unknown): StudyReport | undefined {
  const read = studyReport.safeParse(value);
  // The schema checks only some fields, among them the format version. Each format version has fixed types for all other fields.
  return read.success ? (read.data as unknown as StudyReport) : undefined;
}
