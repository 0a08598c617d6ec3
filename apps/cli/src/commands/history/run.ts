import { inMinor } from '#documents';
import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import { times } from '#numbers';
import { shownText } from '#report';
import { print, ProgressBar } from '../../report/print.ts';
import type { OutputForm } from '../../report/forms.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import { EXIT } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import { isTrackingForm, trackingText } from '../../tracking/tracking-forms.ts';
import type { TrackingForm } from '../../tracking/tracking-forms.ts';
import { historiesOf, newestShare, trackedState, withFoundWrites } from './definition-history.ts';
import type { DefinitionHistory, HistoryResult } from './definition-history.ts';
import { followDefinitions } from './follow-definitions.ts';
import type { SkippedCommit } from './follow-definitions.ts';
import { openHistoryCache } from './history-cache.ts';
import { judgeContents, readContents } from './judge-contents.ts';
import type { ContentJudge } from './judge-contents.ts';
import { readCommits } from './read-commits.ts';
import type { CommitRange, FileHistory } from './read-commits.ts';
import { Interruption } from '../../interruption.ts';

/** Parsed arguments of `assay history`, which shows what rules cost in each commit. */
export interface HistoryArguments extends CommandSettings {
  readonly range: CommitRange;
  readonly paths: readonly string[];
  /** Minor versions whose verdicts are shown, the oldest first. The last one computes the costs. */
  readonly minors: readonly Minor[];
  readonly output: OutputForm | TrackingForm | 'csv' | 'html' | 'markdown';
  readonly options: EvaluationOptions;
  /** Time in ms to search the most expensive write of each state; undefined if only estimates are shown. */
  readonly searchMs: number | undefined;
}

/**
 * Runs `assay history` in these steps: commits → contents → verdicts, each content once → rules over time. Ctrl-C ends the verdicts and
 * prints the history of the contents that are known. Resolves with the exit status.
 */
export async function runHistory(command: HistoryArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const { minors, options, output, reading } = command;
  const { files, notes } = readCommits(command.paths, command.range, reading.access);
  const cache = openHistoryCache(process.env);
  const count = new Set(files.flatMap(({ states }) => states.flatMap(({ blob }) => blob ?? []))).size;
  const progress = new ProgressBar('contents judged', count);
  const interruption = new Interruption();
  const judge: ContentJudge = { engine, cache, minors, options, progress, signal: interruption.signal };
  try {
    const { judged, ...result } = await resultOf(files, judge, command);
    for (const { path, problem, isNewest } of result.skipped)
      if (isNewest) reportProblem(`${path}: its newest content cannot be read, so an older one is shown: ${problem}`);
    const problems = [
      ...(cache.problem === undefined ? [] : [cache.problem]),
      ...(interruption.isInterrupted
        ? [`Interrupted: ${judged} of ${times(count, 'content')} were judged, the newest ones of each path`]
        : []),
    ];
    await report(output, { ...result, notes: [...notes, ...problems] });
    return interruption.isInterrupted ? EXIT.rejected : EXIT.ok;
  } finally {
    progress.end();
    cache.close();
    interruption.end();
  }
}

/**
 * Judges the contents of each repository folder once, also if several files share a content. Returns the histories, the most expensive
 * definition first, and the number of judged contents.
 */
async function resultOf(
  files: readonly FileHistory[],
  judge: ContentJudge,
  command: HistoryArguments,
): Promise<Omit<HistoryResult, 'notes'> & { readonly judged: number }> {
  const { reading, minors } = command;
  const definitions: DefinitionHistory[] = [];
  const skipped: SkippedCommit[] = [];
  const judged = new Set<string>();
  for (const [folder, some] of Map.groupBy(files, (file) => file.folder)) {
    const blobs = new Set(some.flatMap(({ states }) => states.toReversed().flatMap(({ blob }) => blob ?? [])));
    const contents = await judgeContents(readContents(folder, [...blobs], reading.access), judge);
    const found = followDefinitions(some, contents);
    definitions.push(...(await foundWrites(folder, historiesOf(found.followed, minors), judge, command)));
    skipped.push(...found.skipped);
    for (const blob of contents.keys()) judged.add(blob);
  }
  return { minors, definitions: definitions.toSorted((a, b) => newestShare(b) - newestShare(a)), skipped, judged: judged.size };
}

/** Returns histories with the most expensive write that a search finds for each state, if the command asks for it. */
async function foundWrites(
  folder: string,
  histories: readonly DefinitionHistory[],
  judge: ContentJudge,
  { searchMs, reading, minors, options }: HistoryArguments,
): Promise<readonly DefinitionHistory[]> {
  const minor = minors.at(-1);
  if (searchMs === undefined || minor === undefined) return histories;
  const progress = new ProgressBar('states searched for expensive writes');
  const { stateKey, studyStates } = await import('./study-states.ts');
  const studies = { ...judge, options: inMinor(options, minor), progress, access: reading.access, budgetMs: searchMs };
  const found = await studyStates(folder, histories, studies);
  progress.end();
  return histories.map((one) => withFoundWrites(one, (blob) => found.get(stateKey(blob, one.name))));
}

async function report(output: HistoryArguments['output'], result: HistoryResult): Promise<void> {
  if (output === 'csv') {
    process.stdout.write(shownText((await import('./report/data.ts')).historyCsv(result)));
  } else if (output === 'html') {
    process.stdout.write((await import('./report/page.ts')).historyPage(result));
  } else if (output === 'markdown') {
    process.stdout.write(shownText((await import('./report/comment.ts')).historyComment(result)));
  } else if (isTrackingForm(output)) {
    process.stdout.write(
      trackingText(
        output,
        result.definitions.flatMap((one) => trackedState(one) ?? []),
      ),
    );
  } else {
    const [{ historyText }, { historyValue }] = await Promise.all([import('./report/text.ts'), import('./report/data.ts')]);
    print(output, historyValue(result), () => historyText(result));
  }
}
