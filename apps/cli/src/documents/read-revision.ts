import { extname } from 'node:path';
import type { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS, sizeInWords } from '../files/file-limits.ts';
import { GitPlace } from '../files/git-place.ts';
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
  const listing = ['ls-tree', '-r', '-z', '--name-only', commit, '--', file ?? '.'];
  const names = place
    .run(listing, `${path}: cannot be listed in ${revision}`, revision)
    .toString()
    .split('\0')
    .filter((name) => name !== '' && (file === undefined ? DOCUMENT_EXTENSIONS.has(extname(name)) : name === file));
  const { prefix } = place;
  for (const name of names)
    yield {
      // This is the notation of `git show`, with a path from the root of the repository.
      name: `${revision}:${prefix}${name}`,
      bytes: place.run(['cat-file', 'blob', `${commit}:./${name}`], `${name}: cannot be read in ${revision}`, revision),
    };
}
