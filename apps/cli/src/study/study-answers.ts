import { z } from 'zod';
import type { StudyReport } from '#benchmark';
import { STUDY_PHASES } from '#service';
import type { StudyOrder } from '#service';
import { readStudyReport } from '#report';

/** Schema of the state of a study, as a service returns it. */
const studyState = z.object({
  id: z.string(),
  state: z.enum(STUDY_PHASES),
  progress: z
    .object({ phase: z.enum(['costs', 'times', 'comparison']), known: z.number(), rules: z.number(), leftMs: z.number() })
    .optional(),
  latest: z
    .object({
      version: z.string(),
      path: z.string(),
      growsWith: z.string().optional(),
      costExponent: z.number().optional(),
      cost: z.number().optional(),
    })
    .optional(),
  status: z.object({ message: z.string() }).optional(),
});

/** State of a study (benchmark of rules), as a response of the Assay service describes it. */
export type ReceivedState = z.infer<typeof studyState>;

/** Parses the state of a study (benchmark of rules). Returns undefined if the text is not a valid state. */
export const readState = (text: string): ReceivedState | undefined => studyState.safeParse(jsonIn(text)).data;

/**
 * Parses the report of a study (benchmark of rules) that a service performed. The service names each definition by its index in the request
 * body. This function replaces each index with the `source` (file and document number) of the definition in the request. Returns undefined
 * if the text is not a valid report.
 */
export function readReport(text: string, { definitions }: StudyOrder): StudyReport | undefined {
  const report = readStudyReport(jsonIn(text));
  if (report === undefined) return undefined;
  // A service names definitions by their places in the body.
  const sources = new Map(definitions.map(({ source }, i) => [`definitions[${i}]`, source]));
  const sourced = <Placed extends { readonly source: string }>(one: Placed): Placed => ({
    ...one,
    source: sources.get(one.source) ?? one.source,
  });
  return { ...report, definitions: report.definitions.map(sourced), rules: report.rules.map(sourced) };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
