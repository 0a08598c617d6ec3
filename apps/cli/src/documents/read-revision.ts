import { extname } from 'node:path';
import type { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS, sizeInWords } from '../files/file-problem.ts';
import { GitPlace } from '../files/run-git.ts';
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
  const place = new GitPlace(path, access, 'a revision');
  const { file } = place;
  const commit = place.commitOf(revision);
  // Paths are relative to the folder. A path that does not exist in the revision gives no files.
  const listing = ['ls-tree', '-r', '-z', commit, '--', file ?? '.'];
  const entries = [...place.run(listing, `${path}: cannot be listed in ${revision}`, revision).toString().matchAll(LISTED)].map(
    ([, mode = '', name = '']) => ({ name, isLink: mode === LINK_MODE }),
  );
  const { prefix } = place;
  for (const { name, isLink } of entries) {
    if (file === undefined ? !DOCUMENT_EXTENSIONS.has(extname(name)) : name !== file) continue;
    const problem = `${name}: cannot be read in ${revision}`;
    const bytes = isLink
      ? linkedFile(place, `${commit}:${prefix}${name}`, problem)
      : place.run(['cat-file', 'blob', `${commit}:./${name}`], problem, revision);
    // `revision:path` is the notation of `git show`. The path begins at the root of the repository.
    if (bytes !== undefined) yield { name: `${revision}:${prefix}${name}`, bytes };
  }
}

/** Matches an entry of `git ls-tree -z`: mode, kind, name of the content, and path. */
const LISTED = /(\d+) \w+ [0-9a-f]+\t([^\0]+)\0/g;
/** Mode of a symbolic link in a tree of git. */
const LINK_MODE = '120000';

/**
 * Returns the content of the file that a link leads to in the same revision. Returns undefined if it leads to a folder. Throws
 * {@link UsageError} if it leads to nothing, or out of the repository.
 */
function linkedFile(place: GitPlace, object: string, problem: string): Buffer | undefined {
  const answer = place.run(['cat-file', '--batch', '--follow-symlinks'], problem, problem, `${object}\n`);
  const end = answer.indexOf('\n');
  const [, kind, size] = /^[0-9a-f]+ (blob|tree) (\d+)$/.exec(answer.toString('latin1', 0, Math.max(0, end))) ?? [];
  if (kind === 'tree') return undefined;
  if (kind === undefined) throw new UsageError(`${problem}: the link leads to no file of the repository`);
  return answer.subarray(end + 1, end + 1 + Number(size));
}
