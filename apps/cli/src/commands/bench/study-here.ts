import { cpus } from 'node:os';
import type { PlacedFindings } from '#benchmark';
import type { Engine } from '#runner';
import { describeEvaluations, studyDefinitions, wantedRule } from '#service';
import type { StudyOrder, StudyRequest } from '#service';
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
