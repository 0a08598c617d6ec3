import { z } from 'zod';
import { chartSchema } from '#charts';

/** Version of the form of `summary.json`. A reader refuses others. */
export const SCHEMA_VERSION = 3;

/** The verdict on a claim. `undecided`: the measurements do not decide it. */
const claimVerdict = z.enum(['holds', 'fails', 'in part', 'undecided', 'not measured']);

const claim = z.object({
  /** The source of the claim, such as `KEP-2876`. */
  source: z.string(),
  claim: z.string(),
  /** The system of the verdict. */
  system: z.string(),
  found: z.string(),
  verdict: claimVerdict,
});
export type ReportClaim = z.infer<typeof claim>;

const table = z.object({
  title: z.string(),
  /** The chart of the same experiment above the table. Without one, the table follows all charts. */
  below: z.string().optional(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  notes: z.array(z.string()),
});
export type Table = z.infer<typeof table>;

const gate = z.object({
  name: z.string(),
  /** The compared quantity: never milliseconds. */
  measure: z.enum(['cost units', 'verdicts', 'bytes', 'work done', 'ratio', 'invariant']),
  expected: z.string(),
  actual: z.string(),
  /** `not measured`: the run ended before that, so that nothing follows. */
  verdict: z.enum(['holds', 'fails', 'not measured']),
});
export type Gate = z.infer<typeof gate>;

const cell = z.object({
  /** Unique within its experiment and the same in every run, so that runs can be compared: `ints-all/64000/Assay, interpreted`. */
  id: z.string(),
  unit: z.enum(['ms', 'ns', 'bytes', 'count', 'per second']),
  /** Raw figures, in the order taken. */
  samples: z.array(z.number()),
  /** Their median. */
  value: z.number().nullable(),
});
export type ReportCell = z.infer<typeof cell>;

/** The form of one experiment's result. */
export const experimentSchema = z.object({
  name: z.string(),
  question: z.string(),
  /** The answer, as a sentence. */
  finding: z.string(),
  status: z.enum(['complete', 'partial', 'failed', 'skipped']),
  /** Why it is not complete. */
  why: z.string().optional(),
  seconds: z.number(),
  noise: z.object({
    samplesMs: z.array(z.number()),
    share: z.number(),
    verdict: z.enum(['quiet', 'usable', 'noisy']),
    load: z.number(),
  }),
  charts: z.array(chartSchema),
  tables: z.array(table),
  claims: z.array(claim),
  gates: z.array(gate),
  cells: z.array(cell),
  notes: z.array(z.string()),
});
export type ExperimentResult = z.infer<typeof experimentSchema>;

/** A whole run: everything that a report says is in it. */
export const runSummarySchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  thoroughness: z.enum(['smallest', 'quick', 'full']),
  seed: z.int(),
  /** False: it was stopped before its end. */
  complete: z.boolean(),
  environment: z.record(z.string(), z.string()),
  experiments: z.array(experimentSchema),
});
export type RunSummary = z.infer<typeof runSummarySchema>;
