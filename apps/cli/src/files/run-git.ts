import { spawnSync } from 'node:child_process';
import { basename, dirname, resolve } from 'node:path';
import { TimedOut } from '../timeout.ts';
import { UsageError } from '../usage.ts';
import { statsOf } from './file-access.ts';
import type { FileAccess } from './file-access.ts';
import { FILE_LIMITS, sizeInWords, OUTSIDE_UNLESS_NAMED } from './file-problem.ts';

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

/** Path of a git repository, with runs of git that only read. Each method throws {@link UsageError} if git cannot answer. */
export class GitPlace {
  readonly #path: string;
  readonly #access: FileAccess;
  /** Folder in which git is run. */
  readonly folder: string;
  /** Name of the file in the folder; undefined if the path is the folder itself. */
  readonly file: string | undefined;

  /**
   * Throws {@link UsageError} if the path is standard input, or if it may not be read.
   *
   * @param what beginning of the refusal of standard input, such as `a revision`
   */
  constructor(path: string, access: FileAccess, what: string) {
    if (path === '-') throw new UsageError(`${what} needs files of a git repository, not standard input`);
    if (!access.reaches(path)) throw new UsageError(`${path}: ${OUTSIDE_UNLESS_NAMED}`);
    const stats = statsOf(path);
    const isFolder = stats.ok && stats.content.isDirectory();
    this.#path = path;
    this.#access = access;
    this.folder = isFolder ? resolve(path) : dirname(resolve(path));
    this.file = isFolder ? undefined : basename(path);
  }

  /** Path of the folder from the root of the repository. It ends with a slash, or is empty for the root. */
  get prefix(): string {
    return this.run(['rev-parse', '--show-prefix'], `${this.#path}: is in no repository`).toString().trimEnd();
  }

  /**
   * Returns the output of git.
   *
   * @param problem message if git refuses the arguments
   * @param about name of what git reads, which stands before any other reason of a failure
   * @param input text that git reads from its standard input
   */
  run(argv: readonly string[], problem: string, about = this.#path, input?: string): Buffer {
    const answer = runGit(this.folder, argv, this.#access, input);
    if (answer.ok) return answer.bytes;
    throw new UsageError(answer.problem === undefined ? problem : `${about}: ${answer.problem}`);
  }

  /** Returns the hash of the commit that a revision names. */
  commitOf(revision: string): string {
    if (revision.startsWith('-')) throw new UsageError(`${revision}: is no revision`);
    const problem = `${revision}: the repository of ${this.#path} has no such revision. A shallow clone lacks older ones: run git fetch first`;
    return this.run(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], problem, revision)
      .toString()
      .trim();
  }
}
