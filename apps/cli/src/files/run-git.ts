import { spawnSync } from 'node:child_process';
import { TimedOut } from '../timeout.ts';
import type { FileAccess } from './file-access.ts';
import { FILE_LIMITS, sizeInWords } from './file-limits.ts';

/** Result of a run of git. `problem` is the reason why git gave no answer; it is undefined if git refused the arguments. */
export type GitAnswer = { readonly ok: true; readonly bytes: Buffer } | { readonly ok: false; readonly problem: string | undefined };

/**
 * Settings with which git starts no program that the configuration of a repository names. Git prefers settings of the command line to
 * settings of the repository. No value names a program of the repository. Source: git-config(1) and gitattributes(5) of git 2.50.
 */
const HARMLESS_SETTINGS: Readonly<Record<string, string>> = {
  'core.alternateRefsCommand': 'true',
  'core.askPass': 'true',
  'core.editor': 'true',
  'core.fsmonitor': 'false',
  'core.gitProxy': '',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.sshCommand': 'false',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'sequence.editor': 'true',
  'uploadpack.packObjectsHook': '',
};

/**
 * Environment in which git asks nobody and fetches nothing. A fetch starts a program that the repository names. So a missing object of a
 * partial clone is an error. A repository cannot override these variables.
 */
const HARMLESS_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ASKPASS: 'true',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/**
 * Runs a command of git that only reads, such as `cat-file`, and returns its output of at most {@link FILE_LIMITS.documents} bytes. The
 * repository cannot make git start a program. Throws {@link TimedOut} if the timeout is over; git is then killed.
 *
 * @param input text that git reads from its standard input; undefined for an empty one
 */
export function runGit(folder: string, argv: readonly string[], access: FileAccess, input?: string): GitAnswer {
  access.poll();
  const settings = Object.entries(HARMLESS_SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const { leftMs } = access;
  const { status, stdout, error } = spawnSync('git', ['--no-pager', ...settings, '-C', folder, ...argv], {
    env: { ...process.env, ...HARMLESS_ENVIRONMENT },
    maxBuffer: FILE_LIMITS.documents,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    ...(input !== undefined && { input }),
    killSignal: 'SIGKILL',
    ...(leftMs < Infinity && { timeout: Math.ceil(leftMs) }),
  });
  if (error === undefined) return status === 0 ? { ok: true, bytes: stdout } : { ok: false, problem: undefined };
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ETIMEDOUT') throw new TimedOut();
  const isTooLarge = code === 'ENOBUFS';
  return {
    ok: false,
    problem: isTooLarge ? `git gave more than ${sizeInWords(FILE_LIMITS.documents)}` : `git cannot be run: ${error.message}`,
  };
}
