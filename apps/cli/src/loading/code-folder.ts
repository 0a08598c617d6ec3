import { homedir } from 'node:os';
import { join } from 'node:path';

/** Commands whose compiled code is stored separately. All other arguments share one file. */
const COMMANDS = new Set(['evaluate', 'eval', 'explain', 'matrix', 'what-if', 'diff', 'test', 'upgrade-check', 'guard', 'lsp']);

/**
 * Returns the path, without an ending, of the file with the compiled code for the arguments of the command line. The file is in a folder of
 * this user, because other users could plant code in a shared folder. NODE_COMPILE_CACHE names another folder. Returns undefined if
 * NODE_DISABLE_COMPILE_CACHE=1 turns storing off.
 *
 * @param build text that identifies the files of the package
 * @param tag text that identifies V8 and its flags
 */
export function codePath(argv: readonly string[], build: string, tag: string): string | undefined {
  const { XDG_CACHE_HOME, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const folder = NODE_COMPILE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay', 'compiled');
  const [first = ''] = argv;
  const command = argv.some((word) => word === '--help' || word === '-h') ? 'help' : COMMANDS.has(first) ? first : 'other';
  return join(folder, `${process.version}-${process.arch}-${tag}-${build}`, command);
}
