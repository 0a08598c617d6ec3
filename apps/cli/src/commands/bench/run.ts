import type { PlacedFindings, PolicyStudyReport, StudyReport } from '#benchmark';
import { schemaField } from '#editing';
import { shownText, unusableDefinitions } from '#report';
import type { Engine } from '#runner';
import { print, reportOnStderr, ProgressLine } from '../../report/print.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { AssayService } from '../../service/assay-service.ts';
import { EXIT, UsageError } from '../../usage.ts';
import { isTrackingForm, trackingText } from '../../tracking/tracking-forms.ts';
import type { BenchArguments } from './read-studied.ts';
import { studyAtService } from './study-at-service.ts';
import { failedStudyGates, studyGates, undecidedRules, failedEstimates } from './study-gate.ts';
import type { FailedGate } from './study-gate.ts';
import { readStudied } from './read-studied.ts';
import { reportPolicies, policiesComment, policiesText } from './report/policies.ts';
import { studyHere, studyPoliciesHere } from './study-here.ts';
import type { StudyOutcome } from './study-outcome.ts';
import { tableWidth } from '../../report/fitted-table.ts';
import { failedGateText, studyText } from './report/text.ts';
import type { RunContext } from '../command.ts';
import type { EditorFinding } from '#editing';
import type { JunitCase } from '#report';
import type { Problem, ToolReport } from '../../report/tool-report.ts';
import { Interruption } from '../../interruption.ts';

/** Interval in ms between progress reports if stderr is not a terminal, and the time before the first report. */
const FIRST_ANSWER_MS = 2000;

/**
 * Runs `assay bench`: studies the rules of definitions within a time budget, in this process or at a service. Ctrl-C and `--timeout` end
 * the study and print the findings so far. Resolves with the exit status.
 */
export async function runBench(command: BenchArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const interruption = new Interruption(command.timeoutMs);
  const progress = new ProgressLine(FIRST_ANSWER_MS);
  try {
    const read = await readStudied(command, engine, reportProblem);
    const { order, policies, definitions } = read;
    const failed = await failedEstimates(engine, read, command);
    const watch = { signal: interruption.signal, report: (text: () => string) => progress.report(text) };
    const { server, goProgram } = command;
    if (server !== undefined && interruption.isInterrupted) {
      reportOnStderr('interrupted before the study began');
      return EXIT.rejected;
    }
    const until = performance.now() + command.budgetMs;
    const outcome =
      order &&
      (await (server === undefined
        ? studyHere(engine, order, goProgram, watch)
        : studyAtService(new AssayService(server, process.env['ASSAY_KEY']), order, watch)));
    // Policies get the time that the rules leave, which is at least a quarter of the budget.
    const settings = { options: command.options, budgetMs: Math.max(0, until - performance.now()) };
    const found = policies && (await studyPoliciesHere(engine, policies, settings, watch));
    progress.end();
    if (outcome === undefined) return await reportPolicies(command, found);
    return await report(command, outcome, { definitions, failed, engine, policies: found?.report });
  } finally {
    progress.end();
    interruption.end();
  }
}

/**
 * Prints the outcome of a study and returns the exit status. The status is 1 if a rule violates a gate (bound on a metric), a server
 * refuses a definition, or the user ended the study. The status is 3 if there is no report.
 */
async function report(
  command: BenchArguments,
  outcome: StudyOutcome,
  { definitions, failed: failedBefore, engine, policies }: Omit<StudyContext, 'failed'> & { readonly failed: readonly FailedGate[] },
): Promise<number> {
  if (outcome.kind === 'failed') {
    reportOnStderr(outcome.problem);
    return EXIT.internal;
  }
  const { report: study, stopped } = outcome;
  if (stopped !== undefined) reportOnStderr(`${stopped}: the report is about what is known by now`);
  else if (study.rules.length === 0 && command.rule !== undefined) throw new UsageError(`--rule ${command.rule}: no rule is called so`);
  const failed = [
    ...failedBefore,
    ...failedStudyGates(study.rules, studyGates(command.failOn)),
    ...undecidedRules(study.rules, command.failOn, command.base !== undefined),
  ];
  await printStudy(command, study, { failed, definitions, engine, policies });
  const isRejected = failed.length > 0 || unusableDefinitions(study).length > 0 || stopped !== undefined;
  return isRejected ? EXIT.rejected : EXIT.ok;
}

/** Context of a study of rules: failed gates, the documents of the definitions, and the study of the policies among the files. */
interface StudyContext {
  readonly failed: readonly FailedGate[];
  readonly definitions: readonly PlacedDocument[];
  readonly engine: Engine;
  /** Undefined if the files hold no policies. */
  readonly policies: PolicyStudyReport | undefined;
}

