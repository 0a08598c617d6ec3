import { grouped } from '#numbers';
import { groupOf } from '#kube';
import { addTally, emptyTally } from '#documents';
import type { DefinitionReport, EvaluationOptions, PolicyReport, Tally, Verdict } from '#documents';
import type { Engine } from '#runner';
import { UndefinedFields, typeFindings } from '#editing';
import type { EditorFinding } from '#editing';
import { prepareUnqueued } from '#service';
import { placeReport } from './place-findings.ts';
import type { PlacedReport } from './place-findings.ts';
import { envelopeOf } from '../documents/read-documents.ts';
import type { PlacedBatch, PlacedDocument } from '../documents/read-documents.ts';
import { ProgressBar } from '../report/print.ts';
import { answerOrUsageError, EXIT } from '../usage.ts';
import type { FailureKind } from '../gates/gate-list.ts';
import { failsByRank } from '../gates/read-gates.ts';

/** Verdict with the location of its object in a file, and the locations of the reported problems. */
export type PlacedVerdict = Verdict & PlacedReport;

/** Result of `assay evaluate`. */
export interface EvaluationOutcome {
  readonly definitions: readonly (DefinitionReport & PlacedReport)[];
  /** Reports on the creation of each policy and binding; absent if there are no policies or bindings. */
  readonly policyReports?: readonly (PolicyReport & PlacedReport)[];
  readonly items: readonly PlacedVerdict[];
  readonly summary: Tally;
  /** Number of objects that were skipped because no definition of their kind is available. */
  readonly skipped: number;
}

/**
 * Returns the outcome without the objects of kinds that have no definition, such as Deployments. An object stays in the outcome if a
 * definition has the same group, because the object's kind or version is probably misspelt.
 */
export function skipUnknownKinds({ items, summary, skipped: before, ...rest }: EvaluationOutcome): EvaluationOutcome {
  const groups = new Set(rest.definitions.map(({ group }) => group));
  const kept = items.filter(({ missing, apiVersion = '' }) => missing !== true || groups.has(groupOf(apiVersion)));
  const left = items.length - kept.length;
  const counts = { items: summary.items - left, notEvaluated: summary.notEvaluated - left };
  return { ...rest, items: kept, summary: { ...summary, ...counts }, skipped: before + left };
}

/** Validates definitions, and then objects against them, on the threads of the engine. */
export async function evaluate(documents: PlacedBatch, options: EvaluationOptions, engine: Engine): Promise<EvaluationOutcome> {
  const prepared = await validateDefinitions(documents, options, engine);
  const progress = new ProgressBar('objects judged', documents.objects.length);
  const judged = await prepared.judge(documents.objects, progress);
  progress.end();
  return { ...(await prepared.reports()), ...judged, skipped: 0 };
}

/** Definitions that have been validated. Several batches of objects can be validated against them. */
export interface ValidatedDefinitions {
  /** Returns the reports on the definitions and the policies. */
  reports(): Promise<Pick<EvaluationOutcome, 'definitions' | 'policyReports'>>;
  judge(objects: readonly PlacedDocument[], progress: ProgressBar): Promise<Pick<EvaluationOutcome, 'items' | 'summary'>>;
}

