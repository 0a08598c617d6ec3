import type { EngineThreads } from '#runner';
import { COMMANDS } from './commands/all-commands.ts';
import { readArguments } from './options/read-arguments.ts';
import { reportOnStderr } from './report/print.ts';
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
    const asked = readArguments(argv);
    if (asked.kind === 'help') {
      process.stdout.write(asked.text);
      return EXIT.ok;
    }
    const { command, parsed, timeoutMs } = asked;
    // The engine loads while the command reads its files.
    if (command.withoutEngine !== true) engine.start();
    const status = await within(timeoutMs, engine, () => command.run(parsed, { engine, reportProblem }));
    return problems > 0 ? EXIT.usage : status;
  } catch (error) {
    if (error instanceof UsageError) {
      reportOnStderr(`${error.message}\nSee ${helpOf(argv)}.`);
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
  return COMMANDS.some((command) => command.name === name) ? `assay ${name} --help` : 'assay --help';
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
    reportOnStderr(`stopped after ${timeoutMs} ms (--timeout)`);
    engine.stop();
    // The command may also wait for something other than the engine, such as a pipe or an address.
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
