import { z } from 'zod';
import { chartSchema } from '#report/charts';

/** Version of the format of `summary.json`. Readers refuse a file with a different version. */
export const SCHEMA_VERSION = 3;

/** The verdict on a claim. `undecided` means that the measurements are not sufficient to decide the claim. */
const claimVerdict = z.enum(['holds', 'fails', 'in part', 'undecided', 'not measured']);

const claim = z.object({
  /** The source of the claim, such as `KEP-2876`. */
  source: z.string(),
  claim: z.string(),
  /** System about which the claim is checked. */
  system: z.string(),
  found: z.string(),
  verdict: claimVerdict,
});
export type ReportClaim = z.infer<typeof claim>;

const table = z.object({
  title: z.string(),
  /** Id of the chart in the same experiment below which the table is shown. If it is absent, the table is shown below all charts. */
  below: z.string().optional(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  notes: z.array(z.string()),
});
export type Table = z.infer<typeof table>;

const gate = z.object({
  name: z.string(),
  /** Quantity that the gate compares. Times in ms are never compared. */
  measure: z.enum(['cost units', 'verdicts', 'bytes', 'work done', 'ratio', 'invariant']),
  expected: z.string(),
  actual: z.string(),
  /** Verdict on the gate. `not measured` means that the run ended before the measurement, so nothing can be concluded. */
  verdict: z.enum(['holds', 'fails', 'not measured']),
});
export type Gate = z.infer<typeof gate>;

const cell = z.object({
  /**
   * Id of the cell, such as `ints-all/64000/Assay, interpreted`. It is unique within the experiment and the same in every run, so that runs
   * can be compared.
   */
  id: z.string(),
  unit: z.enum(['ms', 'ns', 'bytes', 'count', 'per second']),
  /** Raw figures, in the order in which they were measured. */
  samples: z.array(z.number()),
  /** Median of the samples. */
  value: z.number().nullable(),
});
export type ReportCell = z.infer<typeof cell>;

/** Schema of one experiment's result. */
export const experimentSchema = z.object({
  name: z.string(),
  question: z.string(),
  /** Answer to the experiment's question, as a sentence. */
  finding: z.string(),
  status: z.enum(['complete', 'partial', 'failed', 'skipped']),
  /** Reason why the experiment is not complete; absent if it is complete. */
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

/** Schema of a whole run. It contains everything that a report shows. */
export const runSummarySchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  thoroughness: z.enum(['smallest', 'quick', 'full']),
  seed: z.int(),
  /** False if the run was stopped before its end. */
  complete: z.boolean(),
  environment: z.record(z.string(), z.string()),
  experiments: z.array(experimentSchema),
});
export type RunSummary = z.infer<typeof runSummarySchema>;
