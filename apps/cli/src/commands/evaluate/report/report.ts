import { briefMessage } from '#editing';
import type { TextFile } from '../../../documents/read-documents.ts';
import type { EvaluationOutcome, PlacedVerdict } from '../../../evaluation/evaluate.ts';
import type { PlacedReport } from '../../../evaluation/place-findings.ts';
import type { ShownFinding } from '../../../report/finding-lines.ts';

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

const AS_STORED = 'a server refuses to store it, and objects are judged as if it were stored';
const NOT_SERVED = 'policy refused: this server does not know its kind in this version, and objects are judged without it';

/** Settings of a report, and the files that the report quotes. */
export class EvaluationView {
  /** True if the report shows the server's complete messages, instead of shortened messages with locations. */
  readonly asServer: boolean;
  /** True if the report leaves out accepted objects. */
  readonly quiet: boolean;
  readonly #files: ReadonlyMap<string, TextFile>;
  readonly #count: number;

  /**
   * Creates the settings of a report.
   *
   * @param count number of all files, if `files` contains only some of them
   */
  constructor(
    files: readonly TextFile[],
    { asServer, quiet }: { readonly asServer: boolean; readonly quiet: boolean },
    count = files.length,
  ) {
    this.#count = count;
    this.#files = new Map(files.map((file) => [file.name, file]));
    this.asServer = asServer;
    this.quiet = quiet;
  }

  /** Number of files that were read. */
  get files(): number {
    return this.#count;
  }

  /** Returns the display name of an object, such as `Widget "a"`. */
  nameOf({ kind, definition, name }: PlacedVerdict): string {
    return `${kind ?? definition ?? 'object'}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
  }

  /**
   * Returns findings about the creation of a policy. If the server refuses the policy, the finding is only a warning. Assay still validates
   * objects against the policy, unless the server does not know the kind of the policy.
   */
  findingsOfPolicy(report: NonNullable<EvaluationOutcome['policyReports']>[number]): ShownFinding[] {
    const about = `${report.kind} ${JSON.stringify(report.name)}`;
    const whatFollows = report.status?.code === 404 ? NOT_SERVED : AS_STORED;
    return this.findingsOf(report, about).map(({ finding, ...shown }) => ({
      ...shown,
      finding: finding.severity === 'error' ? { ...finding, message: `${whatFollows}: ${briefMessage(finding)}` } : finding,
    }));
  }

  /** Returns the findings about a document, each with its file and the lines of that file. */
  findingsOf({ location, source, findings = [] }: PlacedReport, about: string): ShownFinding[] {
    const file = location?.file ?? source;
    return findings.map((finding) => ({ finding, file, lines: this.#files.get(file)?.text.lines, about }));
  }
}
