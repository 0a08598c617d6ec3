import type { FileAccess } from '../../files/file-access.ts';
import { FILE_LIMITS, sizeInWords } from '../../files/file-limits.ts';
import { runGit } from '../../files/run-git.ts';

/** Content of a file in git. If it cannot be read, `problem` is the reason in words. */
export type Content =
  | { readonly blob: string; readonly ok: true; readonly bytes: Buffer }
  | { readonly blob: string; readonly ok: false; readonly problem: string };

/** Maximum number of contents that one run of git reads. */
const READ_TOGETHER = 64;

/**
 * Yields the contents with the given names, in order. Git reads many contents in one run.
 *
 * @param folder folder of the repository
 */
export function* readContents(folder: string, blobs: readonly string[], access: FileAccess): Generator<Content> {
  for (let i = 0; i < blobs.length; i += READ_TOGETHER) yield* readTogether(folder, blobs.slice(i, i + READ_TOGETHER), access);
}

/** Reads contents in one run of git. If git fails, reads each half by itself, so that one broken content does not hide the others. */
function* readTogether(folder: string, blobs: readonly string[], access: FileAccess): Generator<Content> {
  const [first = ''] = blobs;
  const answer = runGit(folder, ['cat-file', '--batch'], access, blobs.map((blob) => `${blob}\n`).join(''));
  if (answer.ok) return yield* contentsIn(answer.bytes, blobs);
  if (blobs.length <= 1) return yield { blob: first, ok: false, problem: answer.problem ?? 'git cannot read the content' };
  const half = blobs.length >> 1;
  yield* readTogether(folder, blobs.slice(0, half), access);
  yield* readTogether(folder, blobs.slice(half), access);
}

/** Reads the output of `git cat-file --batch`: a line with name, kind and size, then the content, then a line break. */
function* contentsIn(answer: Buffer, blobs: readonly string[]): Generator<Content> {
  let at = 0;
  for (const blob of blobs) {
    const end = answer.indexOf('\n', at);
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(answer.toString('latin1', at, Math.max(at, end))) ?? [];
    if (size === undefined) {
      yield { blob, ok: false, problem: 'this clone lacks the content' };
      at = end < 0 ? answer.length : end + 1;
      continue;
    }
    const start = end + 1;
    at = start + Number(size) + 1;
    const isTooLarge = Number(size) > FILE_LIMITS.source;
    yield isTooLarge
      ? { blob, ok: false, problem: `is larger than ${sizeInWords(FILE_LIMITS.source)}` }
      : { blob, ok: true, bytes: answer.subarray(start, at - 1) };
  }
}
