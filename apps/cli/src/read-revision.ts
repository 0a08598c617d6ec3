import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { DOCUMENT_EXTENSIONS } from './read-inputs.ts';
import type { InputFile } from './read-inputs.ts';
import { UsageError } from './usage.ts';

/** Maximum total size of the files that are read from a revision, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024 * 1024 - 1;

/**
 * Returns the files at the given paths in a revision of their git repository; none if `revision` is undefined. Throws {@link UsageError} if
 * the revision, the repository or a path does not exist.
 */
export function readRevision(revision: string | undefined, paths: readonly string[]): InputFile[] {
  if (revision === undefined) return [];
  if (revision.startsWith('-')) throw new UsageError(`--base ${revision}: is no revision`);
  return paths.flatMap((path) => filesAt(revision, path));
}

function filesAt(revision: string, path: string): InputFile[] {
  if (path === '-') throw new UsageError('--base needs files of a git repository, not standard input');
  const { folder, within } = placeOf(path);
  const commit = git(
    folder,
    ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`],
    `--base ${revision}: no such revision of the repository of ${path}`,
  );
  // Paths are as seen from the folder; a path that the revision lacks gives none.
  const listed = git(
    folder,
    ['ls-tree', '-r', '-z', '--name-only', commit.toString().trim(), '--', within],
    `${path}: cannot be listed in ${revision}`,
  );
  const names = listed
    .toString()
    .split('\0')
    .filter((name) => name !== '' && (within !== '.' ? name === within : DOCUMENT_EXTENSIONS.has(extname(name))));
  const prefix = git(folder, ['rev-parse', '--show-prefix'], `${path}: is in no repository`).toString().trimEnd();
  return names.map((name) => ({
    // As `git show` takes it: from the root of the repository.
    name: `${revision}:${prefix}${name}`,
    bytes: git(folder, ['cat-file', 'blob', `${commit.toString().trim()}:./${name}`], `${name}: cannot be read in ${revision}`),
  }));
}

/** Returns the folder in which git is run for a path, and the path relative to this folder. */
function placeOf(path: string): { readonly folder: string; readonly within: string } {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? { folder: resolve(path), within: '.' } : { folder: dirname(resolve(path)), within: basename(path) };
}

function git(folder: string, argv: readonly string[], problem: string): Buffer {
  const { status, stdout, error } = spawnSync('git', ['-C', folder, ...argv], {
    maxBuffer: MAX_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (error !== undefined) throw new UsageError(`--base needs git: ${error.message}`);
  if (status !== 0) throw new UsageError(problem);
  return stdout;
}
