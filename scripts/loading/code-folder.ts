import { homedir } from 'node:os';
import { join } from 'node:path';

/** Commands whose compiled code is stored separately. All other arguments share one file. */
const COMMANDS = new Set(['evaluate', 'eval', 'explain', 'ceiling', 'matrix', 'what-if', 'diff', 'test', 'upgrade-check', 'guard', 'lsp']);

/**
 * Maximum number of characters of the flags in a path. If the flags of two runs differ only after these characters, V8 rejects the code of
 * the other run, and each run stores its own.
 */
const MAX_FLAGS = 100;

/** Texts that identify what compiled code belongs to. */
interface CodeVersion {
  /** Identifies the files of the package. */
  readonly build: string;
  /** Flags of Node, such as `--no-opt`. V8 rejects code that it compiled with other flags. */
  readonly flags: readonly string[];
}

/**
 * Returns the path, without the number of the run, of the file with the compiled code for the arguments of the command line. The file is in
 * a folder of this user, because other users could plant code in a shared folder. NODE_COMPILE_CACHE names another folder. Returns undefined
 * if NODE_DISABLE_COMPILE_CACHE=1 turns storing off.
 *
 * The path contains the flags themselves, because loading `node:v8`, which has a tag of them, takes 2 ms.
 */
export function codePath(argv: readonly string[], { build, flags }: CodeVersion, env: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CACHE_HOME, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, NODE_OPTIONS = '' } = env;
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const folder = NODE_COMPILE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay', 'compiled');
  const named = [...flags, NODE_OPTIONS]
    .join('')
    .replaceAll(/[^\w.]+/g, '-')
    .slice(0, MAX_FLAGS);
  return join(folder, `${process.version}-${process.arch}${named}-${build}`, commandOf(argv));
}

/** Returns the name under which the compiled code of a command is stored, such as `evaluate`, or `help` or `other`. */
function commandOf(argv: readonly string[]): string {
  if (argv.includes('--help') || argv.includes('-h')) return 'help';
  const [first = ''] = argv;
  return COMMANDS.has(first) ? first : 'other';
}
