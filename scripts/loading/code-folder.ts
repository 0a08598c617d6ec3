import { homedir } from 'node:os';
import { join } from 'node:path';

/** Commands whose compiled code is stored separately. All other arguments share one file. */
const COMMANDS = new Set(['evaluate', 'eval', 'explain', 'matrix', 'what-if', 'diff', 'test', 'upgrade-check', 'guard', 'lsp']);

/** Maximum number of characters of Node's flags in the name of a folder. */
const MOST_FLAG_CHARACTERS = 100;

/**
 * Returns the path, without the number of the run, of the file with the compiled code for the arguments of the command line. The file is in
 * a folder of this user, because other users could plant code in a shared folder. NODE_COMPILE_CACHE names another folder. Returns undefined
 * if NODE_DISABLE_COMPILE_CACHE=1 turns storing off.
 *
 * @param build text that identifies the files of the package
 */
export function codePath(argv: readonly string[], build: string, env: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CACHE_HOME, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = env;
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const folder = NODE_COMPILE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay', 'compiled');
  // V8 refuses code that it compiled with other flags.
  const flags = encodeURIComponent([env['NODE_OPTIONS'] ?? '', ...process.execArgv].join(' ').trim()).slice(0, MOST_FLAG_CHARACTERS);
  return join(folder, `${process.version}-${process.arch}-${build}${flags === '' ? '' : `-${flags}`}`, commandOf(argv));
}

function commandOf(argv: readonly string[]): string {
  if (argv.includes('--help') || argv.includes('-h')) return 'help';
  const [first = ''] = argv;
  return COMMANDS.has(first) ? first : 'other';
}
