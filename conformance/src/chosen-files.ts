import { wrongArguments } from '../../testing/program-arguments.ts';
import { readFloors } from './floors.ts';
import { recordedFiles } from './score-files.ts';
import type { RecordedFile } from './score-files.ts';

/**
 * Returns the recorded files whose names begin with an element of `starts`, or all files if `starts` is empty. If an element matches no
 * file on this machine or in the committed floors, the program lists the names and ends with status 2.
 */
export function chosenFiles(starts: readonly string[], usage: string): RecordedFile[] {
  return chosenOf(recordedFiles(), starts, usage, Object.keys(readFloors()));
}

/**
 * Returns the elements of `files` whose names begin with an element of `starts`, or all if `starts` is empty. If an element of `starts`
 * matches no file and no name in `known`, the program ends with status 2 and lists the names.
 */
export function chosenOf<T extends { readonly name: string }>(
  files: readonly T[],
  starts: readonly string[],
  usage: string,
  known: readonly string[] = [],
): T[] {
  const names = [...new Set([...known, ...files.map(({ name }) => name)])].sort();
  const unknown = starts.filter((start) => !names.some((name) => name.startsWith(start)));
  if (unknown.length > 0) wrongArguments(`no recorded file begins with ${unknown.join(', ')}; there are ${names.join(', ')}`, usage);
  return files.filter(({ name }) => starts.length === 0 || starts.some((start) => name.startsWith(start)));
}
