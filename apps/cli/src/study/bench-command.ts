import { cpus } from 'node:os';
import type { PlacedFindings, StudyReport } from '#benchmark';
import type { Engine } from '#runner';
import { describeEvaluations, longestObjects, studyDefinitions, wantedRule } from '#service';
import type { StudyProgress, StudyRequest } from '#service';
import { schemaField } from '#source';
import { times } from '#report-forms';
import { unusableDefinitions } from '#study-report';
import type { BenchCommand } from '../commands.ts';
import type { TellProblem } from '../find-files.ts';
import { print, tellOnStderr } from '../print.ts';
import { ProgressLine } from '../progress.ts';
import { documentsOf } from '../read-documents.ts';
import type { PlacedDocument } from '../read-documents.ts';
import { readInputs } from '../read-inputs.ts';
import { readRevision } from '../read-revision.ts';
import { EXIT, UsageError } from '../usage.ts';
import { withGoTimes } from './go-times.ts';
import { failedGates } from './study-gate.ts';
import { studyProblems } from './study-problems.ts';
import type { RuleFinder } from './study-problems.ts';
import { studyText } from './study-text.ts';

/** A first answer is told after so long, and others at this interval, ms. */
const FIRST_ANSWER_MS = 2000;

/**
 * Runs `assay bench`: studies the rules of definitions within a budget of time. Ctrl-C ends the study and prints what is known by then. Resolves with the
 * exit status.
 */
export async function benchCommand(command: BenchCommand, engine: Engine, tell: TellProblem): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const progress = new ProgressLine(FIRST_ANSWER_MS);
  try {
    const { definitions } = await documentsOf(await readInputs(command.paths, tell, command.reading), engine);
    if (definitions.length === 0) throw new UsageError('no CustomResourceDefinition was found');
    const request = await requestOf(command, definitions, engine, tell);
    const found = await studyDefinitions(engine, request, {
      signal: stop.signal,
      tell: (state) => progress.tell(() => progressText(state)),
    });
    progress.end();
    if (found.rules.length === 0 && command.rule !== undefined) throw new UsageError(`--rule ${command.rule}: no rule is called so`);
    if (stop.signal.aborted) tellOnStderr('interrupted: the report is about what is known by now');
    const rules = await timedInGo(command, found.rules, { engine, request, signal: stop.signal });
    return await report(command, { ...found, rules, node: process.version, cpu: cpus()[0]?.model ?? 'unknown' }, definitions, stop.signal);
  } finally {
    progress.end();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Times the rules by the program of `--go`, too. */
async function timedInGo(
  { goProgram, isTimed }: BenchCommand,
  rules: readonly PlacedFindings[],
  { engine, request, signal }: { readonly engine: Engine; readonly request: StudyRequest; readonly signal: AbortSignal },
): Promise<readonly PlacedFindings[]> {
  if (goProgram === undefined || !isTimed || signal.aborted) return rules;
  return withGoTimes(rules, await describeEvaluations(engine, request, rules, signal), goProgram, signal);
}

async function requestOf(
  command: BenchCommand,
  definitions: readonly PlacedDocument[],
  engine: Engine,
  tell: TellProblem,
): Promise<StudyRequest> {
  const { base, objects, options, budgetMs, seed, isTimed, paths, rule, reading } = command;
  const before = base === undefined ? undefined : await documentsOf(readRevision(base, paths), engine);
  const given = objects.length === 0 ? [] : (await documentsOf(await readInputs(objects, tell, reading), engine)).objects;
  return {
    definitions: definitions.map(({ source, slice }) => ({ source, slice })),
    objects: longestObjects(given.map(({ slice }) => slice)),
    options,
    budgetMs,
    seed,
    isTimed,
    base: before && base !== undefined ? { name: base, definitions: before.definitions.map(({ slice }) => slice) } : undefined,
    isWanted: wantedRule(rule),
  };
}

/** Prints the report. Returns the exit status: 1 if a rule does not keep a bound, a server refuses a definition, or somebody ended the study. */
async function report(
  command: BenchCommand,
  study: StudyReport,
  definitions: readonly PlacedDocument[],
  signal: AbortSignal,
): Promise<number> {
  const failed = failedGates(study.rules, command.failOn);
  const { output } = command;
  if (output === 'html') {
    const { studyPage } = await import('#study-report/page');
    process.stdout.write(studyPage(study));
    for (const { rule, text } of failed) tellOnStderr(`${rule.source} ${rule.version} ${rule.path}: ${text}`);
  } else
    print(output, study, {
      text: () => studyText(study, { columns: process.stdout.columns ?? 160, failed }),
      tools: () => studyProblems(study, failed, finderIn(definitions)),
    });
  const isRejected = failed.length > 0 || unusableDefinitions(study).length > 0 || signal.aborted;
  return isRejected ? EXIT.rejected : EXIT.ok;
}

/** Returns the finder of rules in the texts of their definitions. */
function finderIn(definitions: readonly PlacedDocument[]): RuleFinder {
  const bySource = new Map(definitions.map((document) => [document.source, document]));
  return ({ source, version, path }) => {
    const place = bySource.get(source)?.place;
    if (place === undefined) return { file: source };
    if (version === undefined) return { file: place.file.name };
    const text = place.file.text.document(place.origin);
    const range = text.rangeOf(`${schemaField(version, text)}.${path}.rule`);
    const location = range && { line: range.line, column: range.column, endLine: range.end.line, endColumn: range.end.column };
    return { file: place.file.name, ...(location && { location }) };
  };
}

const PHASES = { costs: 'costs', times: 'times', comparison: 'beside the older revision' } as const;

function progressText({ phase, known, rules, leftMs, latest }: StudyProgress): string {
  const [steepest] = latest.growsWith;
  const growth = steepest === undefined ? '' : ` grows with ${steepest.field} as n^${steepest.costExponent.toFixed(1)};`;
  const cost = latest.worst === undefined ? ' no write found yet' : ` dearest found ${latest.worst.cost} units`;
  return `${PHASES[phase]}: ${known} of ${times(rules, 'rule')}, ${Math.ceil(leftMs / 1000)} s left; ${latest.version} ${latest.path}:${growth}${cost}`;
}
