import { cpus } from 'node:os';
import type { PlacedFindings, PolicyStudyReport } from '#benchmark';
import type { EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import { describeEvaluations, studyDefinitions, wantedRule, studyPolicies } from '#service';
import type { StudyOrder, StudyRequest } from '#service';
import { envelopeOf } from '../../documents/read-documents.ts';
import type { PlacedBatch } from '../../documents/read-documents.ts';
import { withGoTimes } from './go-times.ts';
import { studyProgressText, shownProgress, INTERRUPTED } from './study-outcome.ts';
import type { StudyOutcome, StudyWatch } from './study-outcome.ts';

/** Performs a study on the threads of this process. If `goProgram` is given, the rules are measured with this program too. */
export async function studyHere(
  engine: Engine,
  { rule, ...order }: StudyOrder,
  goProgram: string | undefined,
  { signal, report }: StudyWatch,
): Promise<StudyOutcome> {
  const request = { ...order, isWanted: wantedRule(rule) };
  const found = await studyDefinitions(engine, request, {
    signal,
    notify: (state) => report(() => studyProgressText(shownProgress(state))),
  });
  const isTimedInGo = goProgram !== undefined && request.isTimed && found.rules.length > 0 && !signal.aborted;
  const rules = isTimedInGo ? await timedInGo(found.rules, { engine, request, goProgram, signal }) : found.rules;
  const studied = { ...found, rules, node: process.version, cpu: cpus()[0]?.model ?? 'unknown' };
  return { kind: 'studied', report: studied, ...(signal.aborted && { stopped: INTERRUPTED }) };
}

/** Inputs for measuring the rules of a study with the Go program. */
interface GoTiming {
  readonly engine: Engine;
  readonly request: StudyRequest;
  readonly goProgram: string;
  readonly signal: AbortSignal;
}

async function timedInGo(
  rules: readonly PlacedFindings[],
  { engine, request, goProgram, signal }: GoTiming,
): Promise<readonly PlacedFindings[]> {
  return withGoTimes(rules, await describeEvaluations(engine, request, rules, signal), goProgram, signal);
}

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
