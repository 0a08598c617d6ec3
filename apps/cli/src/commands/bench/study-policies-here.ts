import { INTERRUPTED } from './study-outcome.ts';
import type { StudyWatch } from './study-outcome.ts';
import type { EvaluationOptions } from '#documents';
import type { PolicyStudyReport } from '#benchmark';
import type { Engine } from '#runner';
import { studyPolicies } from '#service';
import { envelopeOf } from '../../documents/read-documents.ts';
import type { PlacedBatch } from '../../documents/read-documents.ts';

/** Outcome of a study of policies. `stopped` is the reason in words why the report is incomplete; absent if the study was not stopped. */
export interface PolicyStudyOutcome {
  readonly report: PolicyStudyReport;
  readonly stopped?: string;
}

const PARTS = {
  bindings: 'bindings',
  parameters: 'parameters',
  variables: 'variables',
  matchConditions: 'matchConditions',
  sizes: 'sizes of objects',
  helps: 'changes that help',
} as const;

/** Studies the policies of a batch on the threads of this process. */
export async function studyPoliciesHere(
  engine: Engine,
  documents: PlacedBatch,
  { options, budgetMs }: { readonly options: EvaluationOptions; readonly budgetMs: number },
  { signal, report }: StudyWatch,
): Promise<PolicyStudyOutcome> {
  const { objects } = documents;
  const found = await studyPolicies(
    engine,
    envelopeOf(documents, options),
    {
      budgetMs,
      signal,
      notify: (policy, cell, done, all) => report(() => `policies: ${done} of ${all} parts; ${policy}: ${PARTS[cell]}`),
    },
    (object) => objects[object]?.source ?? '',
  );
  return { report: found, ...(signal.aborted && { stopped: INTERRUPTED }) };
}
