import { z } from 'zod';
import type { StudyReport } from '#benchmark';
import { STUDY_PHASES } from '#service';
import type { StudyOrder } from '#service';

/** A study as a service tells its state. */
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

/** The state of a study at a service. */
export type ReceivedState = z.infer<typeof studyState>;

const placed = { source: z.string() };
const list = z.array(z.looseObject({}));

/** The parts of a report that its forms cannot do without. */
const studyReport = z.looseObject({
  schema: z.literal('assay.dev/study/v1'),
  kubernetesVersion: z.string(),
  seed: z.number(),
  budgetMs: z.number(),
  isPartial: z.boolean(),
  node: z.string(),
  cpu: z.string(),
  definitions: z.array(z.looseObject({ ...placed, rules: z.number() })),
  rules: z.array(
    z.looseObject({
      ...placed,
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

/** Reads the state of a study. Returns undefined if the text is none. */
export const readState = (text: string): ReceivedState | undefined => studyState.safeParse(jsonIn(text)).data;

/** Reads the report of an order that a service studied, with the sources of the order. Returns undefined if the text is no report. */
export function readReport(text: string, { definitions }: StudyOrder): StudyReport | undefined {
  const read = studyReport.safeParse(jsonIn(text));
  if (!read.success) return undefined;
  // A service of this version of the form sends the other fields as the type has them.
  const report = read.data as unknown as StudyReport;
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
