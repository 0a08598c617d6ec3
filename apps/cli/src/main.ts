import { EngineThreads } from '#runner';
import type { Engine } from '#runner';
import { diffCommand } from './diff-command.ts';
import { evaluateCommand } from './evaluate-command.ts';
import { explainCommand } from './explain-command.ts';
import type { TellProblem } from './find-files.ts';
import { matrixCommand } from './matrix-command.ts';
import { tellOnStderr } from './print.ts';
import { readArguments } from './read-arguments.ts';
import type { Command, HelpCommand, LspCommand } from './read-arguments.ts';
import { testCommand } from './test-command.ts';
import { EXIT, UsageError } from './usage.ts';
import { whatIfCommand } from './what-if-command.ts';

/** Runs a command, and sets the exit status of this process. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  process.exitCode = await main(argv);
}

/** PLOT: arguments → engine → command → exit status. Where a file could not be read, the others are judged, and the status tells. */
async function main(argv: readonly string[]): Promise<number> {
  const engine = new EngineThreads();
  let problems = 0;
  const tell = (problem: string): void => {
    problems++;
    tellOnStderr(problem);
  };
  try {
    const command = readArguments(argv);
    if (command.name === 'help') {
      process.stdout.write(command.text);
      return EXIT.ok;
    }
    if (command.name === 'lsp') {
      const { lspCommand } = await import('./lsp/lsp-command.ts');
      return await lspCommand(command);
    }
    // It loads the engine while the files are being read.
    engine.start();
    const status = await run(command, engine, tell);
    return problems > 0 ? EXIT.usage : status;
  } catch (error) {
    if (error instanceof UsageError) {
      tellOnStderr(`${error.message}\nassay --help tells more.`);
      return EXIT.usage;
    }
    tellOnStderr(`internal error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.internal;
  } finally {
    engine.stop();
  }
}

async function run(command: Exclude<Command, HelpCommand | LspCommand>, engine: Engine, tell: TellProblem): Promise<number> {
  switch (command.name) {
    case 'evaluate':
      return evaluateCommand(command, engine, tell);
    case 'explain':
      return command.cluster
        ? (await import('./cluster/explain-cluster.ts')).explainCluster(command, command.cluster, engine)
        : explainCommand(command, engine, tell);
    case 'matrix':
      return matrixCommand(command, engine, tell);
    case 'what-if':
      return command.cluster
        ? (await import('./cluster/what-if-cluster.ts')).whatIfCluster(command, command.cluster, engine, tell)
        : whatIfCommand(command, engine, tell);
    case 'upgrade-check':
      return (await import('./cluster/upgrade-check-command.ts')).upgradeCheckCommand(command, engine, tell);
    case 'guard':
      return (await import('./guard/guard-command.ts')).guardCommand(command, engine, tell);
    case 'diff':
      return diffCommand(command, engine, tell);
    case 'test':
      return testCommand(command, engine);
  }
}
