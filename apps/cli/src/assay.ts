surviveClosedPipes();
void run(process.argv.slice(2));

/** Commands that judge documents. Their engine is started first, so that it is loaded while this thread loads the command. */
const JUDGING: ReadonlySet<string | undefined> = new Set(['evaluate', 'eval', 'explain', 'matrix', 'what-if', 'diff', 'test']);

/** Runs the program, and loads only the modules that the arguments need. For example, help is printed without loading the engine. */
async function run(argv: readonly string[]): Promise<void> {
  if (argv.length === 0 || argv[0] === 'help' || argv.includes('--help') || argv.includes('-h') || argv.includes('--version')) {
    const { printHelp } = await import('./options/read-arguments.ts');
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
