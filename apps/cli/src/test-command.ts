import { watch } from 'node:fs';
import { dirname } from 'node:path';
import type { EngineHost } from '#runner';
import type { TestCommand } from './read-arguments.ts';
import { loadSuites } from './suite/load-suite.ts';
import { suiteReport } from './suite/report-suites.ts';
import { runSuite } from './suite/run-suite.ts';
import type { CaseResult } from './suite/suite.ts';
import { EXIT, UsageError } from './usage.ts';

/** Changes come in bursts (editors write twice); a run begins when none came for so long, ms. */
const SETTLE_MS = 100;

/** Runs suites once, or again after every change until the process is ended. Resolves with the exit status. */
export async function testCommand(command: TestCommand, host: EngineHost): Promise<number> {
  const status = await runOnce(command, host);
  if (!command.watch) return status;
  for (;;) {
    await change(command.paths);
    try {
      await runOnce(command, host);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      process.stderr.write(`assay: ${error.message}\n`);
    }
  }
}

async function runOnce({ paths, options, output }: TestCommand, host: EngineHost): Promise<number> {
  const results: CaseResult[] = [];
  for (const suite of loadSuites(paths)) for await (const result of runSuite(suite, options, host)) results.push(result);
  process.stdout.write(suiteReport(output, results));
  return results.every(({ passed }) => passed) ? EXIT.ok : EXIT.rejected;
}

/** Resolves after the next change below the folders of the paths. */
function change(paths: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const watchers = paths.map((path) =>
      watch(/\.ya?ml$/.test(path) ? dirname(path) : path, { recursive: true }, () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          for (const watcher of watchers) watcher.close();
          resolve();
        }, SETTLE_MS);
      }),
    );
  });
}
