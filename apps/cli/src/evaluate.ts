import { groupOf } from '#kube';
import { addTally, emptyTally } from '#documents';
import type { DefinitionReport, EvaluationOptions, PolicyReport, Tally, Verdict } from '#documents';
import type { Engine } from '#runner';
import { UndefinedFields } from '#editing';
import { prepareUnqueued } from '#service';
import { LARGE_TEXT_BYTES, withApplyNote } from './apply-note.ts';
import { placeReport } from './place-findings.ts';
import type { PlacedReport } from './place-findings.ts';
import { envelopeOf } from './read-documents.ts';
import type { PlacedBatch, PlacedDocument } from './read-documents.ts';
import { ProgressBar } from './progress.ts';
import { answerOrUsageError } from './usage.ts';

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
export function withoutForeign({ items, summary, skipped: before, ...rest }: EvaluationOutcome): EvaluationOutcome {
  const groups = new Set(rest.definitions.map(({ group }) => group));
  const kept = items.filter(({ missing, apiVersion = '' }) => missing !== true || groups.has(groupOf(apiVersion)));
  const left = items.length - kept.length;
  const counts = { items: summary.items - left, notEvaluated: summary.notEvaluated - left };
  return { ...rest, items: kept, summary: { ...summary, ...counts }, skipped: before + left };
}

/** Validates definitions, and then objects against them, on the threads of the engine. */
export async function evaluate(documents: PlacedBatch, options: EvaluationOptions, engine: Engine): Promise<EvaluationOutcome> {
  const prepared = await prepareEvaluation(documents, options, engine);
  const progress = new ProgressBar('objects judged', documents.objects.length);
  const judged = await prepared.judge(documents.objects, progress);
  progress.end();
  return { ...(await prepared.reports()), ...judged, skipped: 0 };
}

/** Definitions that have been validated. Several batches of objects can be validated against them. */
export interface PreparedBatch {
  /** Returns the reports on the definitions and the policies. */
  reports(): Promise<Pick<EvaluationOutcome, 'definitions' | 'policyReports'>>;
  judge(objects: readonly PlacedDocument[], progress: ProgressBar): Promise<Pick<EvaluationOutcome, 'items' | 'summary'>>;
}

/** Validates the definitions and policies of a batch. Returns a {@link PreparedBatch} that can validate objects against them. */
export async function prepareEvaluation(
  documents: Omit<PlacedBatch, 'objects'>,
  options: EvaluationOptions,
  engine: Engine,
): Promise<PreparedBatch> {
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