async function printStudy(
  { output, options }: BenchArguments,
  study: StudyReport,
  { failed, definitions, engine, policies }: StudyContext,
): Promise<void> {
  if (isTrackingForm(output)) {
    const { trackedStudy } = await import('./report/tracked-study.ts');
    process.stdout.write(trackingText(output, await trackedStudy(engine, { study, definitions, options })));
  } else if (output === 'markdown') {
    const { studyComment } = await import('./report/comment.ts');
    process.stdout.write(shownText(studyComment(study, failed)));
    if (policies !== undefined) process.stdout.write(shownText(policiesComment(policies)));
  } else if (output === 'html') {
    const { studyPage } = await import('#report/study-page');
    process.stdout.write(studyPage(study));
    if (policies !== undefined) reportOnStderr('the page shows the rules only: choose text, json, yaml or markdown for the policies, too');
    for (const one of failed) reportOnStderr(failedGateText(one));
  } else
    print(
      output,
      { ...study, ...(failed.length > 0 && { failed }), ...(policies && { policyStudy: policies }) },
      {
        text: () =>
          [
            studyText(study, { columns: tableWidth(), failed }),
            ...(policies === undefined ? [] : [policiesText(policies, tableWidth())]),
          ].join('\n'),
        tools: () => studyProblems(study, failed, finderIn(definitions)),
      },
    );
}

/** Returns a function that finds the location of a rule in the text of its definition. */
function finderIn(definitions: readonly PlacedDocument[]): RuleFinder {
  const bySource = new Map(definitions.map((document) => [document.source, document]));
  return ({ source, version, path }) => {
    const place = bySource.get(source)?.place;
    if (place === undefined) return { file: source };
    if (version === undefined || path === undefined) return { file: place.file.name };
    const text = place.file.text.document(place.origin);
    const range = text.rangeOf(`${schemaField(version, text)}.${path}.rule`);
    const location = range && { line: range.line, column: range.column, endLine: range.end.line, endColumn: range.end.column };
    return { file: place.file.name, ...(location && { location }) };
  };
}

/**
 * Identification of a rule by the source of its definition, version and path. If version and path are absent, the definition itself is
 * identified.
 */
type StudiedPlace = Pick<FailedGate, 'source' | 'version' | 'path'>;

/** Function that finds the file and location of a rule or a definition. */
type RuleFinder = (rule: StudiedPlace) => { readonly file: string; readonly location?: NonNullable<EditorFinding['location']> };

/**
 * Returns a study as a report for tools. Its problems are unusable definitions, and rules that violate gates. Each rule is a test case.
 */
function studyProblems(study: StudyReport, failed: readonly FailedGate[], find: RuleFinder): ToolReport {
  const byRule = Map.groupBy(failed, placeKey);
  const unusable = unusableDefinitions(study);
  const problem = (rule: string, place: StudiedPlace, message: string, name: string): Problem => {
    const { file, location } = find(place);
    return { rule, finding: { severity: 'error', message, ...(location && { location }) }, file, about: name };
  };
  return {
    rules: {
      ...(unusable.length > 0 && { definition: 'A server refuses the definition, or the study could not use it' }),
      ...Object.fromEntries(failed.map(({ name, gate }) => [name, `The gate ${gate} (assay bench --fail-on)`])),
    },
    problems: [
      ...unusable.map(({ source, name, why }) => problem('definition', { source }, why, name)),
      ...failed.map((one) => problem(one.name, one, one.text, aboutFailed(one, study))),
    ],
    cases: [
      ...unusable.map(({ source, name, why }): JunitCase => {
        const { file, location } = find({ source });
        return { name, classname: file, file, line: location?.line, failure: why };
      }),
      // A total, or a definition as a whole, is a case only if it fails.
      ...failed
        .filter(({ path }) => path === undefined)
        .map((one): JunitCase => ({ name: aboutFailed(one, study), classname: find(one).file, file: find(one).file, failure: one.text })),
      ...study.rules.map((rule): JunitCase => {
        const { file, location } = find(rule);
        const problems = byRule.get(placeKey(rule))?.map(({ text }) => text);
        return { name: about(rule), classname: file, file, line: location?.line, failure: problems?.join('\n'), skipped: rule.notStudied };
      }),
    ],
  };
}

const placeKey = ({ source, version, path }: StudiedPlace): string => JSON.stringify([source, version, path]);

/** Returns the name of what fails a gate: a rule, all rules of a version, or a definition. */
function aboutFailed({ source, version, path }: FailedGate, { definitions }: StudyReport): string {
  const definition = definitions.find((one) => one.source === source)?.definition ?? source;
  if (path === undefined || version === undefined) return version === undefined ? definition : `${definition}/${version}`;
  return about({ definition, version, path });
}

const about = ({ definition, version, path }: Pick<PlacedFindings, 'definition' | 'version' | 'path'>): string =>
  `rule ${path} of ${definition}/${version}`;
