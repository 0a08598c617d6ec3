import type { EvaluationOutcome } from '../../../evaluation/evaluate.ts';
import type { EvaluationView } from './view.ts';

/** Verdicts on the definitions and the policies of an evaluation. */
export type DocumentReports = Pick<EvaluationOutcome, 'definitions' | 'policyReports'>;

/** Counts of an evaluation, which are known after its last object. */
export type Counts = Pick<EvaluationOutcome, 'summary' | 'skipped'>;

/**
 * Report on an evaluation in one output format. Each function returns the next part of its text, so that a report can be written slice by
 * slice while an evaluation runs. The text does not depend on the number of slices. Between the parts, a report keeps only the facts that
 * its later parts need.
 */
export interface EvaluationReport {
  /** Returns the part before the first object: the definitions and the policies. */
  open(reports: DocumentReports, view: EvaluationView): string;
  /** Returns the part about the objects of one slice of the files. */
  items(items: EvaluationOutcome['items'], view: EvaluationView): string;
  /** Returns the part after the last slice, such as a summary. */
  close(counts: Counts, view: EvaluationView): string;
}

/** Returns the whole text of a report. All objects are in one slice. */
export function wholeReport(report: EvaluationReport, outcome: EvaluationOutcome, view: EvaluationView): string {
  return report.open(outcome, view) + report.items(outcome.items, view) + report.close(outcome, view);
}
