import type { Stats } from 'node:fs';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum size in bytes of each file that a command reads, by the use of the file. */
export const FILE_LIMITS = {
  /** A settings file. The time of the YAML parser grows with the square of the number of keys. */
  settings: 64 * KIB,
  /** A `.gitignore` file. */
  ignore: MIB,
  /** An index or a manifest of an OCI layout. Source: the limit for manifests in OCI distribution-spec 1.1. */
  manifest: 4 * MIB,
  /** A packed chart. Real charts are far smaller. */
  archive: 32 * MIB,
  /** A test suite. */
  suite: 4 * MIB,
  /** Any other single file that a command reads. */
  source: 32 * MIB,
  /** A file with documents, a pipe, or the files of a revision together. */
  documents: 1024 * MIB,
  /** All files with documents that are in memory at the same time. */
  together: 4096 * MIB,
  /** A device, such as `/dev/null`. */
  device: MIB,
} as const;

/** Returns a limit in words, such as `64 KiB` or `64 MiB`. */
export const sizeInWords = (bytes: number): string => (bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`);

/** Function that receives a sentence about a path that could not be used. */
export type ReportProblem = (problem: string) => void;

/** Error about a file that exists, but that may not be read. The message is the reason in words. */
export class FileProblem extends Error {}

/** Reason why a path is not read if a repository leads out of itself with it. */
export const OUTSIDE = 'is outside of the repository';
/** The same reason, for a path that the command line could name. */
export const OUTSIDE_UNLESS_NAMED = `${OUTSIDE}: name it on the command line`;

/** Returns the error about a file with more than `maxBytes` bytes. */
export const tooLarge = (maxBytes: number): FileProblem => new FileProblem(`larger than ${sizeInWords(maxBytes)}`);

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to read it',
  EISDIR: 'a folder, not a file',
  ELOOP: 'a link that leads back to itself',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder, or a link to one that is not there',
  ENOTDIR: 'no such file or folder, or a link to one that is not there',
  ENXIO: 'not a file, but a socket or a device',
  EPERM: 'no permission to read it',
};

/** Returns the reason, in words, why a path cannot be read. */
export function unreadableReason(error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
}

/** Returns a reason why the thing at a path is no regular file, such as `not a file, but a named pipe`. Undefined if it is a file. */
export function whyNoFile(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return REASONS['EISDIR'];
  return `not a file, but ${stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device'}`;
}
