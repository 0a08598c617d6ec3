import type { StudyReport } from '#benchmark';
import type { Engine } from '#runner';
import { schemaField } from '#editing';
import { unusableDefinitions } from '#report';
import type { BenchCommand } from '../commands.ts';
import type { ReportProblem } from '../find-files.ts';
import { print, reportOnStderr } from '../print.ts';
import { ProgressLine } from '../progress.ts';
import type { PlacedDocument } from '../read-documents.ts';
import { AssayService } from '../service/assay-service.ts';
import { EXIT, UsageError } from '../usage.ts';
import { readOrder } from './read-order.ts';
import { studyAtService } from './study-at-service.ts';
import { failedGates } from './study-gate.ts';
import type { FailedGate } from './study-gate.ts';
import { studyHere } from './study-here.ts';
import type { StudyOutcome } from './study-outcome.ts';
import { tableWidth } from '../report/table-width.ts';
import { studyProblems } from './study-problems.ts';
import type { RuleFinder } from './study-problems.ts';
import { studyText } from './study-text.ts';

/** Interval in ms between progress reports if stderr is not a terminal, and the time before the first report. */
const FIRST_ANSWER_MS = 2000;

/**
 * Runs `assay bench`: studies the rules of definitions within a time budget, in this process or at a service. Ctrl-C and `--timeout` end
 * the study and print the findings so far. Resolves with the exit status.
 */
export async function benchCommand(command: BenchCommand, engine: Engine, reportProblem: ReportProblem): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const timer = command.timeoutMs === undefined ? undefined : setTimeout(interrupt, command.timeoutMs);
  const progress = new ProgressLine(FIRST_ANSWER_MS);
  try {
    const { order, definitions } = await readOrder(command, engine, reportProblem);
    const watch = { signal: stop.signal, report: (text: () => string) => progress.report(text) };
    const { server, goProgram } = command;
    if (server !== undefined && stop.signal.aborted) {
      reportOnStderr('interrupted before the study began');
      return EXIT.rejected;
    }
    const outcome = await (server === undefined
      ? studyHere(engine, order, goProgram, watch)
      : studyAtService(new AssayService(server, process.env['ASSAY_KEY']), order, watch));
    progress.end();
    return await report(command, outcome, definitions);
  } finally {
    clearTimeout(timer);
    progress.end();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/**
 * Prints the outcome of a study (benchmark) and returns the exit status. The status is 1 if a rule violates a gate (bound on a metric), a
 * server refuses a definition, or the user ended the study. The status is 3 if there is no report.
 */
async function report(command: BenchCommand, outcome: StudyOutcome, definitions: readonly PlacedDocument[]): Promise<number> {
  if (outcome.kind === 'failed') {
    reportOnStderr(outcome.problem);
    return EXIT.internal;
  }
  const { report: study, stopped } = outcome;
  if (stopped !== undefined) reportOnStderr(`${stopped}: the report is about what is known by now`);
  else if (study.rules.length === 0 && command.rule !== undefined) throw new UsageError(`--rule ${command.rule}: no rule is called so`);
  const failed = failedGates(study.rules, command.failOn);
  await printStudy(command, study, failed, definitions);
  const isRejected = failed.length > 0 || unusableDefinitions(study).length > 0 || stopped !== undefined;
  return isRejected ? EXIT.rejected : EXIT.ok;
}

async function printStudy(
  { output }: BenchCommand,
  study: StudyReport,
  failed: readonly FailedGate[],
  definitions: readonly PlacedDocument[],
): Promise<void> {
  if (output === 'html') {
    const { studyPage } = await import('#report/study-page');
    process.stdout.write(studyPage(study));
    for (const { rule, text } of failed) reportOnStderr(`${rule.source} ${rule.version} ${rule.path}: ${text}`);
  } else
    print(output, study, {
      text: () => studyText(study, { columns: tableWidth(), failed }),
      tools: () => studyProblems(study, failed, finderIn(definitions)),
    });
}

/** Returns a function that finds the location of a rule in the text of its definition. */
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
