#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// What V8 compiled is kept for the next run, where Node can (22.8 and newer), in a folder of this user's: others could plant code in a shared one.
// NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 turns it off. Code is compiled when it is loaded, so all else is loaded after.
const { XDG_CACHE_HOME: caches = join(homedir(), '.cache'), NODE_COMPILE_CACHE: chosen } = process.env;
if (chosen === undefined) module.enableCompileCache?.(join(caches, 'assay', 'compiled'));

surviveClosedPipes();
void run(process.argv.slice(2));

/** Commands that judge documents. Their engine is started first, so that it is loaded while this thread loads the command. */
const JUDGING: ReadonlySet<string | undefined> = new Set(['evaluate', 'eval', 'explain', 'matrix', 'what-if', 'diff', 'test']);

/** Runs the program, and loads only the modules that the arguments need. For example, help is printed without loading the engine. */
async function run(argv: readonly string[]): Promise<void> {
  if (argv.length === 0 || argv[0] === 'help' || argv.includes('--help') || argv.includes('-h') || argv.includes('--version')) {
    const { printHelp } = await import('./help.ts');
    if (printHelp(argv)) return;
  }
  const { newEngine } = await import('./engine.ts');
  const engine = newEngine();
  if (JUDGING.has(argv[0])) engine.start();
  const { runCommandLine } = await import('./main.ts');
  await runCommandLine(argv, engine);
}

/**
 * Ignores errors from a closed pipe. If a reader closes the pipe early (`assay explain … | head`), the command still ends with its usual
 * exit status.
 */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
