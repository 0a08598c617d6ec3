import type { Engine } from '#runner';
import type { EvaluationOptions } from '#documents';
import { FileChanges } from '../../files/watch-files.ts';
import { reportOnStderr, ProgressLine } from '../../report/print.ts';
import { caseCount, filesOf, loadSuites } from '../../suite/load-suite.ts';
import type { LoadedSuite } from '../../suite/load-suite.ts';
import { suiteReport } from '../../suite/report-suites.ts';
import type { SuiteReport } from '../../suite/report-suites.ts';
import { runSuite } from '../../suite/run-suite.ts';
import type { CaseResult } from '../../suite/suite.ts';
import { EXIT, UsageError } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import { Interruption } from '../../interruption.ts';

/** Parsed arguments of `assay test`, which runs test suites. */
export interface TestArguments extends CommandSettings {
  readonly paths: readonly string[];
  readonly output: SuiteReport;
  readonly options: EvaluationOptions;
  readonly watch: boolean;
}

/**
 * Runs test suites once and prints their results. With `--watch`, runs them again after each change of a file that affects them, until the
 * process is interrupted. Resolves with the exit status.
 */
export async function runTest(command: TestArguments, { engine: host }: RunContext): Promise<number> {
  if (command.watch) return watchSuites(command, host);
  const results = await runSuites(command, await loadSuites(command.paths, host, command.reading.access), host);
  return results.every(({ passed }) => passed) ? EXIT.ok : EXIT.rejected;
}

/** Runs suites and prints their report. If `signal` is aborted, ends early and reports the results so far. */
async function runSuites(
  { options, output }: TestArguments,
  suites: readonly LoadedSuite[],
  host: Engine,
  signal?: AbortSignal,
): Promise<CaseResult[]> {
  const cases = suites.reduce((sum, suite) => sum + caseCount(suite), 0);
  const results: CaseResult[] = [];
  const progress = new ProgressLine();
  let failed = 0;
  for (const suite of suites)
    for await (const result of runSuite(suite, options, host)) {
      if (signal?.aborted) break;
      results.push(result);
      if (!result.passed) failed++;
      progress.report(() => `${results.length} of ${cases} cases, ${failed} failed: ${result.file}`);
    }
  progress.end();
  process.stdout.write(suiteReport(output, results));
  return results;
}

/** Digest of a suite and the result of its last run. */
interface LastRun {
  readonly digest: string;
  readonly passed: boolean;
}

/**
 * Runs all suites. After each change, runs the suites that changed or whose definitions changed. SIGINT and SIGTERM end the command. The
 * exit status covers the last run of each suite. An interrupted suite counts as failed.
 */
async function watchSuites(command: TestArguments, host: Engine): Promise<number> {
  const interruption = new Interruption();
  const changes = new FileChanges(interruption.signal);
  changes.watch(command.paths);
  const runs = new Map<string, LastRun>();
  let status: number = EXIT.ok;
  do {
    const suites = await loadOrReport(command, host);
    if (suites !== undefined) {
      changes.watch(suites.flatMap(filesOf));
      const changed = suites.filter(({ file, digest }) => runs.get(file)?.digest !== digest);
      for (const { file, digest } of changed) runs.set(file, { digest, passed: false });
      const results = changed.length > 0 ? await runSuites(command, changed, host, interruption.signal) : [];
      if (!interruption.isInterrupted)
        for (const { file, digest } of changed)
          runs.set(file, { digest, passed: results.every((result) => result.file !== file || result.passed) });
    }
    const passed = suites?.every(({ file }) => runs.get(file)?.passed);
    status = passed === undefined ? EXIT.usage : passed ? EXIT.ok : EXIT.rejected;
  } while (await changes.next());
  interruption.end();
  return status;
}

/**
 * Loads suites. If they cannot be used, reports the reason and returns undefined. It does not throw, because a later change of the files
 * may repair the suites.
 */
async function loadOrReport({ paths, reading }: TestArguments, host: Engine): Promise<LoadedSuite[] | undefined> {
  try {
    return await loadSuites(paths, host, reading.access);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    reportOnStderr(error.message);
    return undefined;
  }
}
