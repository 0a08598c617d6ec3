import { homedir } from 'node:os';
import { join } from 'node:path';

/** Commands whose compiled code is stored separately. All other arguments share one file. */
const COMMANDS = new Set(['evaluate', 'eval', 'explain', 'ceiling', 'matrix', 'what-if', 'diff', 'test', 'upgrade-check', 'guard', 'lsp']);

/** Texts that identify what compiled code belongs to. */
interface CodeVersion {
  /** Identifies the files of the package. */
  readonly build: string;
  /** Identifies V8 and its flags. */
  readonly tag: string;
}

/**
 * Returns the path, without the number of the run, of the file with the compiled code for the arguments of the command line. The file is in
 * a folder of this user, because other users could plant code in a shared folder. NODE_COMPILE_CACHE names another folder. Returns undefined
 * if NODE_DISABLE_COMPILE_CACHE=1 turns storing off.
 */
export function codePath(argv: readonly string[], { build, tag }: CodeVersion, env: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CACHE_HOME, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = env;
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const folder = NODE_COMPILE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay', 'compiled');
  return join(folder, `${process.version}-${process.arch}-${tag}-${build}`, commandOf(argv));
}

/** Returns the name under which the compiled code of a command is stored, such as `evaluate`, or `help` or `other`. */
function commandOf(argv: readonly string[]): string {
  if (argv.includes('--help') || argv.includes('-h')) return 'help';
  const [first = ''] = argv;
  return COMMANDS.has(first) ? first : 'other';
}
