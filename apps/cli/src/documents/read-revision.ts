import { basename, dirname, extname, resolve } from 'node:path';
import { statsOf } from '../files/file-access.ts';
import type { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS, sizeInWords } from '../files/file-limits.ts';
import { OUTSIDE_UNLESS_NAMED } from '../files/file-problem.ts';
import { runGit } from '../files/run-git.ts';
import { DOCUMENT_EXTENSIONS } from './read-inputs.ts';
import type { InputFile } from './read-inputs.ts';
import { UsageError } from '../usage.ts';

/**
 * Returns the files at the given paths in a revision of their git repository; none if `revision` is undefined. Throws {@link UsageError} if
 * the revision, the repository or a path does not exist, or if the files are too large together.
 */
export function readRevision(revision: string | undefined, paths: readonly string[], access: FileAccess): InputFile[] {
  if (revision === undefined) return [];
  if (revision.startsWith('-')) throw new UsageError(`${revision}: is no revision`);
  const files: InputFile[] = [];
  let bytesLeft: number = FILE_LIMITS.documents;
  for (const path of paths)
    for (const file of filesAt(revision, path, access)) {
      bytesLeft -= file.bytes.length;
      if (bytesLeft < 0) throw new UsageError(`${path}: the files of ${revision} are larger than ${sizeInWords(FILE_LIMITS.documents)}`);
      files.push(file);
    }
  return files;
}

function* filesAt(revision: string, path: string, access: FileAccess): Generator<InputFile> {
  if (path === '-') throw new UsageError('a revision needs files of a git repository, not standard input');
  if (!access.reaches(path)) throw new UsageError(`${path}: ${OUTSIDE_UNLESS_NAMED}`);
  const { folder, within } = placeOf(path);
  const git = (argv: readonly string[], problem: string): Buffer => {
    const answer = runGit(folder, argv, access);
    if (answer.ok) return answer.bytes;
    throw new UsageError(answer.problem === undefined ? problem : `${revision}: ${answer.problem}`);
  };
  const commit = git(
    ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`],
    `${revision}: the repository of ${path} has no such revision. A shallow clone lacks older ones: run git fetch first`,
  )
    .toString()
    .trim();
  // Paths are relative to the folder. A path that does not exist in the revision gives no files.
  const listed = git(['ls-tree', '-r', '-z', '--name-only', commit, '--', within], `${path}: cannot be listed in ${revision}`);
  const names = listed
    .toString()
    .split('\0')
    .filter((name) => name !== '' && (within !== '.' ? name === within : DOCUMENT_EXTENSIONS.has(extname(name))));
  const prefix = git(['rev-parse', '--show-prefix'], `${path}: is in no repository`).toString().trimEnd();
  for (const name of names)
    yield {
      // This is the notation of `git show`, with a path from the root of the repository.
      name: `${revision}:${prefix}${name}`,
      bytes: git(['cat-file', 'blob', `${commit}:./${name}`], `${name}: cannot be read in ${revision}`),
    };
}

/** Returns the folder in which git is run for a path, and the path relative to this folder. */
function placeOf(path: string): { readonly folder: string; readonly within: string } {
  const stats = statsOf(path);
  const isFolder = stats.ok && stats.content.isDirectory();
  return isFolder ? { folder: resolve(path), within: '.' } : { folder: dirname(resolve(path)), within: basename(path) };
}
