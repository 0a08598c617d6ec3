import { basename, dirname, resolve } from 'node:path';
import { UsageError } from '../usage.ts';
import { statsOf } from './file-access.ts';
import type { FileAccess } from './file-access.ts';
import { OUTSIDE_UNLESS_NAMED } from './file-problem.ts';
import { runGit } from './run-git.ts';

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
