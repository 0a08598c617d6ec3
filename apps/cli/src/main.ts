import type { Engine, EngineThreads } from '#runner';
import type { ReportProblem } from './files/find-files.ts';
import { reportOnStderr } from './report/print.ts';
import { commandNames, readArguments } from './options/read-arguments.ts';
import type { Command, HelpCommand, InitCommand, LspCommand } from './commands.ts';
import { TimedOut } from './timeout.ts';
import { EXIT, UsageError } from './usage.ts';

/** Runs the command line on an engine, and sets the exit status of this process. Stops the engine at the end. */
export async function runCommandLine(argv: readonly string[], engine: EngineThreads): Promise<void> {
  process.exitCode = await main(argv, engine);
}

/**
 * Runs the command line in these steps: arguments → engine → command → exit status. If a file cannot be read, the other files are still
 * evaluated, and the exit status reports the problem.
 */
async function main(argv: readonly string[], engine: EngineThreads): Promise<number> {
  let problems = 0;
  const reportProblem = (problem: string): void => {
    problems++;
    reportOnStderr(problem);
  };
  try {
    const command = readArguments(argv);
    if (command.name === 'help') {
      process.stdout.write(command.text);
      return EXIT.ok;
    }
    if (command.name === 'init') return (await import('./commands/init/run.ts')).initCommand();
    if (command.name === 'lsp') {
      const { lspCommand } = await import('./commands/lsp/run.ts');
      return await lspCommand(command);
    }
    // It loads the engine while the files are being read.
    engine.start();
    const status = await within(command.name === 'guard' ? undefined : command.timeoutMs, engine, () =>
      run(command, engine, reportProblem),
    );
    return problems > 0 ? EXIT.usage : status;
  } catch (error) {
    if (error instanceof UsageError) {
      reportOnStderr(`${error.message}\n${helpOf(argv)} tells more.`);
      return EXIT.usage;
    }
    reportOnStderr(`internal error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.internal;
  } finally {
    engine.stop();
  }
}

/** Returns the command line that prints the help of the command, or of the program if the arguments name no command. */
function helpOf([name = '']: readonly string[]): string {
  return commandNames().includes(name) ? `assay ${name} --help` : 'assay --help';
}

/** Maximum time in ms that a command may take to write its results after a timeout. */
const GRACE_MS = 2000;

/**
 * Runs a command for at most `timeoutMs` ms. After this time, documents without a verdict are reported as cancelled, and the exit status is
 * the same as for a rejected object.
 */
async function within(timeoutMs: number | undefined, engine: EngineThreads, work: () => Promise<number>): Promise<number> {
  if (timeoutMs === undefined) return work();
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    reportOnStderr(`ended, since it took longer than ${timeoutMs} ms (--timeout)`);
    engine.stop();
    // It may wait for what no engine gives: a pipe that says nothing, or an address.
    setTimeout(() => process.exit(EXIT.rejected), GRACE_MS).unref();
  };
  const timer = setTimeout(end, timeoutMs);
  try {
    const status = await work();
    return ended ? EXIT.rejected : status;
  } catch (error) {
    if (error instanceof TimedOut) end();
    if (!ended) throw error;
    return EXIT.rejected;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a command of the engine. Only the modules of this command are loaded. */
async function run(
  command: Exclude<Command, HelpCommand | InitCommand | LspCommand>,
  engine: Engine,
  reportProblem: ReportProblem,
): Promise<number> {
  switch (command.name) {
    case 'evaluate':
      return (await import('./commands/evaluate/run.ts')).evaluateCommand(command, engine, reportProblem);
    case 'eval':
      return (await import('./commands/eval/run.ts')).evalCommand(command, engine, reportProblem);
    case 'explain':
      return command.cluster
        ? (await import('./commands/explain/run-on-cluster.ts')).explainCluster(command, command.cluster, engine)
        : (await import('./commands/explain/run.ts')).explainCommand(command, engine, reportProblem);
    case 'matrix':
      return (await import('./commands/matrix/run.ts')).matrixCommand(command, engine, reportProblem);
    case 'what-if':
      return command.cluster
        ? (await import('./commands/what-if/run-on-cluster.ts')).whatIfCluster(command, command.cluster, engine, reportProblem)
        : (await import('./commands/what-if/run.ts')).whatIfCommand(command, engine, reportProblem);
    case 'upgrade-check':
      return (await import('./commands/upgrade-check/run.ts')).upgradeCheckCommand(command, engine, reportProblem);
    case 'guard':
      return (await import('./commands/guard/run.ts')).guardCommand(command, engine, reportProblem);
    case 'bench':
      return (await import('./commands/bench/run.ts')).benchCommand(command, engine, reportProblem);
    case 'load':
      return (await import('./commands/load/run.ts')).loadCommand(command, engine, reportProblem);
    case 'diff':
      return (await import('./commands/diff/run.ts')).diffCommand(command, engine, reportProblem);
    case 'test':
      return (await import('./commands/test/run.ts')).testCommand(command, engine);
  }
}