/** Validates the definitions and policies of a batch. Returns a {@link ValidatedDefinitions} that can validate objects against them. */
export async function validateDefinitions(
  documents: Omit<PlacedBatch, 'objects'>,
  options: EvaluationOptions,
  engine: Engine,
): Promise<ValidatedDefinitions> {
  const envelope = envelopeOf({ ...documents, objects: [] }, options);
  const prepared = await prepareUnqueued(engine, envelope, { measuredFrom: LARGE_TEXT_BYTES });
  const { definitions: reports, jsonBytes, reviewed, judge } = answerOrUsageError(prepared);
  return {
    reports: async () => {
      const policyReports = (await reviewed)?.map((report) => placeReport(report, documents.policyDocuments?.[report.index]));
      const definitions = reports.map((report, i) => withApplyNote(placeReport(report, documents.definitions[i]), jsonBytes[i]));
      return { definitions, ...(policyReports && { policyReports }) };
    },
    judge: async (objects, progress) => {
      const summary = emptyTally();
      const items: PlacedVerdict[] = [];
      const undefinedFields = new UndefinedFields(await reviewed);
      for await (const { verdicts, tally } of judge(objects.map(({ slice }) => slice))) {
        addTally(summary, tally);
        progress.step(verdicts.length);
        for (const text of verdicts) {
          const verdict = JSON.parse(text) as Verdict;
          items.push(placeReport(verdict, objects[verdict.index], undefinedFields));
        }
      }
      return { items, summary };
    },
  };
}

/**
 * Maximum size in bytes of all annotations of an object. Source: k8s.io/apimachinery/pkg/api/validation/objectmeta.go
 * `TotalAnnotationSizeLimitB`.
 */
const ANNOTATION_LIMIT = 262_144;

/**
 * Size of a definition's text in bytes from which its JSON can exceed {@link ANNOTATION_LIMIT}. Flow and block YAML may be shorter than
 * JSON, by quotes and commas, but not by half.
 */
const LARGE_TEXT_BYTES = ANNOTATION_LIMIT / 2;

/**
 * Adds a note to the report on a definition that is too large for the annotation in which `kubectl apply` stores the last applied
 * configuration. `bytes` is the size of the definition as JSON; undefined for texts smaller than {@link LARGE_TEXT_BYTES}.
 */
function withApplyNote<T extends PlacedReport & { readonly composite?: string | undefined }>(report: T, bytes: number | undefined): T {
  // Crossplane creates its definitions without `kubectl apply`, so they have no last-applied annotation.
  if (bytes === undefined || bytes <= ANNOTATION_LIMIT || report.composite !== undefined) return report;
  const { location, findings = [] } = report;
  const message = `kubectl apply cannot keep this definition in its last-applied annotation: ${grouped(bytes)} bytes of JSON, and annotations have at most ${grouped(ANNOTATION_LIMIT)}. Use kubectl apply --server-side, or kubectl create`;
  const place = location && { location: { ...location, endLine: location.line, endColumn: location.column + 1 } };
  return { ...report, findings: [...findings, { severity: 'note', message, ...place } satisfies EditorFinding] };
}

/**
 * Returns the exit status of an evaluation. The status is 1 if the evaluation has a finding listed in `failOn`, or a worse finding. An
 * evaluation without objects, definitions and policies counts as `not-evaluated`. If `mustReject` is set, the evaluation succeeds only if
 * every object (at least one) is rejected, and no definition or policy is refused.
 */
export function evaluationStatus(
  { failOn, mustReject }: { readonly failOn: readonly FailureKind[]; readonly mustReject: boolean },
  { definitions, policyReports = [], summary }: EvaluationOutcome,
): number {
  const written = [...definitions, ...policyReports];
  const refused = written.some(({ accepted }) => !accepted);
  if (mustReject) return summary.items > 0 && summary.rejected === summary.items && !refused ? EXIT.ok : EXIT.rejected;
  // Type-checking notes of policies count only if they report a misspelt field.
  const misspelt = policyReports.some(({ typeChecking = [] }) =>
    typeChecking.flatMap((one) => typeFindings(one)).some(({ severity }) => severity === 'warning'),
  );
  const found: Readonly<Record<FailureKind, boolean>> = {
    rejected: refused || summary.rejected > 0,
    'not-evaluated': summary.items + written.length === 0 || summary.notEvaluated + summary.cancelled > 0,
    warning: misspelt || summary.warnings > 0 || written.some(({ warnings }) => warnings.length > 0),
  };
  return failsByRank('evaluate', failOn, found) ? EXIT.rejected : EXIT.ok;
}
