import { groupOf } from '#kube';
import { addTally, emptyTally } from '#evaluation';
import type { DefinitionReport, EvaluationOptions, PolicyReport, Tally, Verdict } from '#evaluation';
import type { Engine } from '#runner';
import { prepareUnqueued } from '#service';
import { withApplyNote } from './apply-note.ts';
import { placeReport } from './place-findings.ts';
import type { PlacedReport } from './place-findings.ts';
import { envelopeOf } from './read-documents.ts';
import type { PlacedBatch, PlacedDocument } from './read-documents.ts';
import { ProgressBar } from './progress.ts';
import { answerOrUsageError } from './usage.ts';

/** A verdict with the place of its object, and of what is said of it. */
export type PlacedVerdict = Verdict & PlacedReport;

/** Everything that `assay evaluate` found out. */
export interface EvaluationOutcome {
  readonly definitions: readonly (DefinitionReport & PlacedReport)[];
  /** The answers of a server when each policy and binding is created; absent if there are none. */
  readonly policyReports?: readonly (PolicyReport & PlacedReport)[];
  readonly items: readonly PlacedVerdict[];
  readonly summary: Tally;
  /** Objects that were passed over, since no definition of their kind is there. */
  readonly skipped: number;
}

/**
 * Returns the outcome without the objects of kinds that have no definition, such as Deployments. Keeps an object if a
 * definition has its group: then its kind or version is misspelt.
 */
export function withoutForeign({ items, summary, skipped: before, ...rest }: EvaluationOutcome): EvaluationOutcome {
  const groups = new Set(rest.definitions.map(({ group }) => group));
  const kept = items.filter(({ missing, apiVersion = '' }) => missing !== true || groups.has(groupOf(apiVersion)));
  const left = items.length - kept.length;
  const counts = { items: summary.items - left, notEvaluated: summary.notEvaluated - left };
  return { ...rest, items: kept, summary: { ...summary, ...counts }, skipped: before + left };
}

/** Judges definitions, then objects against them, on the engine's threads. */
export async function evaluate(documents: PlacedBatch, options: EvaluationOptions, engine: Engine): Promise<EvaluationOutcome> {
  const prepared = await prepareEvaluation(documents, options, engine);
  const progress = new ProgressBar('objects judged', documents.objects.length);
  const judged = await prepared.judge(documents.objects, progress);
  progress.end();
  return { ...(await prepared.reports()), ...judged, skipped: 0 };
}

/** Definitions that are judged, and what judges objects against them, some at a time. */
export interface PreparedBatch {
  /** Returns the reports on the definitions and the policies. */
  reports(): Promise<Pick<EvaluationOutcome, 'definitions' | 'policyReports'>>;
  judge(objects: readonly PlacedDocument[], progress: ProgressBar): Promise<Pick<EvaluationOutcome, 'items' | 'summary'>>;
}

/** Judges the definitions of a batch. */
export async function prepareEvaluation(
  documents: Omit<PlacedBatch, 'objects'>,
  options: EvaluationOptions,
  engine: Engine,
): Promise<PreparedBatch> {
  const envelope = envelopeOf({ ...documents, objects: [] }, options);
  const { definitions: reports, reviewed, judge } = answerOrUsageError(await prepareUnqueued(engine, envelope));
  return {
    reports: async () => {
      const policyReports = (await reviewed)?.map((report) => placeReport(report, documents.policyDocuments?.[report.index]));
      const definitions = reports.map((report, i) =>
        withApplyNote(placeReport(report, documents.definitions[i]), documents.definitions[i]),
      );
      return { definitions, ...(policyReports && { policyReports }) };
    },
    judge: async (objects, progress) => {
      const summary = emptyTally();
      const items: PlacedVerdict[] = [];
      for await (const { verdicts, tally } of judge(objects.map(({ slice }) => slice))) {
        addTally(summary, tally);
        progress.step(verdicts.length);
        for (const text of verdicts) {
          const verdict = JSON.parse(text) as Verdict;
          items.push(placeReport(verdict, objects[verdict.index]));
        }
      }
      return { items, summary };
    },
  };
}
